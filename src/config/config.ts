import { parseEnv } from 'node:util';
import { platforms } from '../bots/all-platforms.ts';
import type { ChatPlatform, ConfiguredChat } from '../bots/platform.ts';
import { type AddressRange, AddressSet } from '../core/http/address-range.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { readEnvFile } from './env-file.ts';
import { CONTAINER_SECRETS } from './file-rights.ts';
import { isSafe, isSafeDatabase } from './formats.ts';
import { describeProblems, findProblems, type Given } from './problems.ts';
import { fileVariables, readSecretFiles } from './secret-files.ts';
import type { Variables } from './variable.ts';
import { type Name, names, type Values, variables } from './variables.ts';

/** Everything that can be set, grouped by the part that uses it. */
export type Config = {
  readonly payments:
    | { readonly kind: 'sandbox' }
    | {
        readonly kind: 'service';
        /** Without a slash at its end. */
        readonly baseUrl: string;
        readonly clientKey: string;
        readonly secretKey: string;
        readonly serviceId: number;
        readonly nickname: string;
      };
  readonly gateway: {
    readonly timeoutMs: number;
    readonly requestsPerSecond: number;
    readonly sendCurrencyVal: 'never' | 'amount' | 'one';
    readonly numberFormat: 'national' | 'e164' | 'msisdn';
  };
  /** The default sender first; empty: SMS is off. */
  readonly sms: { readonly senderIds: readonly string[] };
  readonly currency: string;
  readonly country: string;
  readonly timeZone: string;
  /** The chat platforms that are configured; without any, the local one. */
  readonly chats: readonly ConfiguredChat[];
  readonly listener: {
    readonly host: string;
    readonly port: number;
    /** `false`: nobody asked for this port, it is only the default. */
    readonly portChosen: boolean;
    /** Without a slash at its end. Absent: `http://localhost` and the port that was had. */
    readonly publicUrl?: string;
    /** Whose `X-Forwarded-For` is believed. Absent: nobody's. */
    readonly proxies?: readonly AddressRange[];
    /** Where callbacks may come from. Absent: anywhere. */
    readonly callbackAllow?: readonly AddressRange[];
    /** Where `/metrics` is shown, and nothing else. Absent: where everything else is. */
    readonly metrics?: { readonly host: string; readonly port: number };
  };
  /** The first signs, all verify. Absent: one is made and kept in the store. */
  readonly callbackSecrets?: readonly string[];
  readonly dataDir: string;
  /** Present: PostgreSQL instead of the embedded store. */
  readonly databaseUrl?: string;
  /** Payments that ended longer ago lose number and name. Absent: nothing is erased by itself. */
  readonly retainMs?: number;
  /** What pseudonyms are made with. Absent: a key is made and kept in the store. */
  readonly pseudonymSecret?: string;
  readonly accessFile: string;
  /** Where alerts go. */
  readonly operators: readonly { readonly platform: string; readonly channel: string }[];
  readonly checks: { readonly scheduleMs: readonly number[]; readonly giveUpMs: number };
  readonly confirmWithinMs: number;
  /** Where traces are sent, without a slash at its end. Absent: nothing is traced. */
  readonly tracesEndpoint?: string;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Texts that must never come out of the program, for the log. */
  readonly secrets: readonly string[];
  /** Settings that look like a slip: each a sentence for the log. */
  readonly warnings: readonly string[];
};

/** The configuration of this process: its environment, `.env` in the working directory, and the files they name. */
export const loadConfig = (): Config => {
  const { text, warnings } = readEnvFile();
  const config = readConfig(process.env, text);
  return { ...config, warnings: [...config.warnings, ...warnings] };
};

/**
 * What an environment and the text of a `.env` file say; the environment wins.
 * @throws {StartError} with exit code 78, naming every variable that is not right.
 */
