import type { Payment } from '../../core/records/payment.ts';
import type { AuditRow } from '../../core/records/records.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { denial } from '../access/denial.ts';
import { type Card, cardOf, part, pressButton } from '../cards/card.ts';
import { paymentFacts } from '../cards/payment-facts.ts';
import { flagText, outcomeText, stateWord, toneOf } from '../cards/payment-words.ts';
import type { Audience } from '../cards/visibility.ts';
import { type Context, isOwn, momentOf, type Press, type Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { shareButtons } from '../share/shared-text.ts';
import { mayReveal } from './reveal.ts';

const SEE_DETAILS = { what: 'details of a payment', deed: 'see payments' } as const;

/** All about a payment, shown to the presser alone: to its requester, and to people who may see payments. */
export const detailsPress = (services: Services): Press => ({
  checksAccessItself: true,
  of: 'payment',
  run: async (id, context) => {
    const { store } = services;
    const { surface } = context;
    const payment = await store.get('payment', id);
    if (payment === undefined) return surface.answerPress(goneCard);
    if (!maySeeDetails(payment, context))
      return surface.answerPress(denial(services, context, SEE_DETAILS));
    const rows = await store.auditOf(id);
    await surface.whisper(detailsCard(payment, rows, momentOf(services), context));
  },
});

export const maySeeDetails = (payment: Payment, { caller, grants }: Context): boolean =>
  grants.may('payments') || isOwn(payment, caller);

const detailsCard = (
  payment: Payment,
  rows: readonly AuditRow[],
  moment: Moment,
  { caller, grants }: Context,
): Card => {
  const { id, state, terms } = payment;
  // The requester was shown the whole name when they confirmed.
  const isKnown = isOwn(payment, caller) && payment.maskedFrom === undefined;
  const audience: Audience = isKnown ? 'one person' : 'others too';
  const text = outcomeText(payment);
  const flag = flagText(payment);
  return cardOf(
    `${formatMoney(terms.amount)} · ${stateWord(state)}`,
    [
      part.facts(...paymentFacts(payment, audience, (ms) => showNear(ms, moment))),
      text === undefined ? undefined : part.text(text),
      flag === undefined ? undefined : part.warning(flag),
      part.list(historyOf(rows, moment)),
    ],
    {
      tone: toneOf(payment),
      buttons: [
        mayReveal(payment, caller, grants)
          ? pressButton('Show full number', 'reveal', id, { aside: true })
          : undefined,
        ...shareButtons(payment),
      ],
    },
  );
};

/** The states that it went through, each with its time. */
const historyOf = (rows: readonly AuditRow[], moment: Moment): string[] => {
  const states = rows.flatMap(({ kind, atMs, after }) =>
    kind === 'payment' && after !== null
      ? [{ atMs, word: stateWord(after as Payment['state']) }]
      : [],
  );
  return states
    .filter(({ word }, at) => word !== states[at - 1]?.word)
    .map(({ atMs, word }) => `${showNear(atMs, moment)} ${word}`);
};
