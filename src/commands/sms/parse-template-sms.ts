import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { showDate } from '../../core/values/format-time.ts';
import { plainText, quoted } from '../../core/values/normalise-input.ts';
import type { CommandSettings } from '../command.ts';
import { withExample } from '../leading-number.ts';
import { cleanText, type SmsParts } from './parse-sms.ts';
import { readLeadingList } from './recipient-list.ts';
import {
  fieldsIn,
  filledIn,
  senderOf,
  type Template,
  type TemplateField,
  type Templates,
  templateNamed,
} from './templates.ts';
import { TEXT_KINDS } from './text-buttons.ts';

type Settings = Pick<CommandSettings, 'country' | 'senderIds' | 'texts' | 'timeZone'>;

/** The fields that are the same for every customer. */
const SAME_FOR_ALL: readonly TemplateField[] = ['shop', 'date'];

export const namesTemplate = (words: string): boolean => words.trimStart().startsWith('@');

/** Reads `@<name> <number[,number…]>`. */
export const parseTemplateSms = (
  words: string,
  settings: Settings,
  nowMs: number,
): Parsed<SmsParts> => {
  const { templates, shop } = settings.texts;
  const [, typed = '', rest = ''] = /^\s*@\s*(\S*)([\s\S]*)$/.exec(words) ?? [];
  const template = templateNamed(templates, plainText(typed));
  if (template === undefined) return noTemplate(typed, templates);
  const example = `/sms @${template.name} 0244123456`;
  const open = fieldsIn(template.text).filter((field) => !SAME_FOR_ALL.includes(field));
  if (open.length > 0) return fieldsOpen(template, open);
  const values = { shop, date: showDate(nowMs, settings.timeZone) };
  const content = {
    text: filledIn(template, values),
    senderId: senderOf(template, settings.senderIds) ?? '',
  };
  if (plainText(rest) === '') return parsed(content);
  const list = readLeadingList(cleanText(rest), settings.country);
  if (!list.ok) return withExample(list, example);
  const { rest: more, ...recipients } = list.value;
  return more.trim() === ''
    ? parsed({ ...content, recipients })
    : wrong('A template brings its own text. Leave out the words behind the numbers.', example);
};

const noTemplate = (typed: string, templates: Templates) => {
  const names = [...templates.values()].map(({ name }) => `@${name}`).join(', ');
  return names === ''
    ? wrong('There are no SMS templates. Write the text yourself.')
    : wrong(`There is no template ${quoted(`@${typed}`)}. There are ${names}.`);
};

/** Only a payment has values for them. */
const fieldsOpen = ({ name }: Template, open: readonly TemplateField[]) => {
  const fields = open.map((field) => `{${field}}`).join(', ');
  const isOfButton = TEXT_KINDS.some((kind) => kind === name.toLowerCase());
  return isOfButton
    ? wrong(`@${name} needs ${fields}. Press the button on the payment card instead.`)
    : wrong(`@${name} needs ${fields}, which I cannot fill in here. Write the text yourself.`);
};