export const readConfig = (env: NodeJS.ProcessEnv, envFileText = ''): Config => {
  const all = { ...withoutEmpty(parseEnv(envFileText)), ...withoutEmpty(env) };
  // The second is set by systemd, where it hands credentials to a unit.
  const handedIn = [CONTAINER_SECRETS, env['CREDENTIALS_DIRECTORY'] ?? []].flat();
  const files = readSecretFiles(all, handedIn);
  const textOf = (name: Name) => (files[name]?.ok ? files[name].text : undefined);
  const given: Given = Object.fromEntries(
    names.flatMap((name) => entryOf(name, all[name] ?? textOf(name))),
  );
  const problems = findProblems(given, files);
  if (problems.length > 0) throw new StartError(describeProblems(problems), EX_CONFIG);
  const values = readValues(given);
  return { ...configFrom(values, given), warnings: warningsFrom(values, given, Object.keys(all)) };
};

const entryOf = (name: Name, text: string | undefined) =>
  text === undefined ? [] : [[name, text] as const];

/** An empty value counts as unset: that is how `.env` files and compose files leave something out. */
const withoutEmpty = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const text = value?.trim() ?? '';
      return text === '' ? [] : [[name, text]];
    }),
  );

/** Only after `findProblems` found none, so nothing fails here. */
const readValues = (given: Given): Values => {
  const read = (name: Name): unknown => {
    const variable = variables[name];
    const text = given[name] ?? variable.default;
    return text === undefined ? undefined : variable.schema.parse(text);
  };
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Values;
};

const configFrom = (values: Values, given: Given): Omit<Config, 'warnings'> => ({
  payments: paymentsFrom(values),
  gateway: {
    timeoutMs: values.PAYMENTS_TIMEOUT,
    requestsPerSecond: values.PAYMENTS_RATE,
    sendCurrencyVal: values.PAYMENTS_SEND_CURRENCY_VAL,
    numberFormat: values.CUSTOMER_NUMBER_FORMAT,
  },
  sms: { senderIds: values.SMS_SENDER_ID ?? [] },
  currency: values.DEFAULT_CURRENCY,
  country: values.DEFAULT_COUNTRY,
  timeZone: values.TIME_ZONE,
  chats: chatsFrom(values),
  listener: {
    host: values.HOST,
    port: values.PORT,
    portChosen: given.PORT !== undefined,
    ...(values.PUBLIC_URL === undefined ? {} : { publicUrl: values.PUBLIC_URL }),
    ...(values.TRUST_PROXY === undefined ? {} : { proxies: values.TRUST_PROXY }),
    ...(values.CALLBACK_ALLOW === undefined ? {} : { callbackAllow: values.CALLBACK_ALLOW }),
    ...(values.METRICS_PORT === undefined
      ? {}
      : { metrics: { host: values.METRICS_HOST ?? values.HOST, port: values.METRICS_PORT } }),
  },
  ...(values.CALLBACK_SECRET === undefined ? {} : { callbackSecrets: values.CALLBACK_SECRET }),
  dataDir: values.DATA_DIR,
  ...(values.DATABASE_URL === undefined ? {} : { databaseUrl: values.DATABASE_URL }),
  ...(values.RETAIN === undefined ? {} : { retainMs: values.RETAIN }),
  ...(values.PSEUDONYM_SECRET === undefined ? {} : { pseudonymSecret: values.PSEUDONYM_SECRET }),
  accessFile: values.ACCESS_FILE,
  operators: values.OPERATORS ?? [],
  checks: { scheduleMs: values.STATUS_CHECK_SCHEDULE, giveUpMs: values.STATUS_CHECK_GIVE_UP },
  confirmWithinMs: values.CONFIRM_WITHIN,
  logLevel: values.LOG_LEVEL,
  ...(values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? {}
    : { tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT }),
  secrets: secretsOf(values, given),
});

const paymentsFrom = (values: Values): Config['payments'] => {
  const baseUrl = values.PAYMENTS_BASE_URL;
  if (baseUrl === undefined || baseUrl === 'sandbox') return { kind: 'sandbox' };
  return {
    kind: 'service',
    baseUrl,
    clientKey: present(values.PAYMENTS_CLIENT_KEY),
    secretKey: present(values.PAYMENTS_SECRET_KEY),
    serviceId: present(values.PAYMENTS_SERVICE_ID),
    nickname: present(values.PAYMENTS_NICKNAME),
  };
};

