/** Commands that Slack keeps for itself, and what they are typed as instead. */
export const spelling: Readonly<Record<string, string>> = { status: 'paystatus' };

/** Other names under which a command may be typed; some workspaces keep `/help` for Slack. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['paystatus', 'status'],
  ['payhelp', 'help'],
]);

/** The first words by which a direct message is known to be a command. */
const COMMANDS: ReadonlySet<string> = new Set([
  'charge',
  'lookup',
  'status',
  'sms',
  'balance',
  'payments',
  'audit',
  'suspend',
  'reinstate',
  'help',
  'whoami',
]);

/** A command's own name for what was typed, with or without a slash: `/paystatus` is `status`. */
export const commandNameOf = (typed: string): string => {
  const word = typed.replace(/^\//, '').toLowerCase();
  return ALIASES.get(word) ?? word;
};

/** Whether words begin with a command, so that they are no answer to a question. */
export const isCommandWord = (typed: string): boolean =>
  typed.startsWith('/') || COMMANDS.has(commandNameOf(typed));
