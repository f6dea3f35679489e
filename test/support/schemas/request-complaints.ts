import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

export type Json = Readonly<Record<string, unknown>>;
export type Platform = 'slack' | 'telegram';

/** As `npm run schemas` makes them. */
export type Schemas = {
  /** Packages and their versions. */
  readonly madeFrom: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, Json>>;
  readonly definitions: Readonly<Record<string, Json>>;
};

export const schemasOf = (platform: Platform): Schemas =>
  JSON.parse(readFileSync(new URL(`${platform}.json`, import.meta.url), 'utf8')) as Schemas;

/** What a platform documents and its library's types lack. */
const DOCUMENTED_ONLY: Readonly<Record<string, readonly string[]>> = {
  // https://docs.slack.dev/reference/methods/files.getUploadURLExternal; the SDK (8.2) has `alt_text` alone.
  'files.getUploadURLExternal': ['alt_txt'],
};

/** A form has text alone: how these arguments are read from it. */
const FROM_FORM: Readonly<Record<string, (text: string) => unknown>> = {
  ...{ files: JSON.parse, reply_parameters: JSON.parse, reply_markup: JSON.parse },
  include_all_metadata: JSON.parse,
  ...{ unfurl_links: JSON.parse, unfurl_media: JSON.parse, include_locale: JSON.parse },
  ...{ limit: Number, length: Number, message_thread_id: Number },
};

// Compiling costs more than all checks of a process: no time goes into making them faster.
const ajv = new Ajv({
  ...{ strict: false, discriminator: true, validateSchema: false },
  ...{ inlineRefs: false, code: { optimize: false } },
});
/** Compiled when first asked for: most processes ask for a few. */
const checks = new Map<string, ValidateFunction>();

const checkOf = (platform: Platform, method: string): ValidateFunction | undefined => {
  if (ajv.getSchema(platform) === undefined) ajv.addSchema(schemasOf(platform), platform);
  const key = `${platform}#/requests/${method}`;
  const check = checks.get(key) ?? ajv.getSchema(key);
  if (check !== undefined) checks.set(key, check);
  return check;
};

/** What is wrong with a request by the platform's own types, which refuse an unknown field too. */
export const requestComplaints = (
  platform: Platform,
  method: string,
  args: Readonly<Record<string, unknown>>,
): string[] => {
  const check = checkOf(platform, method);
  if (check === undefined) return ['has no schema: name it in methods.ts'];
  const asked = Object.entries(args)
    .filter(([name]) => DOCUMENTED_ONLY[method]?.includes(name) !== true)
    .map(([name, value]) => [
      name,
      typeof value === 'string' ? (FROM_FORM[name]?.(value) ?? value) : value,
    ]);
  return check(Object.fromEntries(asked)) ? [] : deepest(check.errors ?? []);
};

/** Of several forms that a value may have, the one that it came nearest to. */
const deepest = (errors: readonly ErrorObject[]): string[] => {
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
  const most = Math.max(...errors.map(depth));
  const told = errors.filter((error) => depth(error) === most).map(textOf);
  return [...new Set(told)].slice(0, 3);
};

const textOf = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`;