const chatsFrom = (values: Values): Config['chats'] => {
  const configured = platforms.flatMap((platform: ChatPlatform): ConfiguredChat[] => {
    const settings = platform.settingsFrom(values);
    return settings === undefined ? [] : [{ platform, settings }];
  });
  const remote = configured.filter(({ platform }) => !platform.isLocal);
  return remote.length > 0 ? remote : configured;
};

/** `findProblems` refuses to start without it. */
const present = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('A required setting is missing and was not noticed.');
  return value;
};

const secretsOf = (values: Values, given: Given): string[] => {
  const single = names.flatMap((name) => {
    const variable = variables[name];
    return variable.secret ? (given[name] ?? []) : [];
  });
  const { PAYMENTS_CLIENT_KEY: clientKey, PAYMENTS_SECRET_KEY: secretKey } = values;
  // As the two keys travel: base64 would hide them from a search for either.
  const basic =
    clientKey === undefined || secretKey === undefined
      ? []
      : [Buffer.from(`${clientKey}:${secretKey}`).toString('base64')];
  const passwords = passwordsIn(values.DATABASE_URL);
  return [...new Set([...single, ...(values.CALLBACK_SECRET ?? []), ...basic, ...passwords])];
};

/** As they stand in the address, and as the server knows them. */
const passwordsIn = (address: string | undefined): string[] => {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return [];
  const before = url.password === '' ? [] : [url.password, decodeURIComponent(url.password)];
  return [...before, ...url.searchParams.getAll('password')].filter((text) => text !== '');
};

const PLATFORM_PREFIXES = platforms
  .filter(({ token }) => token !== undefined)
  .map(({ name }) => name.toUpperCase());

const OUR_PREFIXES = new RegExp(
  `^(${['PAYMENTS', ...PLATFORM_PREFIXES, 'STATUS_CHECK'].join('|')})_`,
);

const warningsFrom = (values: Values, given: Given, allNames: readonly string[]): string[] => {
  const unknown = allNames.filter(
    (name) => OUR_PREFIXES.test(name) && !(name in variables) && !fileVariables.has(name),
  );
  const sandbox = paymentsFrom(values).kind === 'sandbox';
  const unsafe = names.filter((name) => {
    const { mayBeHttp, default: held } = variables[name];
    const address = given[name] ?? held;
    return mayBeHttp === true && address !== undefined && !isSafe(address);
  });
  const { DATABASE_URL: database } = values;
  return [
    ...unknown.map((name) => `${name} is set, but there is no such setting. Is it misspelt?`),
    ...unsafe.map((name) => `${name} is not https: what travels there can be read on the way.`),
    ...(database === undefined || isSafeDatabase(database)
      ? []
      : [
          'DATABASE_URL names another host without TLS: what travels there can be read on the way. Add sslmode=verify-full to it.',
        ]),
    ...(sandbox && given.PAYMENTS_SECRET_KEY !== undefined
      ? ['PAYMENTS_SECRET_KEY is set, but payments go to the sandbox: no money moves.']
      : []),
    ...(sandbox && values.CALLBACK_ALLOW && !new AddressSet(values.CALLBACK_ALLOW).has('127.0.0.1')
      ? ['CALLBACK_ALLOW leaves out this machine: callbacks of the sandbox are turned away.']
      : []),
    ...platforms.flatMap(({ title, variables: own }) => unlikeTokens(given, title, own)),
  ];
};

const unlikeTokens = (given: Given, title: string, own: Variables): string[] =>
  Object.entries(own).flatMap(([name, { prefix = '' }]) =>
    (given[name as Name] ?? prefix).startsWith(prefix)
      ? []
      : [`${name} does not begin with ${prefix}, as ${title}'s tokens do.`],
  );
