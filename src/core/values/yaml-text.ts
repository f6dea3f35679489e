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
      problems: mistakes.map(
        ({ pos, message }) => `line ${lines.linePos(pos[0]).line}: ${message}`,
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
  const message = 'A name has letters, digits, - and _, and begins with a letter.';
  for (const name of names) if (!NAME.test(name)) context.addIssue(mistakeAt([name], message));
};

export const mistakeAt = (path: (string | number)[], message: string) =>
  ({ code: 'custom', path, message }) as const;

/** The message of a schema for a value of another kind. */
export const expected = (what: string) => ({ error: `Expected ${what}.` });

/** The message of a strict object; `known` lists its keys. */
export const objectError =
  (known: string) =>
  (issue: z.core.$ZodRawIssue): string =>
    issue.code === 'unrecognized_keys'
      ? `There is nothing called ${issue.keys.map((key) => `"${key}"`).join(', ')} here, only ${known}.`
      : `Expected ${known}.`;

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
