import { z } from 'zod';
import { readFileText } from '../../core/runtime/poll-file.ts';
import { cleanText } from '../../core/sms/sms-parts.ts';
import {
  expected,
  mistakeAt,
  mustBeNames,
  notRight,
  objectError,
  readYaml,
  type YamlReading,
} from '../../core/values/yaml-text.ts';
import { FIELDS, mostParts, strangeField, type Templates } from './templates.ts';

/** A longer SMS is a mistake rather than a message: a page of text. */
const MOST_PARTS = 10;

type TextOptions = {
  /** Approved sender ids; empty: SMS is off, and there is nothing to compare with. */
  readonly senderIds: readonly string[];
  /** The value of `{shop}`. */
  readonly shop: string;
  /** The text that counts where the file is absent. */
  readonly templatesWithoutFile?: string;
};

const FIELD_LIST = FIELDS.map((name) => `{${name}}`).join(', ');

const textSchema = (shop: string) =>
  z
    .string(expected('a text in quotes, such as "Thank you {name}."'))
    .transform((text) => cleanText(text).trim())
    .superRefine((text, context) => {
      const strange = strangeField(text);
      if (text === '') context.addIssue('The text is empty. Write what the SMS says.');
      if (strange !== undefined)
        context.addIssue(`There is no field ${strange}. Write one of ${FIELD_LIST}.`);
      const parts = mostParts({ text }, shop);
      if (parts > MOST_PARTS)
        context.addIssue(
          `The text is too long: up to ${parts} SMS. At most ${MOST_PARTS} may be used.`,
        );
    });

const senderSchema = (senderIds: readonly string[]) =>
  z
    .union([z.string(), z.number()], expected('a sender id'))
    .transform(String)
    .superRefine((from, context) => {
      if (senderIds.length > 0 && !senderIds.includes(from))
        context.addIssue(`SMS_SENDER_ID has no sender id "${from}", only ${senderIds.join(', ')}.`);
    });

const templatesSchema = ({ senderIds, shop }: TextOptions) =>
  z
    .record(
      z.string(),
      z.strictObject(
        { text: textSchema(shop), from: senderSchema(senderIds).exactOptional() },
        { error: objectError('text and from') },
      ),
      expected('names of templates and what each says'),
    )
    .nullable()
    .superRefine((file, context) => {
      const names = Object.keys(file ?? {});
      mustBeNames(names, context);
      for (const [at, name] of names.entries())
        if (names.slice(0, at).some((other) => other.toLowerCase() === name.toLowerCase()))
          context.addIssue(
            mistakeAt([name], `The name ${name} is used twice. Give one of the two another name.`),
          );
    })
    .transform((file): Templates => {
      const templates = Object.entries(file ?? {}).map(([name, each]) => ({ name, ...each }));
      return new Map(templates.map((each) => [each.name.toLowerCase(), each]));
    });

export const readTemplates = (text: string, reading: TextOptions): YamlReading<Templates> =>
  readYaml(text, templatesSchema(reading));

/** What a file of templates has: none if it is absent. Never rejects. */
export const readTemplatesFile = async (
  file: string,
  reading: TextOptions,
): Promise<YamlReading<Templates>> => {
  const found = await readFileText(file);
  if (found.kind === 'unreadable')
    return { ok: false, problems: [`it cannot be read (${found.code})`] };
  const { templatesWithoutFile = '' } = reading;
  return readTemplates(found.kind === 'missing' ? templatesWithoutFile : found.text, reading);
};

/** @throws {StartError} when the file cannot be read or has mistakes. */
export const openTemplates = async (file: string, reading: TextOptions): Promise<Templates> => {
  const read = await readTemplatesFile(file, reading);
  if (read.ok) return read.value;
  throw notRight(`templates file ${file}`, read.problems);
};
