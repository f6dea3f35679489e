import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  stringify,
} from 'yaml';
import type { z } from 'zod';
import { EX_CONFIG, StartError } from '../runtime/errors.ts';
import { looksSecret } from '../runtime/masking.ts';
import { nearestName } from './nearest-name.ts';
import { quoted } from './normalise-input.ts';

/** What a YAML text says, or its mistakes: one line each, with its place. */
export type YamlReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a YAML text through a schema. JSON is YAML. */
export const readYaml = <T>(text: string, schema: z.ZodType<T, unknown>): YamlReading<T> => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const mistakes = [...document.errors, ...document.warnings];
  if (mistakes.length > 0)
    return {
      ok: false,
      // Behind a colon are words of the file.
      problems: mistakes.map(
        ({ pos, message }) => `line ${lines.linePos(pos[0]).line}: ${message.split(': ', 1)}`,
      ),
    };
  const read = schema.safeParse(contentOf(document));
  if (read.success) return { ok: true, value: read.data };
  const problems = read.error.issues.map((issue) => describe(issue, document, lines));
  return { ok: false, problems };
};

/** Lines are never folded. */
export const yamlOf = (value: unknown): string => stringify(value, { lineWidth: 0 });

/** A file with mistakes stops the start. `file`: what it is, and its path. */
export const notRight = (file: string, problems: readonly string[]): StartError =>
  new StartError(
    `The ${file} is not right:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    EX_CONFIG,
  );

/** A name is written in commands, in reports and in columns of exports. */
const NAME = /^[a-z][a-z0-9_-]{0,29}$/i;

/** Says in a schema's refinement which of the names will not do. */
export const mustBeNames = (names: readonly string[], context: z.RefinementCtx): void => {
  const rule = 'A name begins with a letter and has letters, digits, - and _, at most 30';
  for (const name of names)
    if (!NAME.test(name)) context.addIssue(mistakeAt([name], `${rule}. Found ${quoted(name)}.`));
};

export const mistakeAt = (path: (string | number)[], message: string) =>
  ({ code: 'custom', path, message }) as const;

/** The message of a schema for a value of another kind, with what was found in its place. */
export const expected = (what: string) => ({
  error: ({ input }: Pick<z.core.$ZodRawIssue, 'input'>): string => expectedNot(what, input),
});

/** The same where the value may be a secret. */
export const expectedSecret = (what: string) => ({ error: `Expected ${what}.` });

export const expectedNot = (what: string, found: unknown): string =>
  `Expected ${what}. Found ${shown(found)}.`;

const shown = (found: unknown): string => {
  if (found === undefined || found === null || found === '') return 'nothing';
  if (Array.isArray(found)) return 'a list';
  if (typeof found === 'string')
    return looksSecret(found) ? 'what looks like a key' : quoted(found);
  return typeof found === 'object' ? Object.keys(found).map(quoted).join(', ') : String(found);
};

/** The message of a strict object; `known` lists its keys. */
export const objectError =
  (known: string) =>
  (issue: z.core.$ZodRawIssue): string => {
    if (issue.code !== 'unrecognized_keys') return expectedNot(known, issue.input);
    const [first = ''] = issue.keys;
    const names = known.split(/, | and /);
    return `There is nothing called ${issue.keys.map(quoted).join(', ')} here, only ${known}.${didYouMean(first, names)}`;
  };

/** A sentence to add, where a name was perhaps meant; else empty. */
export const didYouMean = (typed: string, names: readonly string[]): string => {
  const meant = nearestName(typed, names);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
};

/** `There is no role "slaes" under roles, only sales and finance. Did you mean sales?` */
export const unknownName = (
  kind: string,
  { name, section, known }: { name: string; section: string; known: readonly string[] },
): string => {
  const only = known.length === 0 ? '' : `, only ${new Intl.ListFormat('en-GB').format(known)}`;
  return `There is no ${kind} ${quoted(name)} under ${section}${only}.${didYouMean(name, known)}`;
};

const contentOf = (document: Document): unknown => {
  try {
    return document.toJS();
  } catch {
    // Aliases that multiply without end; no schema takes what is left.
    return undefined;
  }
};

const describe = (issue: z.core.$ZodIssue, document: Document, lines: LineCounter): string => {
  const at = offsetOf(issue, document);
  const path = issue.path.join('.');
  const place = [...(at === undefined ? [] : [`line ${lines.linePos(at).line}`]), path];
  return `${place.filter((part) => part !== '').join(', ') || 'the file'}: ${issue.message}`;
};

/** The place in the text; of a missing key, the nearest enclosing node. */
const offsetOf = (issue: z.core.$ZodIssue, document: Document): number | undefined => {
  const { path } = issue;
  const [unknownKey] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const key = unknownKey ?? path.at(-1);
  const around = document.getIn(unknownKey === undefined ? path.slice(0, -1) : path, true);
  if (isMap(around)) {
    const pair = around.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    if (isScalar(pair?.key)) return pair.key.range?.[0];
  }
  const found = document.getIn(path, true) ?? around;
  return isNode(found) ? found.range?.[0] : undefined;
};
