import { outcomeNoticeId } from '../../core/records/notice.ts';
import { hasEnd, type Payment } from '../../core/records/payment.ts';
import { everyPayment } from '../../core/store/store.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { isTransactionId } from '../../core/values/transaction-id.ts';
import { type Card, plainCard } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import { forgottenCard } from '../draft-buttons.ts';
import { mayReveal } from './reveal.ts';

/** So many payments, the newest, are gone through for the one with the message; an older one counts as not replied to. */
const MOST_SEARCHED = 500;

/**
 * The payment that the message replied to is about: the one id in it, or its card or outcome. Undefined: it is about none. A
 * payment of another conversation counts as none, so that an id quoted here tells nothing about it.
 */
export const repliedPayment = async (
  { payments, store }: Pick<Services, 'payments' | 'store'>,
  { repliedTo }: Context,
): Promise<Payment | undefined> => {
  if (repliedTo === undefined) return undefined;
  const { conversation, message } = repliedTo.ref;
  const isHere = ({ conversation: { platform, channel } }: Payment): boolean =>
    platform === conversation.platform && channel === conversation.channel;
  const [id, ...others] = new Set(repliedTo.codes.filter(isTransactionId));
  const named = id === undefined || others.length > 0 ? undefined : await payments.get(id);
  if (named !== undefined) return isHere(named) ? named : undefined;
  let searched = 0;
  for await (const payment of everyPayment(store, {})) {
    if (isHere(payment) && (await isAbout(store, payment, message))) return payment;
    if (++searched >= MOST_SEARCHED) return undefined;
  }
  return undefined;
};

const isAbout = async (store: Services['store'], payment: Payment, message: string) => {
  if (payment.card?.message === message) return true;
  const told = hasEnd(payment) ? await store.get('notice', outcomeNoticeId(payment.id)) : undefined;
  return told?.message?.message === message;
};

/** The number of the customer whose card was replied to, as typed words; a card: why this person may not use it. */
export const customerOfReply = async (
  services: Pick<Services, 'payments' | 'store'>,
  context: Context,
): Promise<string | Card | undefined> => {
  const payment = await repliedPayment(services, context);
  if (payment === undefined) return undefined;
  const { customerNumber } = payment.terms;
  if (isPseudonym(customerNumber)) return forgottenCard;
  return mayReveal(payment, context.caller, context.grants)
    ? customerNumber
    : notTheirCustomerCard(payment);
};

/** For a reply that would show a colleague's customer in full. */
const notTheirCustomerCard = ({ requester }: Payment): Card =>
  plainCard(
    'Type the number as well',
    `This is a customer of ${requester.name}. I do not show you the number.`,
    'warning',
  );
