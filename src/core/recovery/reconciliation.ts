import type { UnmatchedCallbacks } from '../callbacks/unmatched-callbacks.ts';
import type { StatusAnswer, StatusOutcome } from '../gateway/gateway.ts';
import type { ChargeFreeze } from '../guards/charge-freeze.ts';
import { RESTORED } from '../payments/payment-event.ts';
import type { Payments } from '../payments/payments.ts';
import type { StatusChecker } from '../payments/status-checker.ts';
import { OPEN_STATES, type Payment } from '../records/payment.ts';
import type { RestoreMark } from '../records/stored-values.ts';
import type { Clock } from '../runtime/clock.ts';
import { assertNever } from '../runtime/errors.ts';
import { everyPayment, type Store } from '../store/store.ts';
import { StoreTally } from '../store/store-tally.ts';

/** A payment that settled shortly before the backup may have been contradicted since. */
const LOOK_BACK_MS = 24 * 3_600_000;
/** Checks under way at once; the gateway keeps to `PAYMENTS_RATE`. */
const CHECKS_AT_ONCE = 8;
const MOST_CHECK_TRIES = 3;
const LONGEST_CHECK_PAUSE_MS = 60_000;
const CHECK_PAUSE_MS = 1_000;

/** What the service says of an id that is not stored here. */
export type UnstoredId = {
  readonly id: string;
  /** `none`: the service does not know it either, or not yet. */
  readonly status: StatusAnswer['status'] | 'none';
  /** As the service sent it, without a currency. */
  readonly amount?: string;
};

export type Difference = { readonly before: Payment; readonly after: Payment };

export type Reconciled = {
  /** The restore that froze charges when it began; undefined: nothing was frozen. */
  readonly frozen: RestoreMark | undefined;
  /** Charges go on from now. */
  readonly lifted: boolean;
  readonly before: StoreTally;
  readonly after: StoreTally;
  /** How many ids were asked about. */
  readonly asked: number;
  readonly differences: readonly Difference[];
  readonly unknown: readonly UnstoredId[];
  readonly unanswered: readonly { readonly id: string; readonly why: string }[];
};

type Answer =
  | { readonly kind: 'as before' }
  | { readonly kind: 'changed'; readonly difference: Difference }
  | { readonly kind: 'elsewhere'; readonly unknown: UnstoredId }
  | { readonly kind: 'unanswered'; readonly why: string };

/** In a restored store a payment that was about to be sent becomes `unknown` and is checked; it is never sent. */
export const distrustRestored = async (payments: Payments, store: Store): Promise<void> => {
  const states = ['confirmed', 'submitting'] as const;
  for await (const { id } of everyPayment(store, { states })) await payments.record(id, RESTORED);
};

export type ReconciliationOptions = {
  readonly store: Store;
  readonly payments: Payments;
  readonly checks: StatusChecker;
  readonly freeze: ChargeFreeze;
  readonly unmatched: UnmatchedCallbacks;
  readonly clock: Clock;
};

/**
 * Asks the service about every payment that a restore may have lost or turned back, and ends the charge freeze
 * once all questions were answered. Findings are recorded as by any status check. It can be stopped at any moment
 * and run again.
 * @param given transaction ids that a person wants to be asked about as well
 */
export const runReconciliation = async (
  options: ReconciliationOptions,
  given: readonly string[],
): Promise<Reconciled> => {
  const { store, payments, freeze, clock } = options;
  const frozen = await freeze.standing();
  const before = await tallyOf(store);
  // Once charges go on, none of them may count as unsent.
  if (frozen !== undefined) await distrustRestored(payments, store);
  const answers = await askAboutAll(options, [...given, ...(await idsToAsk(options, frozen))]);
  const all = [...answers];
  const asked = answers.size;
  const differences = all.flatMap(([, one]) => (one.kind === 'changed' ? one.difference : []));
  const unknown = all.flatMap(([, one]) => (one.kind === 'elsewhere' ? one.unknown : []));
  const unanswered = all.flatMap(([id, one]) =>
    one.kind === 'unanswered' ? { id, why: one.why } : [],
  );
  const lifted =
    frozen !== undefined &&
    unanswered.length === 0 &&
    (await freeze.lift(frozen, clock.now(), { asked, unknown }));
  const after = await tallyOf(store);
  return { frozen, lifted, before, after, asked, differences, unknown, unanswered };
};

