import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { cleanText } from '../../core/sms/sms-parts.ts';
import { showDate } from '../../core/values/format-time.ts';
import { plainText, quoted } from '../../core/values/normalise-input.ts';
import type { CommandSettings } from '../command.ts';
import type { SmsParts } from './parse-sms.ts';
import { readLeadingList } from './recipient-list.ts';
import {
  FIELDS_OF_ALL,
  type FieldValues,
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

export const namesTemplate = (words: string): boolean => words.trimStart().startsWith('@');

/** Reads `@<name> <number[,number…]>`. */
export const parseTemplateSms = (
  words: string,
  settings: Settings,
  nowMs: number,
): Parsed<SmsParts> => {
  const named = readTemplate(words, settings.texts.templates);
  if (!named.ok) return named;
  const { template, rest } = named.value;
  const example = `/sms @${template.name} 0244123456`;
  const open = fieldsIn(template.text).filter((field) => !FIELDS_OF_ALL.includes(field));
  if (open.length > 0) return fieldsOpen(template, open);
  const content = {
    text: filledIn(template, valuesOfAll(settings, nowMs)),
    senderId: senderOf(template, settings.senderIds) ?? '',
  };
  if (plainText(rest) === '') return parsed(content);
  const list = readLeadingList(cleanText(rest), settings.country);
  if (!list.ok) return wrong(list.problem.message, example);
  const { rest: more, ...recipients } = list.value;
  return more === ''
    ? parsed({ ...content, recipients })
    : wrong('A template brings its own text. Leave out the words behind the numbers.', example);
};

/** The template that the words begin with, and the words behind its name. */
export const readTemplate = (
  words: string,
  templates: Templates,
): Parsed<{ readonly template: Template; readonly rest: string }> => {
  const [, typed = '', rest = ''] = /^\s*@\s*(\S*)([\s\S]*)$/.exec(words) ?? [];
  const template = templateNamed(templates, plainText(typed));
  return template === undefined ? noTemplate(typed, templates) : parsed({ template, rest });
};

/** The fields that are the same for every customer, filled in. */
export const valuesOfAll = (
  { texts, timeZone }: Pick<Settings, 'texts' | 'timeZone'>,
  nowMs: number,
): FieldValues => ({ shop: texts.shop, date: showDate(nowMs, timeZone) });

const noTemplate = (typed: string, templates: Templates) => {
  const names = [...templates.values()].map(({ name }) => `@${name}`).join(', ');
  if (names === '') return wrong('There are no SMS templates. Write the text yourself.');
  return typed === ''
    ? wrong(`Name the template: ${names}.`)
    : wrong(
        `There is no template ${quoted(`@${typed}`)}. Use ${templates.size === 1 ? names : `one of ${names}`}.`,
      );
};

/** Only a payment has values for them. */
const fieldsOpen = ({ name }: Template, open: readonly TemplateField[]) => {
  const fields = open.map((field) => `{${field}}`).join(', ');
  const isOfButton = TEXT_KINDS.some((kind) => kind === name.toLowerCase());
  return isOfButton
    ? wrong(`@${name} needs ${fields}. Press the button on the payment card instead.`)
    : wrong(
        `@${name} needs ${fields}. Send me a file with the columns ${['number', ...open].join(', ')}. Write "sms @${name}" beside it.`,
      );
};
