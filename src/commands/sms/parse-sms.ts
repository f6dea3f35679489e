import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { cleanText } from '../../core/sms/sms-parts.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import type { CommandSettings } from '../command.ts';
import type { Answers, Field, Form, Understood } from '../forms/form.ts';
import { leadingNumbers } from '../leading-number.ts';
import {
  parseRecipients,
  type RecipientList,
  readLeadingList,
  splitLeadingList,
} from './recipient-list.ts';

/** An SMS as far as it was typed or filled in; absent is what was left out. */
export type SmsParts = {
  readonly senderId?: string;
  readonly recipients?: RecipientList;
  /** With its line breaks. */
  readonly text?: string;
};

type SmsSettings = Pick<CommandSettings, 'country' | 'senderIds'>;

/** An answer without a field: the merchant in whose conversation the form is asked. What counts is asked at the preview. */
const ASKED_FOR = 'merchant';

export const askedFor = (merchant: string | undefined): Answers =>
  merchant === undefined ? {} : { [ASKED_FOR]: merchant };

/** In characters: ten parts, a page of text. The service bills each part. */
const LONGEST_TEXT = 1530;

/** So many words of the text are looked through for a second number. */
const WORDS_OF_A_NUMBER = 5;

/** Reads `<number[,number…]> <text>`. */
export const parseSms = (typed: string, { country }: { country: string }): Parsed<SmsParts> => {
  if (plainText(typed) === '') return parsed({});
  if (hasCardNumber(plainText(typed))) return neverTypeCards();
  const list = readLeadingList(cleanText(typed), country);
  if (!list.ok) return list;
  const { rest: text, ...recipients } = list.value;
  if (startsWithNumber(text, country))
    return wrong('Please put commas between the numbers. The text comes after the last one.');
  return parsed({ recipients, ...defined({ text: text || undefined }) });
};

/** The same words as far as they are understood: what was meant to be the numbers, and the text. */
export const understoodSms = (words: string, { country }: { country: string }): Understood => {
  const { entries, rest } = splitLeadingList(cleanText(words), country);
  const read = parseSms(words, { country });
  const numbers = entries.join(', ');
  return {
    answers: defined({ numbers: numbers || undefined, text: rest || undefined }),
    problems: read.ok ? {} : { numbers: read.problem.message },
  };
};

/** A second number without a comma would be sent as text, and its owner would get nothing. */
const startsWithNumber = (text: string, country: string): boolean => {
  const words = text
    .replace(/^(and\b|&)\s*/i, '')
    .split(/\s+/)
    .slice(0, WORDS_OF_A_NUMBER);
  return leadingNumbers(words.map(plainText), country).length > 0;
};

/** What `/sms` asks when something was not typed. */
export const smsForm = ({
  country,
  senderIds,
  merchants,
}: SmsSettings & Pick<CommandSettings, 'merchants'>): Form => {
  const sendersFor = ({ [ASKED_FOR]: name }: Answers): readonly string[] =>
    merchants.length === 0
      ? senderIds
      : (merchants.find((each) => each.name === name)?.senderIds ?? []);
  const sender: Field = {
    name: 'sender',
    label: 'Sender',
    optional: true,
    when: (answers) => sendersFor(answers).length > 1,
    isKnown: (answers) => sendersFor(answers).length < 2,
    reason: (answers) => `Leave empty for ${sendersFor(answers)[0]}`,
    choices: senderIds.map((id) => ({ value: id, label: id })),
    check: (answer, answers) =>
      sendersFor(answers).includes(answer) ? parsed(answer) : wrong('Pick a sender.'),
  };
  return {
    command: 'sms',
    title: 'Send an SMS',
    submitLabel: 'Preview',
    fields: [
      {
        name: 'numbers',
        label: 'To',
        takesContact: true,
        hint: 'One number, or several with commas between them',
        check: (answer) => parseRecipients(answer, { country }),
      },
      { name: 'text', label: 'Text', long: true, check: checkText },
      ...(senderIds.length > 1 ? [sender] : []),
    ],
  };
};

export const checkText = (typed: string): Parsed<string> => {
  const text = cleanText(typed).trim();
  if (text === '') return wrong('The text is empty.');
  if (hasCardNumber(text)) return neverTypeCards();
  return text.length > LONGEST_TEXT
    ? wrong(
        `The text has ${text.length} characters, and the limit is ${LONGEST_TEXT}. Make it shorter.`,
      )
    : parsed(text);
};

/** Parts as answers to the form. An entry that is no number stays, for the preview to name it. */
export const answersFrom = ({ recipients, text, senderId: sender }: SmsParts): Answers => {
  const { numbers = [], leftOut = [] } = recipients ?? {};
  const entries = [...numbers.map(({ e164 }) => e164), ...leftOut];
  return defined({ numbers: recipients && entries.join(','), text, sender });
};

/** The inverse of `answersFrom`, for answers that a person gave. */
export const partsFrom = (
  { sender, numbers = '', text = '' }: Answers,
  { country, senderIds }: SmsSettings,
): Parsed<SmsParts> => {
  const recipients = parseRecipients(numbers, { country });
  if (!recipients.ok) return recipients;
  const senderId = senderIds.find((id) => id === sender);
  return parsed({ recipients: recipients.value, text, ...defined({ senderId }) });
};
