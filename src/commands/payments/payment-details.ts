import { leftToGive } from '../../core/records/given-back.ts';
import type { Payment, PaymentState } from '../../core/records/payment.ts';
import type { AuditRow } from '../../core/records/records.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, cardOf, idFact, part, pressButton } from '../cards/card.ts';
import { endPart } from '../cards/payment-card.ts';
import { paymentFacts } from '../cards/payment-facts.ts';
import { amountAndState } from '../cards/payment-line.ts';
import { signOf, stateWord, toneOf, withoutCustomer } from '../cards/payment-words.ts';
import { inDetails } from '../cards/service-words.ts';
import type { Audience } from '../cards/visibility.ts';
import { type Context, isOwn, momentOf, type Press, type Services } from '../command.ts';
import { goneCard, type PressRefusal } from '../draft-buttons.ts';
import { merchantRefusal } from '../merchants.ts';
import { shareButtons } from '../share/shared-text.ts';
import { mayReveal, paymentPress } from './reveal.ts';

/** All about a payment, shown to the presser alone: to its requester, and to people who may see payments. */
export const detailsPress = (services: Services): Press => {
  const asked = { what: 'details of a payment', deed: 'see payments' };
  return paymentPress(services, asked, maySeeDetails, async (payment, context) => {
    const rows = await services.store.auditOf(payment.id);
    await context.surface.whisper(detailsCard(payment, rows, momentOf(services), context));
  });
};

/** The payment that something is written down with; or why not here. */
export const paymentHere = async (
  { payments, settings }: Pick<Services, 'payments' | 'settings'>,
  id: string,
  { caller }: Context,
): Promise<Payment | PressRefusal> => {
  const payment = await payments.get(id);
  if (payment === undefined) return { why: goneCard };
  const why = merchantRefusal(settings, caller, payment);
  return why === undefined ? payment : { why };
};

export const maySeeDetails = (payment: Payment, { caller, grants }: Context): boolean =>
  grants.may('payments') || isOwn(payment, caller);

const detailsCard = (
  payment: Payment,
  rows: readonly AuditRow[],
  moment: Moment,
  { caller, grants }: Context,
): Card => {
  const { id, retryOf, retriedAs } = payment;
  // The requester was shown the whole name when they confirmed.
  const isKnown = isOwn(payment, caller) && payment.maskedFrom === undefined;
  const audience: Audience = isKnown ? 'one person' : 'others too';
  const history = historyOf(rows, moment);
  const facts = paymentFacts(payment, audience, (ms) => showNear(ms, moment)).filter(
    // Its times are in the history as well.
    ({ label, value }) =>
      !label.endsWith(' at') || !history.some((line) => line.endsWith(` · ${value}`)),
  );
  return cardOf(
    amountAndState(payment),
    [
      part.facts(...facts.filter(({ label }) => label !== TRANSACTION)),
      endPart(payment, inDetails(payment.reason, grants)),
      part.list(history),
      part.list(writtenLines(payment, moment)),
      part.facts(
        ...facts.filter(({ label }) => label === TRANSACTION),
        retryOf !== undefined && idFact('Another try of', retryOf),
        retriedAs !== undefined && idFact('Asked again as', retriedAs),
      ),
    ],
    {
      tone: toneOf(payment),
      buttons: [
        mayReveal(payment, caller, grants) &&
          pressButton('Show full number', 'reveal', id, { aside: true }),
        ...shareButtons(payment),
        grants.may('refund') &&
          leftToGive(payment).amountMinor > 0 &&
          pressButton('Given back', 'given-back', id, { aside: true }),
        pressButton('Note', 'note', id, { aside: true }),
      ],
    },
  );
};

const TRANSACTION = 'Transaction';

/** `GHS 20.00 given back today 14:02 by Ama, approved by Kofi: Wrong size`, and notes. */
const writtenLines = (payment: Payment, moment: Moment): string[] => {
  const { terms, givenBack = [], notes = [] } = payment;
  const quoted = (words: string | undefined): string =>
    words === undefined ? '' : `: ${withoutCustomer(words, payment)}`;
  return [
    ...givenBack.map(({ amountMinor, reason, by, approver, atMs }) => {
      const amount = formatMoney({ ...terms.amount, amountMinor });
      const approved = approver === undefined ? '' : `, approved by ${approver.name}`;
      return `${amount} given back ${showNear(atMs, moment)} by ${by.name}${approved}${quoted(reason)}`;
    }),
    ...notes.map(
      ({ note, by, atMs }) => `Note ${showNear(atMs, moment)} by ${by.name}${quoted(note)}`,
    ),
  ];
};

const historyOf = (rows: readonly AuditRow[], moment: Moment): string[] => {
  const states = rows.flatMap(({ kind, atMs, after }) =>
    kind === 'payment' && after !== null
      ? [{ atMs, state: after as PaymentState, word: stateWord(after as PaymentState) }]
      : [],
  );
  return states
    .filter(({ word }, at) => word !== states[at - 1]?.word)
    .map(({ atMs, state, word }) => `${signOf({ state })} ${word} · ${showNear(atMs, moment)}`);
};
