import { SegmentedMessage } from 'sms-segments-calculator';
import { cleanText, partsOf } from '../../core/sms/sms-parts.ts';

/** What a template may leave open, in curly brackets. */
export const FIELDS = ['amount', 'name', 'reference', 'shop', 'link', 'date'] as const;

export type TemplateField = (typeof FIELDS)[number];

/** The fields that are the same for every customer. */
export const FIELDS_OF_ALL: readonly TemplateField[] = ['shop', 'date'];

/** Values of fields; an absent one has none. */
export type FieldValues = Readonly<Partial<Record<TemplateField, string>>>;

export type Template = {
  readonly name: string;
  readonly text: string;
  /** A sender id of the settings; absent: the default one. */
  readonly from?: string;
};

/** By the name in lower case: phones capitalise the first letter that is typed. */
export type Templates = ReadonlyMap<string, Template>;

/** What is sent to customers beside plain SMS. */
export type TextSettings = {
  readonly templates: Templates;
  /** The receipt after `completed`: by a button, by itself, or not at all. */
  readonly receipt: 'never' | 'ask' | 'always';
  /** The value of `{shop}`. */
  readonly shop: string;
};

export const NO_TEXTS: TextSettings = { templates: new Map(), receipt: 'ask', shop: '' };

/** Longer names and references are cut: they come from others, and each SMS costs. */
const LONGEST_VALUE: Readonly<Record<TemplateField, number>> = {
  amount: 24,
  name: 40,
  reference: 60,
  shop: 60,
  link: 300,
  date: 20,
};

/** As long as values plausibly are; of the shop the settings know it. */
const PLAUSIBLE: FieldValues = {
  amount: 'GHS 999,999.99',
  name: 'N'.repeat(LONGEST_VALUE.name),
  reference: 'R'.repeat(LONGEST_VALUE.reference),
  link: `https://${'l'.repeat(112)}`,
  date: '30 Nov 2026',
};

const FIELD = /\{(\w+)\}/g;

const isField = (name: string): name is TemplateField =>
  (FIELDS as readonly string[]).includes(name);

export const fieldsIn = (text: string): TemplateField[] => [
  ...new Set([...text.matchAll(FIELD)].map(([, name = '']) => name).filter(isField)),
];

/** The first thing in brackets that is no field, or a bracket alone; undefined: the text is right. */
export const strangeField = (text: string): string | undefined => {
  const rest = text.replace(FIELD, (found, name: string) => (isField(name) ? '' : found));
  return /\{[^{}]*\}|[{}]/.exec(rest)?.[0];
};

/**
 * The text with its fields filled in; a field without a value is left out. All at once: a value that looks like a
 * field stays as it is. In a text of plain SMS letters a value is written in those too, because one other letter
 * more than doubles what the SMS costs.
 */
export const filledIn = ({ text }: Pick<Template, 'text'>, values: FieldValues): string => {
  const isPlain = othersThanGsm(text.replace(FIELD, '')).length === 0;
  return text
    .replace(FIELD, (found, name: string) => {
      if (!isField(name)) return found;
      const value = cleanValue(values[name] ?? '', LONGEST_VALUE[name]);
      return isPlain ? inPlainLetters(value) : value;
    })
    .replace(/ {2,}/g, ' ')
    .trim();
};

/** One line of visible characters, no longer than `longest`. */
const cleanValue = (value: string, longest: number): string => {
  const clean = cleanText(value).normalize('NFC').replace(/\s+/g, ' ').trim();
  return [...clean].slice(0, longest).join('').trimEnd();
};

const othersThanGsm = (text: string): readonly string[] =>
  new SegmentedMessage(text).getNonGsmCharacters();

/** Letters of Ghanaian names, and signs that editors put in the place of plain ones. */
const PLAIN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    `ɛe ƐE ɔo ƆO ŋn ŊN ɖd ƉD ƒf ƑF ʋv ƲV ‘' ’' “" ”" –- —-`.split(' ').map((pair) => [...pair]),
  ),
  '…': '...',
};

/** A letter that has no plain one is left out. */
const inPlainLetters = (value: string): string => {
  const plain = value.replace(/[^\x20-\x7e]/gu, (char) => {
    const known = PLAIN[char];
    if (known !== undefined || othersThanGsm(char).length === 0) return known ?? char;
    const letter = char.normalize('NFD').replace(/\p{M}/gu, '');
    return othersThanGsm(letter).length === 0 ? letter : '';
  });
  return plain.replace(/ {2,}/g, ' ').trim();
};

/** How many SMS a template takes for one person with the longest plausible values. */
export const mostParts = (template: Pick<Template, 'text'>, shop: string): number =>
  partsOf(filledIn(template, { ...PLAUSIBLE, shop }));

/** Who a template is sent from: the sender that it names, unless these are of a merchant that has it not. */
export const senderOf = (
  template: Template | undefined,
  senderIds: readonly string[],
): string | undefined => senderIds.find((id) => id === template?.from) ?? senderIds[0];

/** By its name as it was typed, with or without capitals. */
export const templateNamed = (templates: Templates, name: string): Template | undefined =>
  templates.get(name.toLowerCase());
