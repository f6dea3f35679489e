import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import type { CommandSettings } from '../command.ts';
import type { Answers, Field, Form } from '../forms/form.ts';
import { cleanText, type SmsParts } from './parse-sms.ts';
import { parseRecipients } from './recipient-list.ts';

/** In characters: ten parts, a page of text. The service bills each part. */
const LONGEST_TEXT = 1530;

type Settings = Pick<CommandSettings, 'country' | 'senderIds'>;

/** What `/sms` asks when something was not typed. */
export const smsForm = ({ country, senderIds }: Settings): Form => {
  const sender: Field = {
    name: 'sender',
    label: 'Sender',
    hint: `Leave empty for ${senderIds[0] ?? ''}`,
    optional: true,
    choices: senderIds.map((id) => ({ value: id, label: id })),
    check: (answer) => (senderIds.includes(answer) ? parsed(answer) : wrong('Pick a sender.')),
  };
  return {
    command: 'sms',
    title: 'Send an SMS',
    submitLabel: 'Preview',
    fields: [
      {
        name: 'numbers',
        label: 'To',
        hint: 'One number, or several with commas between them',
        check: (answer) => parseRecipients(answer, { country }),
      },
      { name: 'text', label: 'Text', long: true, check: checkText },
      ...(senderIds.length > 1 ? [sender] : []),
    ],
  };
};

/** The text as it is sent, or what is wrong with it. */
export const checkText = (typed: string): Parsed<string> => {
  const text = cleanText(typed).trim();
  if (text === '') return wrong('The text is empty.', '/sms 0244123456 Your order is ready.');
  if (hasCardNumber(text)) return neverTypeCards();
  return text.length > LONGEST_TEXT
    ? wrong(
        `The text has ${text.length} characters, and the limit is ${LONGEST_TEXT}. Make it shorter.`,
      )
    : parsed(text);
};

/** Parts as answers to the form. An entry that is no number stays, for the preview to name it. */
export const answersFrom = ({ recipients, text }: SmsParts): Answers => {
  const { numbers = [], leftOut = [] } = recipients ?? {};
  const entries = [...numbers.map(({ e164 }) => e164), ...leftOut];
  return defined({ numbers: recipients && entries.join(','), text });
};

/** The inverse of `answersFrom`, for answers that a person gave. */
export const partsFrom = (
  { sender, numbers = '', text = '' }: Answers,
  { country, senderIds }: Settings,
): Parsed<SmsParts> => {
  const recipients = parseRecipients(numbers, { country });
  if (!recipients.ok) return recipients;
  const senderId = senderIds.find((id) => id === sender);
  return parsed({ recipients: recipients.value, text, ...defined({ senderId }) });
};
