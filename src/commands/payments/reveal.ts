import type { Payment } from '../../core/records/payment.ts';
import { showNumber } from '../../core/values/customer-number.ts';
import { formatMoney } from '../../core/values/money.ts';
import { denial } from '../access/denial.ts';
import type { Grants } from '../access/grants.ts';
import { type Card, cardOf, idFact, part } from '../cards/card.ts';
import { spendQuestion } from '../cards/service-words.ts';
import { customerFact } from '../cards/visibility.ts';
import { type Context, isOwn, type Press, rowBy, type Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import type { Caller } from '../inbound.ts';

/** Whether a role lets them, or they asked for the payment, gave the number themselves and may still charge. */
export const mayReveal = (payment: Payment, caller: Caller, grants: Grants): boolean =>
  grants.reveal ||
  (isOwn(payment, caller) && payment.maskedFrom === undefined && grants.may('charge'));

/** A button that shows more of a payment to the presser, who `may` see it. */
export const paymentPress = (
  services: Services,
  asked: { readonly what: string; readonly deed: string },
  may: (payment: Payment, context: Context) => boolean,
  show: (payment: Payment, context: Context) => Promise<void>,
): Press => ({
  checksAccessItself: true,
  of: 'payment',
  run: async (id, context) => {
    const { surface } = context;
    const payment = await services.payments.get(id);
    if (payment === undefined) return surface.answerPress(goneCard);
    if (!may(payment, context)) return surface.answerPress(denial(services, context, asked));
    await show(payment, context);
  },
});

/** Shows the whole number and name to the presser alone, if they may see them. Each look is recorded in the audit trail. */
export const revealPress = (services: Services): Press => {
  const may = (payment: Payment, { caller, grants }: Context) => mayReveal(payment, caller, grants);
  const asked = { what: 'reveal', deed: 'see the full number' };
  return paymentPress(services, asked, may, async (payment, { surface, caller }) => {
    // Committed before it is shown: without the audit row nothing is revealed.
    await recordLook(services, payment, caller, 'reveal');
    await surface.whisper(revealedCard(payment));
  });
};

export const recordLook = async (
  services: Pick<Services, 'store' | 'clock'>,
  { id }: Payment,
  caller: Caller,
  button: string,
): Promise<void> => {
  const look = { kind: 'notice', id: `${id}.reveal`, what: 'revealed', button } as const;
  await services.store.commit({ audit: [rowBy(caller, services, look)] });
};

/**
 * Counts a search by a whole number for a person who sees numbers shortened, and records it in the audit trail: many of
 * them find the digits that are left out. Returns what to say instead when the person has none left.
 */
export const spendNumberSearch = async (
  services: Pick<Services, 'questionBudget' | 'clock' | 'settings' | 'store'>,
  { caller, grants }: Context,
): Promise<Card | undefined> => {
  if (grants.reveal) return undefined;
  const spent = spendQuestion(services, caller);
  if (spent !== undefined) return spent;
  // The number itself is not recorded: it would have to be forgotten with its customer.
  const id = `number-searches.${caller.platform}:${caller.id}`;
  const search = { kind: 'setting', id, what: 'searched' } as const;
  await services.store.commit({ audit: [rowBy(caller, services, search)] });
  return undefined;
};

const revealedCard = ({ id, terms }: Payment): Card =>
  cardOf(formatMoney(terms.amount), [
    part.facts(
      customerFact(terms.customerName),
      { label: 'Number', value: showNumber(terms.customerNumber) },
      idFact('Transaction', id),
    ),
    part.note('Only you see this. I recorded that you looked.'),
  ]);
