import { SegmentedMessage } from 'sms-segments-calculator';
import type { SmsDraft } from '../../core/records/draft.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { SmsDay } from '../../core/sms/sms-day.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import { personOf } from '../../core/values/conversation.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import type { Card, CardPart } from '../cards/card.ts';
import { plainCard, problemCard } from '../cards/reply-cards.ts';
import type { Command, Context, Services } from '../command.ts';
import { draftToPress, goneCard } from '../draft-buttons.ts';
import type { Answers, Field, Form } from '../forms/form.ts';
import { SmsStart, whyNoRoom } from './confirm-sms.ts';
import { cleanText, parseSmsWords } from './parse-sms.ts';
import { named, parseRecipients, type RecipientList } from './recipient-list.ts';

/** Siblings of the service bill by part; ten parts is a page of text and surely a mistake beyond. */
const LONGEST_TEXT = 1530;
const SHOWN_RECIPIENTS = 10;
const BALANCE_PATIENCE_MS = 3_000;

/** `/sms`: preview with parts and recipients, one press, send. */
export const smsCommand = (services: Services): Command => {
  const { settings, drafts, gateway, clock } = services;
  const starting = new SmsStart(services);
  const form = smsForm(settings);

  const propose = async (answers: Answers, context: Context): Promise<void> => {
    const { caller, surface } = context;
    const senderId =
      settings.senderIds.find((id) => id === answers['sender']) ?? settings.senderIds[0];
    if (senderId === undefined) return surface.say(offCard);
    const recipients = parseRecipients(answers['numbers'] ?? '', settings);
    if (!recipients.ok) return surface.say(problemCard(recipients.problem, usageLine));
    const { numbers, leftOut } = recipients.value;
    const text = checkText(answers['text'] ?? '');
    if (!text.ok) return surface.say(problemCard(text.problem, usageLine));
    const what = {
      kind: 'sms',
      terms: { senderId, text: text.value, recipients: numbers.map(({ e164 }) => e164) },
    } as const;
    const day = await SmsDay.of(services, `${caller.platform}:${caller.id}`);
    const noRoom = await whyNoRoom(services, context.grants, day, what.terms);
    if (noRoom !== undefined) return surface.say(problemCard({ message: noRoom }));
    const draft = await drafts.create(context.eventId, what, personOf(caller), caller.conversation);
    if (draft === undefined) return;
    await surface.say(previewCard(draft, await balanceText(), leftOut));
  };

  /** The preview is useful without the balance, so it waits only a moment for it. */
  const balanceText = async (): Promise<string | undefined> => {
    const patience = new AbortController();
    const outcome = await Promise.race([
      gateway.checkBalance(),
      clock.sleep(BALANCE_PATIENCE_MS, patience.signal),
    ]);
    patience.abort();
    return outcome?.kind === 'balances' ? outcome.sms : undefined;
  };

  const send = async (id: string, context: Context): Promise<void> => {
    const draft = await draftToPress(id, context, services);
    if (draft === undefined) return;
    if (draft.kind !== 'sms') return context.surface.refusePress(goneCard);
    await starting.run(draft, context);
  };

  return {
    name: 'sms',
    summary: 'Send an SMS to customers',
    deed: 'send SMS',
    usage: '<number[,number…]> <text>',
    examples: ['0244123456 Your order is ready.', '0244123456,0201234567 We open at 8.'],
    form,
    run: async (words, context) => {
      if (settings.senderIds.length === 0) return context.surface.say(offCard);
      const typed = parseSmsWords(words, settings);
      if (!typed.ok) return context.surface.say(problemCard(typed.problem, usageLine));
      const { recipients, text } = typed.value;
      const answers: Answers = {
        ...(recipients === undefined ? {} : { numbers: listText(recipients) }),
        ...(text === undefined ? {} : { text }),
      };
      await (recipients !== undefined && text !== undefined
        ? propose(answers, context)
        : context.surface.ask(form, answers));
    },
    submit: propose,
    presses: { send: { run: send } },
  };
};

/** As it is typed into the form; an entry that is no number stays for the preview to name it. */
const listText = ({ numbers, leftOut }: RecipientList): string =>
  [...numbers.map(({ e164 }) => e164), ...leftOut].join(',');

const usageLine = '/sms <number[,number…]> <text>';

const offCard = plainCard(
  'SMS is not set up',
  'The person who manages Paythread sets SMS_SENDER_ID first. It is a sender id that the payment service approved.',
);

const smsForm = ({
  country,
  senderIds,
}: {
  country: string;
  senderIds: readonly string[];
}): Form => {
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
const checkText = (typed: string): Parsed<string> => {
  const text = cleanText(typed).trim();
  if (text === '') return wrong('The text is empty.', '/sms 0244123456 Your order is ready.');
  if (hasCardNumber(text)) return neverTypeCards();
  return text.length > LONGEST_TEXT
    ? wrong(
        `The text has ${text.length} characters, and the limit is ${LONGEST_TEXT}. Make it shorter.`,
      )
    : parsed(text);
};

const previewCard = (
  draft: SmsDraft,
  balance: string | undefined,
  leftOut: readonly string[],
): Card => {
  const { text, recipients, senderId } = draft.terms;
  const message = new SegmentedMessage(text);
  const parts = message.segmentsCount;
  const total = parts * recipients.length;
  const shown: CardPart[] = [
    { kind: 'quote', text },
    {
      kind: 'facts',
      facts: [
        { label: 'From', value: senderId },
        { label: 'To', value: recipientsText(recipients) },
        ...(balance === undefined ? [] : [{ label: 'SMS balance', value: balance }]),
      ],
    },
    { kind: 'text', text: costText(parts, recipients.length) },
  ];
  if (leftOut.length > 0)
    shown.push({ kind: 'warning', text: `Left out, not mobile numbers: ${named(leftOut)}.` });
  const dear = dearCharacters(message, text);
  if (dear.length > 0) shown.push({ kind: 'warning', text: dearText(dear) });
  if (balance !== undefined && Number(balance) < total)
    shown.push({ kind: 'warning', text: `Only ${balance} SMS are left. This costs ${total}.` });
  const label = `Send ${recipients.length} SMS`;
  return {
    title: `Send this SMS to ${recipients.length} ${recipients.length === 1 ? 'person' : 'people'}?`,
    parts: shown,
    buttons: [
      { kind: 'press', label, verb: 'send', id: draft.id, style: 'primary' },
      { kind: 'press', label: 'Cancel', verb: 'cancel', id: draft.id },
    ],
  };
};

const costText = (parts: number, people: number): string =>
  people === 1 ? `Costs ${parts} SMS.` : `Costs ${parts * people} SMS (${parts} for each person).`;

/** The characters without which it would take fewer SMS; none where it makes no difference. */
const dearCharacters = (message: SegmentedMessage, text: string): string[] => {
  const dear = [...new Set(message.getNonGsmCharacters())];
  const plain = dear.reduce((rest, each) => rest.replaceAll(each, '?'), text);
  return new SegmentedMessage(plain).segmentsCount < message.segmentsCount ? dear : [];
};

const dearText = (dear: readonly string[]): string =>
  dear.length === 1
    ? `${dear[0]} makes this SMS cost more.`
    : `${dear.slice(0, -1).join(', ')} and ${dear.at(-1)} make this SMS cost more.`;

const recipientsText = (recipients: readonly string[]): string => {
  const shown = recipients.slice(0, SHOWN_RECIPIENTS).map(maskNumber).join(', ');
  const more = recipients.length - SHOWN_RECIPIENTS;
  return more > 0 ? `${shown} and ${more} more` : shown;
};
