import { limitGuard } from '../../core/guards/limit-guards.ts';
import type { Payment, TextKind } from '../../core/records/payment.ts';
import { suits } from '../../core/records/payment-text.ts';
import type { Change } from '../../core/records/records.ts';
import type { SmsTerms } from '../../core/records/sms-batch.ts';
import { noteText } from '../../core/sms/sent-texts.ts';
import { partsOf } from '../../core/sms/sms-parts.ts';
import { personOf } from '../../core/values/conversation.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { CAN_CHANGE, logRefusal } from '../access/denial.ts';
import { type Card, cardOf, part, plainCard } from '../cards/card.ts';
import { stateWord } from '../cards/payment-words.ts';
import { payerFor } from '../cards/visibility.ts';
import type { Context, Press, Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { whatsAppButton } from '../share/shared-text.ts';
import { notSentCard, smsRoom } from './daily-sms.ts';
import { confirmText, termsOfText } from './payment-texts.ts';
import { isSetUp, TEXT_KINDS, textVerb } from './text-buttons.ts';

/** The buttons that send a customer an SMS about a payment: the press itself confirms it. */
export const textPresses = (services: Services): Readonly<Record<string, Press>> =>
  Object.fromEntries(
    TEXT_KINDS.map((kind) => [
      textVerb(kind),
      {
        of: 'payment',
        run: (id, context) => sendText(services, kind, id, context),
      } satisfies Press,
    ]),
  );

const sendText = async (
  services: Services,
  kind: TextKind,
  id: string,
  context: Context,
): Promise<void> => {
  const { surface, caller } = context;
  const payment = await services.payments.get(id);
  if (payment === undefined) return surface.answerPress(goneCard);
  const terms = termsOfText(kind, payment, services.settings);
  if (terms === undefined || !isSetUp(kind, services.settings)) return surface.answerPress(offCard);
  const allowance = allowanceOf(services, { kind, terms }, context);
  const batch = await confirmText(services, payment, {
    kind,
    terms,
    requester: personOf(caller),
    where: caller.conversation,
    beside: allowance.spend,
  });
  if (batch === undefined)
    return surface.answerPress(allowance.refusal() ?? (await overtakenCard(services, kind, id)));
  // Its report is the one message about it.
  await surface.answerPress(sendingCard(kind, payment, terms), 'followed');
};

/** What the presser may still send today, looked up in each try to store it. */
const allowanceOf = (
  services: Services,
  { kind, terms }: { readonly kind: TextKind; readonly terms: SmsTerms },
  context: Context,
) => {
  const { access, log } = services;
  const { caller } = context;
  const of = `${caller.platform}:${caller.id}`;
  let refusal: Card | undefined;
  const refuse = (why: Card): undefined => {
    refusal = why;
    return undefined;
  };
  const spend = async (batchId: string, partsEach: number): Promise<Change | undefined> => {
    const guard = await limitGuard(services, of, batchId);
    const grants = await access.grantsOf(caller);
    if (!grants.may('sms')) {
      logRefusal(log, context, 'sms');
      return refuse(notSentCard(`You may no longer send SMS. ${CAN_CHANGE}`));
    }
    const parts = partsEach * terms.recipients.length;
    const room = await smsRoom(services, grants, caller, parts);
    if (!room.fits) return refuse(room.why);
    // So that `Remind` on the card of a file leaves this customer out today.
    const isReminder = kind === 'reminder';
    const notes = (isReminder ? terms.recipients : []).map((recipient) =>
      noteText(services, { recipient, text: terms.text, isReminder }),
    );
    const noted = (await Promise.all(notes)).map((note) => note(batchId));
    return { put: [guard, room.day.with(parts), ...noted] };
  };
  return { spend, refusal: () => refusal };
};

const sendingCard = (kind: TextKind, payment: Payment, { text }: SmsTerms): Card =>
  cardOf(
    `The ${kind} is being sent`,
    [part.text(`To ${payerFor('one person', payment.terms)}. Costs ${partsOf(text)} SMS.`)],
    { buttons: [kind === 'receipt' ? whatsAppButton(payment) : undefined] },
  );

/** Another press was first, or the payment changed at this moment. */
const overtakenCard = async (
  { payments }: Pick<Services, 'payments'>,
  kind: TextKind,
  id: string,
): Promise<Card> => {
  const payment = await payments.get(id);
  return payment !== undefined && suits(kind, payment)
    ? plainCard('Not sent again', `The ${kind} was sent before, or may have been.`)
    : unsuitableCard(payment);
};

const unsuitableCard = (payment: Payment | undefined): Card => {
  if (payment === undefined) return goneCard;
  const { state, flag, terms } = payment;
  const why = isPseudonym(terms.customerNumber)
    ? 'The number of this customer was erased.'
    : flag === 'conflict'
      ? 'The payment service contradicts this payment. A person should ask it first.'
      : `The payment is ${stateWord(state)} now.`;
  return notSentCard(why);
};

export const offCard = plainCard(
  'Nothing was sent',
  'This SMS is switched off. The owner can switch it on.',
);
