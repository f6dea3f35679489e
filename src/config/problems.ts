import { platforms } from '../bots/all-platforms.ts';
import type { ChatPlatform, Need } from '../bots/platform.ts';
import { looksSecret, maskerFor } from '../core/runtime/masking.ts';
import { parseMoney } from '../core/values/money.ts';
import type { YamlReading } from '../core/values/yaml-text.ts';
import { isSafe } from './formats.ts';
import { paymentVariables } from './payment-variables.ts';
import { type FileSecrets, fileVariable } from './setting-files.ts';
import { type Name, names, variables } from './variables.ts';

export type Given = { readonly [N in Name]?: string };

/** One variable that is not right. */
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
  /** What it is set to, where that can be shown. */
  readonly found?: string | undefined;
};

type IsSet = (name: string) => boolean;

/** Everything that is wrong, in the order of docs/settings.md; each variable once. */
export const findProblems = (
  given: Given,
  files: FileSecrets,
  merchants: YamlReading<unknown>,
): Problem[] => {
  // A file that cannot be read is trouble enough: what it was named for is meant to be set.
  const isSet: IsSet = (name) =>
    given[name as Name] !== undefined || files[name as Name] !== undefined;
  const found = [
    ...fileProblems(files),
    ...unreadable(given, files),
    ...merchantProblems(merchants),
    ...missing(given, isSet),
    ...unsafe(given, isSet),
    ...otherMoney(given),
  ];
  const showable = valuesToShow(given);
  return names.flatMap((name) => {
    const problem = found.find((each) => each.name === name);
    if (problem === undefined) return [];
    return { ...problem, found: problem.called === undefined ? showable(name) : undefined };
  });
};

export const describeProblems = (problems: readonly Problem[]): string =>
  [
    problems.length === 1
      ? 'Paythread cannot start: one setting is not right.'
      : `Paythread cannot start: ${problems.length} settings are not right.`,
    ...problems.map(describe),
    'Settings come from the environment and from .env; .env.example explains every one.',
  ].join('\n\n');

const describe = ({ name, called, what, because, remedy, command, found }: Problem): string => {
  const { expected, example } = variables[name];
  return [
    `  ${called ?? name} ${what}${because === undefined ? '' : `, ${because}`}.`,
    ...(found === undefined ? [] : [`    Found:    ${found}`]),
    `    Expected: ${remedy?.expected ?? expected}.`,
    command === undefined
      ? `    Example:  ${remedy?.example ?? `${name}=${example}`}`
      : `    Type:     ${command}`,
  ].join('\n');
};

