import { parseEnv } from 'node:util';
import { platforms } from '../bots/all-platforms.ts';
import type { ChatPlatform, ConfiguredChat } from '../bots/platform.ts';
import type { Merchant } from '../core/records/merchants.ts';
import type { SealSecrets } from '../core/records/seals.ts';
import { defined } from '../core/runtime/defined.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { maskNumbersOf } from '../core/runtime/masking.ts';
import { parseMoney } from '../core/values/money.ts';
import { EXAMPLE_TEMPLATES } from './example-templates.ts';
import { CONTAINER_SECRETS } from './file-rights.ts';
import { type Account, type MerchantEntry, readMerchantsFile } from './merchants-file.ts';
import { describeProblems, findProblems, type Given } from './problems.ts';
import { readEnvFile, readSecretFiles } from './setting-files.ts';
import { type Name, names, type Values, variables } from './variables.ts';
import { warningsFrom } from './warnings.ts';

/** Everything that can be set, grouped by the part that uses it; `undefined` where it is not set. */
export type Config = ReturnType<typeof configFrom> & {
  /** Settings that look like a slip: each a sentence for the log. */
  readonly warnings: readonly string[];
};

export type SettingsSource = {
  readonly env: NodeJS.ProcessEnv;
  /** The folder whose `.env` is read. */
  readonly folder: string;
};

/** The shop in templates while payments go to the sandbox and it has no name. */
const SANDBOX_SHOP = 'Sandbox Shop';
/** Without a sender no SMS could be tried. */
const SANDBOX_SENDER = 'SHOP';

const ofThisProcess = (): SettingsSource => ({ env: process.env, folder: '.' });

/** What an environment, the `.env` of a folder and the files that they name say. */
export const loadConfig = ({ env, folder }: SettingsSource = ofThisProcess()): Config => {
  const { text, warnings } = readEnvFile(folder);
  const config = readConfig(env, text);
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
  const given: Given = defined(
    Object.fromEntries(names.map((name) => [name, all[name] ?? textOf(name)])),
  );
  const merchants = readMerchantsFile(given.MERCHANTS_FILE, handedIn);
  const problems = findProblems(given, files, merchants);
  if (problems.length > 0) throw new StartError(describeProblems(problems), EX_CONFIG);
  const values = readValues(given);
  maskNumbersOf(values.DEFAULT_COUNTRY);
  return {
    ...configFrom(values, given, merchants.ok ? merchants.value : []),
    warnings: warningsFrom(values, given, Object.keys(all), isSandbox(values)),
  };
};

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

const configFrom = (values: Values, given: Given, entries: readonly MerchantEntry[]) => ({
  payments: paymentsFrom(values, entries),
  /** Empty: there is one, which needs no name. */
  merchants: entries.map(({ merchant }) => withSenders(merchant, ownSenders(values))),
  gateway: {
    timeoutMs: values.PAYMENTS_TIMEOUT,
    requestsPerSecond: values.PAYMENTS_RATE,
    sendCurrencyVal: values.PAYMENTS_SEND_CURRENCY_VAL,
    numberFormat: values.CUSTOMER_NUMBER_FORMAT,
  },
  sms: {
    /** The default sender first, with those of merchants; empty: SMS is off. */
    senderIds: allSenders(values, entries),
    templatesFile: values.TEMPLATES_FILE,
    /** What counts where that file is absent. */
    templatesWithoutFile: isTrial(values) ? EXAMPLE_TEMPLATES : '',
    receipt: values.RECEIPT,
    /** The `{shop}` of templates: what the payer sees as well. */
    shop: values.PAYMENTS_NICKNAME ?? SANDBOX_SHOP,
  },
  currency: values.DEFAULT_CURRENCY,
  country: values.DEFAULT_COUNTRY,
  timeZone: values.TIME_ZONE,
  /** The chat platforms that are configured; without any, the local one. */
  chats: chatsFrom(values),
  /** Where platforms tell whether they take a card, whether they are configured or not. */
  cardChecks: platforms.flatMap((platform: ChatPlatform) => {
    const address = platform.cardsAt?.(values);
    return address === undefined ? [] : [{ platform, address }];
  }),
  listener: listenerFrom(values, given),
  /** The first signs, all verify. Undefined: one is made and kept in the store. */
  callbackSecrets: values.CALLBACK_SECRET,
  dataDir: values.DATA_DIR,
  /** PostgreSQL instead of the embedded store. */
  databaseUrl: values.DATABASE_URL,
  /** Payments that ended longer ago lose number and name. Undefined: nothing is erased by itself. */
  retainMs: values.RETAIN,
  /** Key of the pseudonyms. Undefined: one is made and kept in the store. */
  pseudonymSecret: values.PSEUDONYM_SECRET,
  accessFile: values.ACCESS_FILE,
  /** Where alerts go; empty: into the log only. */
  operators: values.OPERATORS ?? [],
  /** Where and when the day is summed up; without a place: nowhere. */
  digest: { places: values.DIGEST ?? [], atMinutes: values.DIGEST_AT },
  /** Below which balances the operators are told. */
  alertBelow: defined({ sms: values.ALERT_SMS_BELOW, payout: payoutLimitFrom(values) }),
  checks: { scheduleMs: values.STATUS_CHECK_SCHEDULE, giveUpMs: values.STATUS_CHECK_GIVE_UP },
  confirmWithinMs: values.CONFIRM_WITHIN,
  logLevel: values.LOG_LEVEL,
  /** Texts that the log and every message mask. */
  secrets: secretsOf(values, given, entries),
});

