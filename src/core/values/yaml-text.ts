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