/** A word, a list, a number, a time of day: keys and tokens are longer, and addresses have other signs. */
const SHORT = /^(?:[^\p{Cc}@:/?#=&]{1,12}|\d{1,2}:\d{1,2})$/u;
/** A host or a path of small letters alone: a key or token in it would have digits or capitals. Or the name of a zone. */
const PLAIN_NAME =
  /^(?:[a-z-]*(?:[./][a-z-]+)+\/?|[A-Z][A-Za-z_-]{1,19}(?:\/[A-Z][A-Za-z_-]{1,19}){1,2})$/;
/** An address has neither a query nor a colon in its path: a token may be behind them. */
const PLAIN_ADDRESS = /^[a-z]+:\/\/(?:\[secret\]@)?[a-z\d.-]+(?::\d{1,5})?(?:\/[\w.~-]*)*$/i;
const CONVERSATIONS = new RegExp(
  `^(?:(?:${platforms.map(({ name }) => name).join('|')}):[@-]?\\w{1,20}(?:, *|$))+$`,
);

/** Whether this is no secret for certain. */
const isPlain = (text: string): boolean =>
  [SHORT, PLAIN_NAME, PLAIN_ADDRESS, CONVERSATIONS].some((plain) => plain.test(text)) &&
  !text.split(/[/.]/).some(looksSecret);

/** What a variable is set to, where that is no secret for certain: one may have been pasted one line too low. */
const valuesToShow = (given: Given): ((name: Name) => string | undefined) => {
  const mask = maskerFor(
    names.flatMap((name) => (variables[name].secret ? (given[name] ?? []) : [])),
  );
  return (name) => {
    const text = given[name]?.replace(/\/\/[^/@]*@/, '//[secret]@') ?? '';
    return !variables[name].secret && isPlain(text) ? String(mask(text)) : undefined;
  };
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

const merchantProblems = (merchants: YamlReading<unknown>): Problem[] =>
  merchants.ok
    ? []
    : [
        {
          name: 'MERCHANTS_FILE',
          what: `is the name of a file that is not right:\n${merchants.problems
            .map((line) => `    ${line}`)
            .join('\n')
            .replace(/\.$/, '')}`,
          remedy: { expected: MERCHANTS_EXPECTED, example: 'merchants.example.yml' },
        },
      ];

const MERCHANTS_EXPECTED = 'a YAML file with merchants, without these mistakes';
const EXPECTED_FILE =
  'a file of 16 KiB at most that holds the secret alone, and that its owner alone may open';

const unreadable = (given: Given, files: FileSecrets): Problem[] =>
  names.flatMap((name) => {
    const variable = variables[name];
    const text = given[name];
    const result = text === undefined ? undefined : variable.schema.safeParse(text);
    if (result === undefined || result.success) return [];
    const entry = result.error.issues[0]?.path[0];
    const where = typeof entry === 'number' ? ` (entry ${entry + 1})` : '';
    const source = files[name] === undefined ? '' : `, as ${fileVariable(name)} has it`;
    return [{ name, what: `is not right${where}${source}` }];
  });

const missing = (given: Given, isSet: IsSet): Problem[] => {
  // Even half a chat platform shows that one is meant.
  const chat = platforms.some(({ signs }) => signs.some(isSet));
  const baseUrl = given.PAYMENTS_BASE_URL;
  const rules: readonly Need[] = [
    {
      when: chat,
      needs: ['PAYMENTS_BASE_URL'],
      because: 'and with a chat platform configured it has no default',
    },
    {
      when: baseUrl !== undefined && baseUrl !== 'sandbox',
      needs: ['PUBLIC_URL', ...(isSet('MERCHANTS_FILE') ? [] : NEEDED_OF_ONE)],
      because: 'and payments go to a real service',
    },
    {
      when: isSet('METRICS_HOST'),
      needs: ['METRICS_PORT'],
      because: 'and METRICS_HOST gives /metrics an address of its own',
    },
    ...platforms.flatMap((platform) => platformNeeds(platform, given, isSet)),
  ];
  return rules
    .filter((rule) => rule.when)
    .flatMap(({ needs, because }) =>
      needs
        .filter((name) => !isSet(name))
        .map((name) => ({ name: name as Name, what: 'is not set', because })),
    );
};

/** What a platform needs by itself, and because a conversation of it is named. */
const platformNeeds = (
  { name, title, token, needs }: ChatPlatform,
  given: Given,
  isSet: IsSet,
): readonly Need[] => [
  ...needs(isSet),
  ...(['OPERATORS', 'DIGEST'] as const).map((setting) => ({
    when: new RegExp(`\\b${name}:`).test(given[setting] ?? ''),
    needs: [token ?? []].flat(),
    because: `and ${setting} names a conversation in ${title}`,
  })),
];

/** Several merchants have these in their file. */
const NEEDED_OF_ONE = [
  'PAYMENTS_CLIENT_KEY',
  'PAYMENTS_SECRET_KEY',
  'PAYMENTS_SERVICE_ID',
  'PAYMENTS_NICKNAME',
] as const;

/** The service names no currency with its balances, so they are taken for amounts of the default one. */
const otherMoney = ({ ALERT_PAYOUT_BELOW: text, DEFAULT_CURRENCY }: Given): Problem[] => {
  const currency = (DEFAULT_CURRENCY ?? paymentVariables.DEFAULT_CURRENCY.default).toUpperCase();
  const read = text === undefined ? undefined : parseMoney(text, currency);
  return read === undefined || (read.ok && read.value.currency === currency)
    ? []
    : [{ name: 'ALERT_PAYOUT_BELOW', what: 'is not right' }];
};

/** An address that a platform calls has to be https; one of this machine is a test. */
const unsafe = (given: Given, isSet: IsSet): Problem[] =>
  platforms
    .flatMap((platform: ChatPlatform) => platform.needs(isSet))
    .flatMap(({ when, https: name, because }) => {
      const url = name && given[name];
      return when && name !== undefined && url !== undefined && URL.canParse(url) && !isSafe(url)
        ? [{ name, what: 'is not https', because }]
        : [];
    });