const listenerFrom = (values: Values, given: Given) => ({
  host: values.HOST,
  port: values.PORT,
  /** `false`: the port is only the default. */
  portChosen: given.PORT !== undefined,
  /** Without a slash at its end. Undefined: `http://localhost` and the port that was had. */
  publicUrl: values.PUBLIC_URL,
  /** Their `X-Forwarded-For` is believed. Undefined: no one's is. */
  proxies: values.TRUST_PROXY,
  /** Where callbacks may come from. Undefined: anywhere. */
  callbackAllow: values.CALLBACK_ALLOW,
  /** The listener of `/metrics` alone. Undefined: it is shown with the other routes. */
  metrics:
    values.METRICS_PORT === undefined
      ? undefined
      : { host: values.METRICS_HOST ?? values.HOST, port: values.METRICS_PORT },
});

/** `findProblems` refuses to start with anything but an amount. */
const payoutLimitFrom = ({ ALERT_PAYOUT_BELOW: text, DEFAULT_CURRENCY }: Values) => {
  const read = text === undefined ? undefined : parseMoney(text, DEFAULT_CURRENCY);
  return read?.ok ? read.value : undefined;
};

/** In the terminal with the sandbox, where people try what there is. */
const isTrial = (values: Values): boolean =>
  isSandbox(values) && chatsFrom(values).every(({ platform }) => platform.isLocal);

const isSandbox = ({ PAYMENTS_BASE_URL: address = 'sandbox' }: Values): boolean =>
  address === 'sandbox';

const ownSenders = (values: Values): readonly string[] =>
  values.SMS_SENDER_ID ?? (isTrial(values) ? [SANDBOX_SENDER] : []);

const allSenders = (values: Values, entries: readonly MerchantEntry[]): readonly string[] => {
  const own = ownSenders(values);
  const ofMerchants = new Set(entries.flatMap(({ merchant }) => merchant.senderIds));
  return [...own, ...[...ofMerchants].filter((id) => !own.includes(id))];
};

const withSenders = (merchant: Merchant, senderIds: readonly string[]): Merchant =>
  merchant.senderIds.length > 0 ? merchant : { ...merchant, senderIds };

const paymentsFrom = (values: Values, entries: readonly MerchantEntry[]) => {
  const baseUrl = values.PAYMENTS_BASE_URL;
  if (baseUrl === undefined || isSandbox(values)) return { kind: 'sandbox' } as const;
  const own = ownAccount(values);
  const accounts = [...(own === undefined ? [] : [own]), ...entries.map(({ account }) => account)];
  const [first] = accounts;
  // `findProblems` refuses to start without it.
  if (first === undefined) throw new Error('A required setting is missing and was not noticed.');
  return {
    kind: 'service',
    /** Without a slash at its end. */
    baseUrl,
    accounts,
    /** What drafts and confirmations are sealed with. */
    sealSecret: sealSecretsFrom(values, first.secretKey),
  } as const;
};

/** What was sealed with the key of the payment service, before there was a secret for it, goes on counting. */
const sealSecretsFrom = ({ SEAL_SECRET: own }: Values, key: string): SealSecrets =>
  own === undefined ? key : [own, key];

/** That of the variables; with a file of merchants it serves what was begun before there was one. */
const ownAccount = (values: Values): Account | undefined => {
  const { PAYMENTS_CLIENT_KEY: clientKey, PAYMENTS_SECRET_KEY: secretKey } = values;
  const { PAYMENTS_SERVICE_ID: serviceId, PAYMENTS_NICKNAME: nickname } = values;
  return clientKey === undefined ||
    secretKey === undefined ||
    serviceId === undefined ||
    nickname === undefined
    ? undefined
    : { clientKey, secretKey, serviceId, nickname };
};

const chatsFrom = (values: Values): ConfiguredChat[] => {
  const configured = platforms.flatMap((platform: ChatPlatform): ConfiguredChat[] => {
    const settings = platform.settingsFrom(values);
    return settings === undefined ? [] : [{ platform, settings }];
  });
  const remote = configured.filter(({ platform }) => !platform.isLocal);
  return remote.length > 0 ? remote : configured;
};

const secretsOf = (values: Values, given: Given, entries: readonly MerchantEntry[]): string[] => {
  const single = names.flatMap((name) => {
    const variable = variables[name];
    return variable.secret ? (given[name] ?? []) : [];
  });
  const { PAYMENTS_CLIENT_KEY: clientKey, PAYMENTS_SECRET_KEY: secretKey } = values;
  const own = clientKey === undefined || secretKey === undefined ? [] : [{ clientKey, secretKey }];
  const keys = [...own, ...entries.map(({ account }) => account)].flatMap((pair) => [
    pair.clientKey,
    pair.secretKey,
    // As the two travel: base64 would hide them from a search for either.
    Buffer.from(`${pair.clientKey}:${pair.secretKey}`).toString('base64'),
  ]);
  const passwords = passwordsIn(values.DATABASE_URL);
  return [...new Set([...single, ...(values.CALLBACK_SECRET ?? []), ...keys, ...passwords])];
};

/** As written in the address, and decoded. */
const passwordsIn = (address: string | undefined): string[] => {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return [];
  const before = url.password === '' ? [] : [url.password, decodeURIComponent(url.password)];
  return [...before, ...url.searchParams.getAll('password')].filter((text) => text !== '');
};
