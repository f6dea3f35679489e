import { isSafe } from './formats.ts';
import { type FileSecrets, fileVariable } from './secret-files.ts';
import type { Variable } from './variable.ts';
import { type Name, names, variables } from './variables.ts';

/** The variables that are set, as text. */
export type Given = { readonly [N in Name]?: string };

/** One variable that is not right. Its value is not part of it: a secret pasted one line too low would come out. */
type Problem = {
  readonly name: Name;
  /** As it is called, where the trouble is with the file that was named for it. */
  readonly called?: string;
  readonly what: string;
  /** Why it matters, where the variable alone does not say it. */
  readonly because?: string;
  /** What to do instead, where the variable's own words would mislead. */
  readonly remedy?: { readonly expected: string; readonly example: string };
  /** What to type against it. */
  readonly command?: string | undefined;
};

/** Everything that is wrong, in the order of the README; each variable once. */
export const findProblems = (given: Given, files: FileSecrets): Problem[] => {
  const found = [
    ...fileProblems(files),
    ...unreadable(given, files),
    ...missing(given, files),
    ...unsafe(given, files),
  ];
  return names.flatMap((name) => found.find((problem) => problem.name === name) ?? []);
};

/** One text for the person who starts the program. */
export const describeProblems = (problems: readonly Problem[]): string =>
  [
    problems.length === 1
      ? 'Paythread cannot start: one setting is not right.'
      : `Paythread cannot start: ${problems.length} settings are not right.`,
    ...problems.map(describe),
    'Settings come from the environment and from .env; .env.example explains every one.',
  ].join('\n\n');

const describe = ({ name, called, what, because, remedy, command }: Problem): string => {
  const { expected, example }: Variable = variables[name];
  return [
    `  ${called ?? name} ${what}${because === undefined ? '' : `, ${because}`}.`,
    `    Expected: ${remedy?.expected ?? expected}.`,
    command === undefined
      ? `    Example:  ${remedy?.example ?? `${name}=${example}`}`
      : `    Type:     ${command}`,
  ].join('\n');
};

const fileProblems = (files: FileSecrets): Problem[] =>
  names.flatMap((name) => {
    const file = files[name];
    if (file === undefined || file.ok) return [];
    const called = fileVariable(name);
    const example = `${called}=/etc/paythread/${name.toLowerCase()}`;
    const remedy = { expected: EXPECTED_FILE, example };
    return [{ name, called, what: file.what, remedy, command: file.command }];
  });

const EXPECTED_FILE =
  'a file of 16 KiB at most that holds the secret alone, and that its owner alone may open';

const unreadable = (given: Given, files: FileSecrets): Problem[] =>
  names.flatMap((name) => {
    const variable: Variable = variables[name];
    const text = given[name];
    const result = text === undefined ? undefined : variable.schema.safeParse(text);
    if (result === undefined || result.success) return [];
    const entry = result.error.issues[0]?.path[0];
    const where = typeof entry === 'number' ? ` (entry ${entry + 1})` : '';
    const source = files[name] === undefined ? '' : `, as ${fileVariable(name)} has it`;
    return [{ name, what: `is not right${where}${source}` }];
  });

/** Which variables need which others. */
const missing = (given: Given, files: FileSecrets): Problem[] => {
  // A file that cannot be read is trouble enough: what it was named for is meant to be set.
  const isSet = (name: Name) => given[name] !== undefined || files[name] !== undefined;
  const chat = CHAT_VARIABLES.some(isSet);
  const baseUrl = given.PAYMENTS_BASE_URL;
  const slackTransport = isSet('SLACK_APP_TOKEN') || isSet('SLACK_SIGNING_SECRET');
  const rules: { when: boolean; needs: readonly Name[]; because: string }[] = [
    {
      when: chat,
      needs: ['PAYMENTS_BASE_URL'],
      because: 'and with a chat platform configured it has no default',
    },
    {
      when: baseUrl !== undefined && baseUrl !== 'sandbox',
      needs: NEEDED_FOR_REAL,
      because: 'and payments go to a real service',
    },
    {
      when: slackTransport,
      needs: ['SLACK_BOT_TOKEN'],
      because: 'and the other Slack settings do nothing without it',
    },
    {
      when: isSet('SLACK_BOT_TOKEN') && !slackTransport,
      needs: ['SLACK_APP_TOKEN'],
      because: 'and there is no SLACK_SIGNING_SECRET either: Slack needs one of the two',
    },
    {
      when: /\bslack:/.test(given.OPERATORS ?? ''),
      needs: ['SLACK_BOT_TOKEN'],
      because: 'and OPERATORS names a conversation in Slack',
    },
    {
      when: /\btelegram:/.test(given.OPERATORS ?? ''),
      needs: ['TELEGRAM_BOT_TOKEN'],
      because: 'and OPERATORS names a conversation in Telegram',
    },
    {
      when: isSet('METRICS_HOST'),
      needs: ['METRICS_PORT'],
      because: 'and METRICS_HOST gives /metrics an address of its own',
    },
    {
      when: isSet('TELEGRAM_WEBHOOK_SECRET'),
      needs: ['TELEGRAM_BOT_TOKEN', 'PUBLIC_URL'],
      because: "and Telegram's webhook needs it",
    },
  ];
  return rules
    .filter((rule) => rule.when)
    .flatMap(({ needs, because }) =>
      needs.filter((name) => !isSet(name)).map((name) => ({ name, what: 'is not set', because })),
    );
};

/** Even half a chat platform shows that one is meant. */
const CHAT_VARIABLES = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'TELEGRAM_BOT_TOKEN',
] as const;

const NEEDED_FOR_REAL = [
  'PAYMENTS_CLIENT_KEY',
  'PAYMENTS_SECRET_KEY',
  'PAYMENTS_SERVICE_ID',
  'PAYMENTS_NICKNAME',
  'PUBLIC_URL',
] as const;

/** Telegram itself refuses a webhook address that is not https; one of this machine is a test. */
const unsafe = (given: Given, files: FileSecrets): Problem[] => {
  const { PUBLIC_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = given;
  const isWebhook = secret !== undefined || files.TELEGRAM_WEBHOOK_SECRET !== undefined;
  return isWebhook && url !== undefined && URL.canParse(url) && !isSafe(url)
    ? [{ name: 'PUBLIC_URL', what: 'is not https', because: "and Telegram's webhook needs that" }]
    : [];
};
