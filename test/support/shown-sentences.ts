import { readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

/** Words in a source file that a person may read. */
export type Sentence = { readonly path: string; readonly text: string };

type Node = { readonly type: string; readonly [field: string]: unknown };

/** For the log and for the engineer who reads it, where ids and exact terms count more than plain words. */
const NOT_SHOWN = new Set(['ImportDeclaration', 'ImportExpression', 'ExportAllDeclaration']);

/** The string and template literals of a file that are made of words; `…` for what is filled in. */
export const sentencesIn = (path: string, text = readFileSync(path, 'utf8')): Sentence[] => {
  const found: Sentence[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isNode(value) || NOT_SHOWN.has(value.type) || value.type.startsWith('TSType')) return;
    if (isForTheLog(value)) return;
    const words = wordsOf(value);
    if (words !== undefined && /\p{L} +\p{L}/u.test(words)) found.push({ path, text: words });
    for (const field of Object.values(value)) visit(field);
  };
  visit(parseAst(text, { lang: 'ts' }).body);
  return found;
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const wordsOf = (node: Node): string | undefined => {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('…');
};

/** `log.warn(…)`, `this.#log.info(…)`, `new Error(…)`. */
const isForTheLog = (node: Node): boolean => {
  const { callee } = node;
  if (!isNode(callee)) return false;
  if (node.type === 'NewExpression') return /Error$/.test(nameOf(callee));
  return isNode(callee['object']) && /^(log|#log)$/.test(nameOf(callee['object']));
};

/** Of a name, or of the last part of a path such as `this.#log`. */
const nameOf = (node: Node): string => {
  const last = isNode(node['property']) ? node['property'] : node;
  const name = last['name'];
  if (typeof name !== 'string') return '';
  return last.type === 'PrivateIdentifier' ? `#${name}` : name;
};
