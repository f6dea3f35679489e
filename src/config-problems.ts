import { isSafe } from './config-formats.ts';
import { type Name, names, type Variable, variables } from './config-variables.ts';

/** The variables that are set, as text. */
export type Given = { readonly [N in Name]?: string };

/** One variable that is not right. Its value is not part of it: a secret pasted one line too low would come out. */
type Problem = {
  readonly name: Name;
  readonly what: string;
  /** Why it matters, where the variable alone does not say it. */
  readonly because?: string;
  /** What to do instead, where the variable's own words would mislead. */
  readonly remedy?: { readonly expected: string; readonly example: string };
};

/** Everything that is wrong, in the order of the README; each variable once. */
export const findProblems = (given: Given): Problem[] => {
  const found = [...unreadable(given), ...missing(given), ...unsafe(given)];
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

const describe = ({ name, what, because, remedy }: Problem): string => {
  const { expected, example }: Variable = variables[name];
  return [
    `  ${name} ${what}${because === undefined ? '' : `, ${because}`}.`,
    `    Expected: ${remedy?.expected ?? expected}.`,
    `    Example:  ${remedy?.example ?? `${name}=${example}`}`,
  ].join('\n');
};

const unreadable = (given: Given): Problem[] =>
  names.flatMap((name) => {
    const variable: Variable = variables[name];
    const text = given[name];
    const result = text === undefined ? undefined : variable.schema.safeParse(text);
    if (result === undefined || result.success) return [];
    const entry = result.error.issues[0]?.path[0];
    const where = typeof entry === 'number' ? ` (entry ${entry + 1})` : '';
    return [{ name, what: `is not right${where}` }];
  });

/** Which variables need which others. */
const missing = (given: Given): Problem[] => {
  const chat = CHAT_VARIABLES.some((name) => given[name] !== undefined);
  const baseUrl = given.PAYMENTS_BASE_URL;
  const slackTransport = given.SLACK_APP_TOKEN ?? given.SLACK_SIGNING_SECRET;
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
      when: slackTransport !== undefined,
      needs: ['SLACK_BOT_TOKEN'],
      because: 'and the other Slack settings do nothing without it',
    },
    {
      when: given.SLACK_BOT_TOKEN !== undefined && slackTransport === undefined,
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
      when: given.TELEGRAM_WEBHOOK_SECRET !== undefined,
      needs: ['TELEGRAM_BOT_TOKEN', 'PUBLIC_URL'],
      because: "and Telegram's webhook needs it",
    },
  ];
  return rules
    .filter((rule) => rule.when)
    .flatMap(({ needs, because }) =>
      needs
        .filter((name) => given[name] === undefined)
        .map((name) => ({ name, what: 'is not set', because })),
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
const unsafe = (given: Given): Problem[] => {
  const { PUBLIC_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = given;
  return secret !== undefined && url !== undefined && URL.canParse(url) && !isSafe(url)
    ? [{ name: 'PUBLIC_URL', what: 'is not https', because: "and Telegram's webhook needs that" }]
    : [];
};
