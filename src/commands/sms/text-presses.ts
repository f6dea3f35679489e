import { limitGuard } from '../../core/guards/limit-guards.ts';
import { leftToGive } from '../../core/records/given-back.ts';
import type { Payment, TextKind } from '../../core/records/payment.ts';
import { suits } from '../../core/records/payment-text.ts';
import type { Change } from '../../core/records/records.ts';
import type { SmsTerms } from '../../core/records/sms-batch.ts';
import { ANY_REMINDER, noteText, wasTextSent } from '../../core/sms/sent-texts.ts';
import { partsOf } from '../../core/sms/sms-parts.ts';
import { startOfDayMs } from '../../core/values/calendar-day.ts';
import { personOf } from '../../core/values/conversation.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { CAN_CHANGE, logRefusal } from '../access/denial.ts';
import { type Card, plainCard } from '../cards/card.ts';
import { stateWord } from '../cards/payment-words.ts';
import { payerFor } from '../cards/visibility.ts';
import type { Context, Press, Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { notSentCard, smsRoom } from './daily-sms.ts';
import { confirmText, termsOfText } from './payment-texts.ts';
import { isSetUp, TEXT_KINDS, textVerb } from './text-buttons.ts';

/** The buttons that send a customer an SMS about a payment: the press itself confirms it. */
export const textPresses = (services: Services): Readonly<Record<string, Press>> =>
  Object.fromEntries(TEXT_KINDS.map((kind) => [textVerb(kind), sendText(services, kind)]));

const sendText = (services: Services, kind: TextKind): Press => ({
  of: 'payment',
  run: async (id, context) => {
    const { surface, caller } = context;
    const payment = await services.payments.get(id);
    if (payment === undefined) return surface.answerPress(goneCard);
    const terms = termsOfText(kind, payment, services.settings);
    if (terms === undefined || !isSetUp(kind, services.settings))
      return surface.answerPress(offCard);
    let refusal: Card | undefined;
    const batch = await confirmText(services, payment, {
      kind,
      terms,
      requester: personOf(caller),
      where: caller.conversation,
      beside: async (batchId) => {
        const spent = await spending(services, { kind, terms, batchId }, context);
        if (!('title' in spent)) return spent;
        refusal = spent;
        return undefined;
      },
    });
    if (batch === undefined)
      return surface.answerPress(refusal ?? (await overtakenCard(services, kind, id)));
    // Its report is the one message about it, where the presser can see that.
    const isHere = batch.conversation.channel === caller.conversation.channel;
    await surface.answerPress(sendingCard(kind, payment, terms), isHere ? 'followed' : undefined);
  },
});

type Spent = { readonly kind: TextKind; readonly terms: SmsTerms; readonly batchId: string };

/** What the SMS takes of what the presser may still send today, looked up in each try to store it; or why it may not go out. */
const spending = async (
  services: Services,
  { kind, terms: { text, recipients, merchant }, batchId }: Spent,
  context: Context,
): Promise<Change | Card> => {
  const { access, log } = services;
  const { caller } = context;
  const guard = await limitGuard(services, `${caller.platform}:${caller.id}`, batchId);
  const grants = await access.grantsOf(caller);
  if (!grants.may('sms')) {
    logRefusal(log, context, 'sms');
    return notSentCard(`You may no longer send SMS. ${CAN_CHANGE}`);
  }
  const parts = partsOf(text) * recipients.length;
  const room = await smsRoom(services, grants, caller, parts);
  if (!room.fits) return room.why;
  const put = [guard, room.day.with(parts)];
  if (kind !== 'reminder') return { put };
  // A customer is reminded once a day, from here or by `Remind` of a file. The note is read before the look.
  const [recipient = ''] = recipients;
  const note = await noteText(services, { recipient, text, isReminder: true });
  const sinceMs = startOfDayMs(services.clock.now(), services.settings.timeZone);
  return (await wasTextSent(services.store, { recipient, text: ANY_REMINDER, merchant }, sinceMs))
    ? notSentCard('The customer was reminded today.')
    : { put: [...put, note(batchId)] };
};

const sendingCard = (kind: TextKind, { terms: charge }: Payment, { text }: SmsTerms): Card =>
  plainCard(
    `The ${kind} is being sent`,
    `To ${payerFor('one person', charge)}. Costs ${partsOf(text)} SMS.`,
  );

/** Another press was first, or the payment changed at this moment. */
const overtakenCard = async (
  { payments }: Pick<Services, 'payments'>,
  kind: TextKind,
  id: string,
): Promise<Card> => {
  const payment = await payments.get(id);
  if (payment === undefined) return goneCard;
  if (suits(kind, payment))
    return plainCard('Not sent again', `The ${kind} was sent before, or may have been.`);
  const { state, flag, terms } = payment;
  const why = isPseudonym(terms.customerNumber)
    ? 'The number of this customer was erased.'
    : flag === 'conflict'
      ? 'The payment service contradicts this payment. A person should ask it first.'
      : state === 'completed' && leftToGive(payment).amountMinor === 0
        ? 'The customer got all of the money back.'
        : `The payment is ${stateWord(state)} now.`;
  return notSentCard(why);
};

export const offCard = plainCard(
  'Nothing was sent',
  'This SMS is switched off. The owner can switch it on.',
);
