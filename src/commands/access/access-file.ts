import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { accessSchema, type Reading, type Role } from './access-schema.ts';

/** Rules, or what is wrong with the file: one line each, with its place. */
export type AccessFile =
  | { readonly ok: true; readonly roles: readonly Role[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the text of an access file. */
export const readAccessFile = (text: string, reading: Reading): AccessFile => {
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
  const read = accessSchema(reading).safeParse(contentOf(document));
  if (read.success) return { ok: true, roles: read.data };
  const problems = read.error.issues.map((issue) => describe(issue, document, lines));
  return { ok: false, problems };
};

const contentOf = (document: Document): unknown => {
  try {
    return document.toJS();
  } catch {
    // Aliases that multiply without end; what is left is no access file.
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
