import { SegmentedMessage } from 'sms-segments-calculator';
import type { SmsDraft } from '../../core/records/draft.ts';
import type { Parsed } from '../../core/runtime/errors.ts';
import { SmsDay } from '../../core/sms/sms-day.ts';
import { personOf } from '../../core/values/conversation.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import type { Card, CardPart } from '../cards/card.ts';
import { plainCard, problemCard } from '../cards/reply-cards.ts';
import type { Command, Context, Services } from '../command.ts';
import { draftToPress, goneCard, refuse } from '../draft-buttons.ts';
import { SmsConfirmation, whyNoRoom } from './confirm-sms.ts';
import { parseSms, type SmsParts, type SmsRequest } from './parse-sms.ts';
import { named } from './recipient-list.ts';
import { answersFrom, checkText, partsFrom, smsForm } from './sms-form.ts';

const USAGE = '<number[,number…]> <text>';
const SHOWN_RECIPIENTS = 10;
const BALANCE_PATIENCE_MS = 3_000;

/** `/sms`: preview with parts and recipients, one press, send. */
export const smsCommand = (services: Services): Command => {
  const { settings, drafts, gateway, clock } = services;
  const confirmation = new SmsConfirmation(services);
  const form = smsForm(settings);

  /** Where the typed command and the form meet. */
  const proceed = async (read: Parsed<SmsParts>, context: Context): Promise<void> => {
    const { surface } = context;
    if (!read.ok) return surface.say(problemCard(read.problem, `/sms ${USAGE}`));
    const { senderId = settings.senderIds[0], recipients, text } = read.value;
    if (senderId === undefined) return surface.say(offCard);
    if (recipients === undefined || text === undefined)
      return surface.ask(form, answersFrom(read.value));
    const checked = checkText(text);
    if (!checked.ok) return surface.say(problemCard(checked.problem, `/sms ${USAGE}`));
    await propose({ senderId, recipients, text: checked.value }, context);
  };

  const propose = async (request: SmsRequest, context: Context): Promise<void> => {
    const { caller, surface } = context;
    const { numbers, leftOut } = request.recipients;
    const terms = { ...request, recipients: numbers.map(({ e164 }) => e164) };
    const day = await SmsDay.of(services, `${caller.platform}:${caller.id}`);
    const noRoom = await whyNoRoom(services, context.grants, day, terms);
    if (noRoom !== undefined) return surface.say(problemCard({ message: noRoom }));
    const draft = await drafts.create(
      context.eventId,
      { kind: 'sms', terms },
      personOf(caller),
      caller.conversation,
    );
    // Undefined: the event was delivered twice, and its preview is shown already.
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
    if ('why' in draft) return refuse(draft, context);
    if (draft.kind !== 'sms') return context.surface.refusePress(goneCard);
    await confirmation.run(draft, context);
  };

  return {
    name: 'sms',
    summary: 'Send an SMS to customers',
    deed: 'send SMS',
    usage: USAGE,
    examples: ['0244123456 Your order is ready.', '0244123456,0201234567 We open at 8.'],
    form,
    run: async (words, context) => {
      if (settings.senderIds.length === 0) return context.surface.say(offCard);
      await proceed(parseSms(words, settings), context);
    },
    submit: (answers, context) => proceed(partsFrom(answers, settings), context),
    presses: { send: { run: send } },
  };
};

const offCard = plainCard(
  'SMS is not set up',
  'The person who manages Paythread sets SMS_SENDER_ID first. It is a sender id that the payment service approved.',
);

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
