import { readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

/** Words in a source file that a person may read. */
export type Words = { readonly path: string; readonly text: string };

type Node = { readonly type: string; readonly [field: string]: unknown };

const MODULES = new Set(['ImportDeclaration', 'ImportExpression', 'ExportAllDeclaration']);

/** The string and template literals of a file that are made of words, codes in capitals or with `_` left out, with `…` for what is filled in. */
export const wordsIn = (path: string, source = readFileSync(path, 'utf8')): Words[] =>
  inWords(path, textsUnder(parseAst(source, { lang: 'ts' }).body));

/** Those of a file's `new StartError(…)`, which the shell prints. */
export const startErrorsIn = (path: string, source = readFileSync(path, 'utf8')): Words[] =>
  inWords(path, startErrorsUnder(parseAst(source, { lang: 'ts' }).body));

const inWords = (path: string, texts: readonly string[]): Words[] =>
  texts
    .filter((text) => /\p{L} +\p{L}/u.test(text) && /\p{Ll}/u.test(text))
    .filter((text) => !CODES.test(text))
    .map((text) => ({ path, text }));

/** Nothing but codes of another program, such as `not_in_channel`. */
const CODES = /^(?=[^_]*_)[a-z_\s]+$/;

const textsUnder = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsUnder);
  if (!isNode(value) || MODULES.has(value.type) || value.type.startsWith('TSType')) return [];
  if (isForEngineers(value)) return [];
  return [...textsOf(value), ...Object.values(value).flatMap(textsUnder)];
};

const startErrorsUnder = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(startErrorsUnder);
  if (!isNode(value)) return [];
  return isNode(value['callee']) && nameOf(value['callee']) === 'StartError'
    ? textsUnder(value['arguments'])
    : Object.values(value).flatMap(startErrorsUnder);
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const textsOf = (node: Node): string[] => {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : [];
  if (node.type !== 'TemplateLiteral') return [];
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return [quasis.map(({ value }) => value.cooked).join('…')];
};

/** What goes into the log or an exception: `this.#log.info(…)`, `logRefusal(log, …)`, `new RangeError(…)`. */
const isForEngineers = (node: Node): boolean => {
  const { callee } = node;
  if (!isNode(callee)) return false;
  if (node.type === 'NewExpression') return /Error$/.test(nameOf(callee));
  return (
    nameOf(callee) === 'logRefusal' ||
    (isNode(callee['object']) && /^#?log$/.test(nameOf(callee['object'])))
  );
};

/** Of a name, or of the last part of a path such as `this.#log`. */
const nameOf = (node: Node): string => {
  const last = isNode(node['property']) ? node['property'] : node;
  const name = last['name'];
  return `${last.type === 'PrivateIdentifier' ? '#' : ''}${typeof name === 'string' ? name : ''}`;
};

/** The single sentences of a text. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.?!:])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** How many words a sentence has; what is filled in counts as one. */
export const wordCount = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}…]/u.test(word)).length;
