import { KeyedLimiter } from '../../core/cluster/limit.ts';
import type { StatusOutcome } from '../../core/gateway/gateway.ts';
import { isSettled, type Payment } from '../../core/records/payment.ts';
import { isFromClockAhead } from '../../core/runtime/clock.ts';
import { personOf } from '../../core/values/conversation.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, joined, plainCard } from '../cards/card.ts';
import {
  flagText,
  guidance,
  outcomeText,
  reasonOf,
  stateWord,
  withoutCustomer,
} from '../cards/payment-words.ts';
import { noAnswerText, spendQuestion } from '../cards/service-words.ts';
import type { Press, Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';

/** Of one payment, however many people press: more would only ask the payment service the same. */
const SPACING_MS = 10_000;
const ONE_CHECK = { most: 1, windowMs: SPACING_MS } as const;
/** A few kilobytes; a payment that is forgotten may be checked once more too soon. */
const MOST_PAYMENTS = 10_000;

/** Asks the payment service about a payment that has no outcome yet, and tells the presser what it found. */
export const checkNowPress = (services: Services): Press => {
  const { checks, payments, settings, clock } = services;
  const recent = new KeyedLimiter(clock, ONE_CHECK, MOST_PAYMENTS);
  return {
    of: 'payment',
    run: async (id, { surface, caller }) => {
      const known = await payments.get(id);
      if (known === undefined) return surface.refusePress(goneCard);
      const { state, flag } = known;
      if (state === 'confirmed' || state === 'submitting')
        return surface.refusePress(beingSentCard);
      if (isSettled(known) && flag === undefined)
        return surface.refusePress(foundCard(known, settings.timeZone));
      const waitMs = recent.spend(id) || (await waitAfterOthersMs(services, id));
      if (waitMs > 0) return surface.refusePress(tooSoonCard(known, waitMs));
      const spent = spendQuestion(services, caller);
      if (spent !== undefined) return surface.refusePress(spent);
      const cause = { who: personOf(caller), where: caller.conversation };
      const { outcome, payment = known } = await checks.askNow(id, 'person', cause);
      await surface.refusePress(
        whyNothing(outcome, payment) ?? foundCard(payment, settings.timeZone),
      );
    },
  };
};

/** The presses that other instances served stand in the audit trail. */
const waitAfterOthersMs = async (
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  id: string,
): Promise<number> => {
  const rows = await store.auditOf(id);
  const last = rows.findLast(({ what, who }) => what === 'checked' && who !== undefined);
  const nowMs = clock.now();
  const isAhead = last !== undefined && isFromClockAhead(last.atMs, nowMs, SPACING_MS);
  return last === undefined || isAhead ? 0 : Math.max(0, last.atMs + SPACING_MS - nowMs);
};

const beingSentCard = plainCard('Being sent right now', 'Check again in a moment.');

const tooSoonCard = ({ state }: Payment, waitMs: number): Card =>
  plainCard(
    `Still ${stateWord(state)}`,
    `I asked just now. Check again in ${Math.ceil(waitMs / 1_000)} s.`,
  );

/** What was found, in a sentence: the money first. */
const foundCard = (payment: Payment, timeZone: string): Card => {
  const { state, flag, terms } = payment;
  const title = `${formatMoney(terms.amount)}: ${isSettled(payment) ? '' : 'still '}${stateWord(state)}`;
  if (flag !== undefined) return plainCard(title, flagText(payment));
  return plainCard(
    title,
    state === 'pending'
      ? joined('The customer has not approved yet.', ...guidance(payment, timeZone))
      : (outcomeText(payment) ?? reasonOf(payment)),
  );
};

/** An answer without a state; undefined: the payment says what was found. */
const whyNothing = (outcome: StatusOutcome, payment: Payment): Card | undefined => {
  if (outcome.kind === 'status') return undefined;
  const title = `Still ${stateWord(payment.state)}`;
  return plainCard(
    title,
    outcome.kind === 'noStatus'
      ? 'The payment service does not know this transaction.'
      : withoutCustomer(noAnswerText(outcome), payment),
  );
};