const idsToAsk = async (
  { store, clock }: ReconciliationOptions,
  frozen: RestoreMark | undefined,
): Promise<string[]> => {
  const sinceMs = (frozen?.backupAtMs ?? clock.now()) - LOOK_BACK_MS;
  const ids: string[] = [];
  for (const filter of [{ states: OPEN_STATES }, { sinceMs }])
    for await (const { id } of everyPayment(store, filter)) ids.push(id);
  return ids;
};

/** Callbacks go on arriving, so it repeats until every id was asked about. */
const askAboutAll = async (
  { payments, checks, unmatched, clock }: ReconciliationOptions,
  first: readonly string[],
): Promise<Map<string, Answer>> => {
  const answers = new Map<string, Answer>();
  /** The service refuses our keys, so no further question is asked. */
  let keysRefused = false;
  const ask = async (id: string): Promise<Answer> => {
    const before = await payments.get(id);
    for (let tries = 1; !keysRefused; tries++) {
      const { outcome, payment } = await checks.askNow(id, 'background');
      if (outcome.kind === 'refused') keysRefused ||= outcome.keysRefused === true;
      const answer = answerOf(id, outcome, before, payment);
      if (answer.kind !== 'unanswered' || tries === MOST_CHECK_TRIES) return answer;
      await clock.sleep(waitMs(outcome));
    }
    return { kind: 'unanswered', why: 'the payment service refuses our keys' };
  };
  const ids = new Set(first);
  for (;;) {
    for (const { paymentId } of await unmatched.all()) ids.add(paymentId);
    const left = [...ids].filter((id) => !answers.has(id));
    if (left.length === 0) return answers;
    const asking = left.values();
    await Promise.all(
      Array.from({ length: CHECKS_AT_ONCE }, async () => {
        for (const id of asking) answers.set(id, await ask(id));
      }),
    );
  }
};

const tallyOf = async (store: Store): Promise<StoreTally> => {
  const tally = new StoreTally();
  for await (const record of everyPayment(store, {})) tally.addRecord({ kind: 'payment', record });
  return tally;
};

const answerOf = (
  id: string,
  outcome: StatusOutcome,
  before: Payment | undefined,
  after: Payment | undefined,
): Answer => {
  switch (outcome.kind) {
    case 'status':
      if (after === undefined) return { kind: 'elsewhere', unknown: unknownOf(id, outcome) };
      return before !== undefined && isDifferent(before, after)
        ? { kind: 'changed', difference: { before, after } }
        : { kind: 'as before' };
    case 'noStatus':
      // The service does not know it (yet): an answer that says nothing about a payment's outcome.
      return after === undefined
        ? { kind: 'elsewhere', unknown: { id, status: 'none' } }
        : { kind: 'as before' };
    case 'rateLimited':
      return { kind: 'unanswered', why: 'the payment service was too busy' };
    case 'refused':
    case 'noAnswer':
      return { kind: 'unanswered', why: outcome.reason };
    default:
      return assertNever(outcome);
  }
};

/**
 * An answer about another transaction says nothing about this one, nor does a failure without id or amount. A
 * bare `completed` is listed as paid all the same, because a person reads the list.
 */
const unknownOf = (id: string, { transactionId, status, amount }: StatusAnswer): UnstoredId => {
  const isOfThis = transactionId === undefined || transactionId.trim().toUpperCase() === id;
  const isBare = status === 'failed' && (transactionId === undefined || amount === undefined);
  return {
    id,
    status: isOfThis && !isBare ? status : 'unrecognised',
    ...(amount === undefined ? {} : { amount }),
  };
};

const isDifferent = (before: Payment, after: Payment): boolean =>
  before.state !== after.state || before.flag !== after.flag;

const waitMs = (outcome: StatusOutcome): number =>
  outcome.kind === 'rateLimited'
    ? Math.min(outcome.retryAfterMs ?? CHECK_PAUSE_MS, LONGEST_CHECK_PAUSE_MS)
    : CHECK_PAUSE_MS;
