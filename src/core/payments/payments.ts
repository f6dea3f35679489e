import type { Alerts } from '../notices/alerts.ts';
import { approvalEnded } from '../notices/approval-notices.ts';
import {
  callsForAPerson,
  cardNotice,
  oweNotices,
  paymentNotices,
} from '../notices/owed-notices.ts';
import { type ChargeDraft, closedDraft } from '../records/draft.ts';
import { isSettled, outcomeWord, type Payment } from '../records/payment.ts';
import type { AuditRow, Put, Watch } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { KeyedLock } from '../runtime/keyed-lock.ts';
import type { Store } from '../store/store.ts';
import type { Conversation, MessageRef, Person } from '../values/conversation.ts';
import { type CheckPolicy, nextLookMs } from './check-schedule.ts';
import type { ConfirmationSeal } from './confirmation-seal.ts';
import type { PaymentEvent } from './payment-event.ts';
import { afterEvent } from './transitions.ts';

/** A confirmed payment that could not be sent within this is given up: its requester does not wait any longer. */
export const SUBMIT_WITHIN_MS = 120_000;
/** Concurrent writers of one payment are rare; this many stale commits in a row mean a defect. */
const MOST_TRIES = 20;

/** Who caused an event and what came with it, for the audit trail. */
export type Cause = {
  readonly who?: Person;
  readonly where?: Conversation;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** The cause of a change, found from the payment before and after it; undefined: the change is not stored. */
export type CauseOf = (before: Payment, after: Payment) => Cause | undefined;

/** The press that confirms a draft. */
export type ConfirmingPress = {
  /** The button's verb. */
  readonly button?: string;
  /** Where it was pressed. @default where the charge was typed */
  readonly where?: Conversation;
  /** The question that becomes the payment card; absent: a card is posted before the request goes out. */
  readonly card?: MessageRef;
  /** Records that must not have changed meanwhile, each with its next version. */
  readonly guards?: readonly Put[];
  /** The role whose daily total it counts against. */
  readonly countedFor?: string | undefined;
};

/** A payment after an event, and whether this very call changed it. */
export type Recorded = { readonly payment: Payment; readonly changed: boolean };

/** The only writer of payments: each change is one commit of new state, audit row and owed notices. */
export class Payments {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #policy: CheckPolicy;
  readonly #alerts: Alerts;
  readonly #seal: ConfirmationSeal;
  readonly #lock = new KeyedLock();
  readonly #listeners = new Set<(payment: Payment) => void>();

  constructor(options: {
    store: Store;
    clock: Clock;
    policy: CheckPolicy;
    alerts: Alerts;
    seal: ConfirmationSeal;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#policy = options.policy;
    this.#alerts = options.alerts;
    this.#seal = options.seal;
  }

  get(id: string): Promise<Payment | undefined> {
    return this.#store.get('payment', id);
  }

  /**
   * Turns a draft into a confirmed payment, due to be sent. Exactly one call per draft succeeds;
   * undefined: another press closed the draft first, or one of the press's guards has changed.
   */
  async confirm(
    draft: ChargeDraft,
    presser: Person,
    { button, where = draft.conversation, card, guards = [], countedFor }: ConfirmingPress = {},
  ): Promise<Payment | undefined> {
    const nowMs = this.#clock.now();
    const unsealed: Payment = {
      id: draft.paymentId,
      version: 1,
      due: { queue: 'submit', atMs: nowMs },
      state: 'confirmed',
      terms: draft.terms,
      requester: draft.requester,
      ...(draft.status === 'awaiting approval' ? { approver: presser } : {}),
      ...(draft.askedAtMs === undefined ? {} : { askedAtMs: draft.askedAtMs }),
      ...(countedFor === undefined ? {} : { countedFor }),
      conversation: draft.conversation,
      ...(card === undefined ? {} : { card }),
      confirmedAtMs: nowMs,
      submitByMs: nowMs + SUBMIT_WITHIN_MS,
      rateLimits: 0,
      checks: 0,
      hints: 0,
      hintChecks: 0,
    };
    const payment: Payment = { ...unsealed, seal: this.#seal.of(unsealed) };
    const stored = await this.#store.commit({
      put: [
        {
          kind: 'draft',
          record: closedDraft(draft, presser, { resultId: payment.id, atMs: nowMs }),
        },
        { kind: 'payment', record: payment },
        // No call to a chat comes before the money: the question is made the card beside it.
        ...(card === undefined
          ? []
          : [{ kind: 'notice', record: cardNotice(payment, nowMs) } as const]),
        ...(draft.status === 'awaiting approval'
          ? approvalEnded(draft, nowMs, { becomesCard: card !== undefined })
          : []),
        ...guards,
      ],
      audit: [
        {
          atMs: nowMs,
          kind: 'payment',
          id: payment.id,
          what: 'confirmed',
          before: null,
          after: payment.state,
          version: payment.version,
          who: presser,
          where,
          ...(button === undefined ? {} : { button }),
          detail: confirmedDetail(draft),
        },
      ],
    });
    if (!stored) return undefined;
    failpoint('payment-confirmed', payment.id);
    this.#tell(payment);
    return payment;
  }

  /**
   * The payment after an event, undefined if there is no such payment. An event without a meaning in the payment's
   * state changes nothing; of several callers with the same event exactly one gets `changed: true`.
   */
  record(
    id: string,
    event: PaymentEvent,
    cause: Cause | CauseOf = {},
  ): Promise<Recorded | undefined> {
    // Serialised in this process: concurrent callbacks would only make each other's commits stale.
    const causeOf = typeof cause === 'function' ? cause : () => cause;
    return this.#lock.run(id, () => this.#record(id, event, causeOf));
  }

  async #record(id: string, event: PaymentEvent, causeOf: CauseOf): Promise<Recorded | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = await this.get(id);
      if (before === undefined) return undefined;
      const nowMs = this.#clock.now();
      const changed = afterEvent(before, event, nowMs, this.#policy);
      const cause = changed && causeOf(before, changed);
      if (changed === undefined || cause === undefined) return { payment: before, changed: false };
      const after: Payment = { ...changed, version: before.version + 1 };
      const stored = await this.#store.commit({
        put: [
          { kind: 'payment', record: after },
          ...(await this.#noticesFor(before, after, nowMs)),
          ...watchOver(before, after, nowMs),
        ],
        audit: [auditRow(before, after, event, cause, nowMs)],
      });
      if (!stored) continue;
      this.#tell(after);
      return { payment: after, changed: true };
    }
    throw new Error(`payment ${id} was changed by others ${MOST_TRIES} times in a row`);
  }

  /** Takes it out of its queue for a while and calls a person. */
  setAside(id: string): Promise<Recorded | undefined> {
    return this.record(id, { kind: 'set aside' });
  }

  /** Stores that a settled payment was checked again, with the time of the next check, if there is one. */
  async looked(watch: Watch): Promise<void> {
    const looks = watch.looks + 1;
    const atMs = nextLookMs(looks, this.#clock.now());
    const { id, version } = watch;
    // Refused: another instance checked at the same moment.
    await this.#store.commit(
      atMs === undefined
        ? { remove: [{ kind: 'watch', id, version }] }
        : { put: [watchPut({ id, version: version + 1, looks, due: { queue: 'check', atMs } })] },
    );
  }

  /** Resolves with the payment once `enough` holds, or as it is when `signal` aborts. */
  async until(
    id: string,
    enough: (payment: Payment) => boolean,
    signal: AbortSignal,
  ): Promise<Payment | undefined> {
    return new Promise((resolve, reject) => {
      const finish = (payment: Payment | undefined) => {
        this.#listeners.delete(listener);
        signal.removeEventListener('abort', giveUp);
        resolve(payment);
      };
      const listener = (payment: Payment) => {
        if (payment.id === id && enough(payment)) finish(payment);
      };
      const giveUp = () => void this.get(id).then(finish, reject);
      this.#listeners.add(listener);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      else
        this.get(id).then((payment) => {
          if (payment !== undefined && enough(payment)) finish(payment);
        }, reject);
    });
  }

  #tell(payment: Payment): void {
    for (const listener of this.#listeners) listener(payment);
  }

  async #noticesFor(before: Payment, after: Payment, nowMs: number): Promise<Put[]> {
    const puts: Put[] = await oweNotices(this.#store, paymentNotices(before, after, nowMs));
    if (callsForAPerson(before, after)) {
      const alert = { kind: 'payment', paymentId: after.id, of: outcomeWord(after) } as const;
      puts.push(...(await this.#alerts.owed(after.id, alert)));
    }
    return puts;
  }
}

/** A payment whose request was never sent cannot be contradicted; every other one, a 429 included, is checked again. */
const watchOver = (before: Payment, after: Payment, nowMs: number): Put[] => {
  const atMs = nextLookMs(0, nowMs);
  const isNew = isSettled(after) && !isSettled(before) && after.submittedAtMs !== undefined;
  return isNew && atMs !== undefined
    ? [watchPut({ id: after.id, version: 1, looks: 0, due: { queue: 'check', atMs } })]
    : [];
};

const watchPut = (record: Watch): Put => ({ kind: 'watch', record });

const auditRow = (
  before: Payment,
  after: Payment,
  event: PaymentEvent,
  cause: Cause,
  nowMs: number,
): AuditRow => ({
  atMs: nowMs,
  kind: 'payment',
  id: after.id,
  what: event.kind,
  before: before.state,
  after: after.state,
  version: after.version,
  ...(after.flag === undefined ? {} : { flag: after.flag }),
  ...(cause.who === undefined ? {} : { who: cause.who }),
  ...(cause.where === undefined ? {} : { where: cause.where }),
  detail: { ...eventDetail(event), ...cause.detail },
});

/** What the press confirmed: amount, requester, the warnings that were shown, and earlier charges like it. */
const confirmedDetail = ({
  id,
  requester,
  terms,
  warnings,
  repeats = [],
}: ChargeDraft): Record<string, unknown> => ({
  draft: id,
  amount: terms.amount,
  requester,
  ...(warnings.length === 0 ? {} : { warnings }),
  ...(repeats.length === 0 ? {} : { repeats }),
});

const eventDetail = (event: PaymentEvent): Record<string, unknown> => {
  if (event.kind === 'checked') return { finding: event.finding };
  const { kind: _, ...detail } = event;
  return detail;
};
