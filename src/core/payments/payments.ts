import type { Alerts } from '../notices/alerts.ts';
import { approvalEnded, approvalOver } from '../notices/approval-notices.ts';
import { type NotifyRules, type ToldWhere, WITHOUT_RULES } from '../notices/notify-rules.ts';
import {
  callsForAPerson,
  cardNotice,
  mayPostMirror,
  oweNotices,
  paymentNotices,
} from '../notices/owed-notices.ts';
import { type ChargeDraft, endedDraft, type GivenBackDraft } from '../records/draft.ts';
import { isSettled, outcomeWord, type Payment } from '../records/payment.ts';
import type { AuditRow, Change, ConfirmingPress, Put, Watch } from '../records/records.ts';
import type { Seal } from '../records/seals.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { KeyedLock } from '../runtime/keyed-lock.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import type { Person } from '../values/conversation.ts';
import type { CheckPolicy } from './check-schedule.ts';
import { confirmedPayment, paymentOfDraft, type RowOfFile } from './confirmed-payment.ts';
import { nextLook, watchOver } from './late-looks.ts';
import { linkToFirstTry } from './next-try.ts';
import { auditRow, type Cause, type Changed, confirmedDetail } from './payment-audit.ts';
import type { PaymentEvent } from './payment-event.ts';
import { afterEvent } from './transitions.ts';

/** The cause of a change, found from the payment before and after it; undefined: the change is not stored. */
export type CauseOf = (before: Payment, after: Payment) => Cause | undefined;

/** What is stored of an event, and with it. */
export type BesideEvent = {
  /** @default none */
  readonly cause?: Cause | CauseOf;
  /** In the same commit. Asked at each try, so that it reads again what changed meanwhile; undefined: nothing is stored. */
  readonly beside?: () => Promise<Change | undefined>;
};

/** A payment after an event, and whether this very call changed it. */
export type Recorded = { readonly payment: Payment; readonly changed: boolean };

type PaymentsOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly policy: CheckPolicy;
  readonly alerts: Alerts;
  readonly seal: Seal<Payment>;
  /** @default every outcome is told under its card, and nowhere else */
  readonly notify?: Pick<NotifyRules, 'of'>;
  /** What a payment owes in the commit that settles it, beside its notices. @default nothing */
  readonly owedOnceSettled?: (payment: Payment, nowMs: number) => Promise<readonly Put[]>;
  /** The audit rows of a change in closed days. @default none */
  readonly correctionsOf?: (change: Changed, nowMs: number) => Promise<readonly AuditRow[]>;
};

/** The only writer of payments: each change is one commit of new state, audit row and owed notices. */
export class Payments {
  readonly #options: PaymentsOptions;
  readonly #lock = new KeyedLock();
  readonly #listeners = new Set<(payment: Payment) => void>();

  constructor(options: PaymentsOptions) {
    this.#options = options;
  }

  get(id: string): Promise<Payment | undefined> {
    return this.#options.store.get('payment', id);
  }

  /**
   * Turns a draft into a confirmed payment, due to be sent. Exactly one call per draft succeeds;
   * undefined: another press closed the draft first, one of the press's guards has changed, or what it is another
   * try of may have been paid.
   */
  async confirm(
    draft: ChargeDraft,
    presser: Person,
    press: Partial<ConfirmingPress> = {},
  ): Promise<Payment | undefined> {
    const { clock, seal } = this.#options;
    const { button, where = draft.conversation, card, guards = [] } = press;
    const nowMs = clock.now();
    const payment = seal.sealed(paymentOfDraft(draft, presser, press, nowMs));
    const end = { status: 'done', by: presser, atMs: nowMs, resultId: payment.id } as const;
    const by = { who: presser, where, ...defined({ button }) };
    const stored = await this.#begin(payment, by, confirmedDetail(draft), [
      { kind: 'draft', record: endedDraft(draft, end) },
      // No call to a chat comes before the money: the question is made the card beside it.
      ...(card === undefined
        ? []
        : [{ kind: 'notice', record: cardNotice(payment, nowMs) } as const]),
      ...(draft.status === 'awaiting approval'
        ? approvalEnded(draft, nowMs, { becomesCard: card !== undefined })
        : []),
      ...guards,
    ]);
    if (stored !== true) return undefined;
    failpoint('payment-confirmed', payment.id);
    this.#tell(payment);
    return payment;
  }

  /**
   * Makes the payment of a row of a confirmed file, in one commit with `beside`, which has the run moved on. False: the
   * run has changed, or has this row behind it. `not again`: what it is another try of may have been paid.
   */
  confirmRow(row: RowOfFile, beside: readonly Put[]): Promise<boolean | 'not again'> {
    const { clock, seal } = this.#options;
    const payment = seal.sealed(confirmedPayment(row, clock.now()));
    const { bulk, terms, requester: who, conversation: where, approver, retryOf } = payment;
    const detail = defined({ bulk, amount: terms.amount, requester: who, approver, retryOf });
    return this.#begin(payment, { who, where }, detail, beside);
  }

  /** Stores a new payment with `beside`, and that it is the next try of the payment before it. */
  async #begin(
    payment: Payment,
    press: Pick<AuditRow, 'who' | 'where' | 'button'>,
    detail: Readonly<Record<string, unknown>>,
    beside: readonly Put[],
  ): Promise<boolean | 'not again'> {
    const { store } = this.#options;
    const { id, state, version, confirmedAtMs } = payment;
    const by = { ...press, atMs: confirmedAtMs };
    const link = await linkToFirstTry(store, payment, by);
    if (link === 'not again') return link;
    const what = { what: 'confirmed', before: null, after: state, version, detail };
    return store.commit({
      put: [{ kind: 'payment', record: payment }, ...beside, ...link.put],
      audit: [{ ...by, kind: 'payment', id, ...what }, ...link.audit],
    });
  }

  /**
   * The payment after an event, undefined if there is no such payment. An event without a meaning in the payment's
   * state changes nothing; of several callers with the same event exactly one gets `changed: true`.
   */
  record(id: string, event: PaymentEvent, stored: BesideEvent = {}): Promise<Recorded | undefined> {
    // Serialised in this process: concurrent callbacks would only make each other's commits stale.
    return this.#lock.run(id, () =>
      untilStored(`payment ${id}`, () => this.#record(id, event, stored)),
    );
  }

  async #record(
    id: string,
    event: PaymentEvent,
    { cause = {}, beside = async () => ({}) }: BesideEvent,
  ): Promise<Recorded | undefined | typeof STALE> {
    const { store, clock, policy } = this.#options;
    const before = await this.get(id);
    if (before === undefined) return undefined;
    const nowMs = clock.now();
    const changed = afterEvent(before, event, nowMs, policy);
    const why = changed && (typeof cause === 'function' ? cause(before, changed) : cause);
    const also = why && (await beside());
    if (changed === undefined || why === undefined || also === undefined)
      return { payment: before, changed: false };
    const told = await this.#toldWhere(before, changed);
    const mirrors = told.mirrors.length === 0 ? undefined : told.mirrors;
    const after: Payment = { ...changed, version: before.version + 1, ...defined({ mirrors }) };
    const change = { before, after, cause: why };
    // Read together: in PostgreSQL each would be a round trip of its own.
    const [corrected = [], notices, owed] = await Promise.all([
      this.#options.correctionsOf?.(change, nowMs),
      this.#noticesFor(before, after, told, nowMs),
      this.#owedBeside(before, after, nowMs),
    ]);
    const stored = await store.commit({
      put: [{ kind: 'payment', record: after }, ...notices, ...owed, ...(also.put ?? [])],
      remove: also.remove ?? [],
      audit: [auditRow(change, event, nowMs), ...(also.audit ?? []), ...corrected],
    });
    if (!stored) return STALE;
    this.#tell(after);
    return { payment: after, changed: true };
  }

  /**
   * Writes down what was given back: the payment and the end of the draft are one commit. Undefined: another press closed
   * the draft first, one of the press's guards has changed, or less is left by now.
   */
  async giveBack(
    draft: GivenBackDraft,
    presser: Person,
    { button, where, guards }: ConfirmingPress,
  ): Promise<Payment | undefined> {
    const { store, clock } = this.#options;
    const { id, paymentId, terms, requester: by, reason } = draft;
    const nowMs = clock.now();
    const ended = endedDraft(draft, { status: 'done', by: presser, atMs: nowMs });
    const isApproval = draft.status === 'awaiting approval';
    const told = isApproval ? approvalOver(ended, nowMs) : [];
    const put: readonly Put[] = [{ kind: 'draft', record: ended }, ...guards];
    const more = defined({ reason, approver: isApproval ? presser : undefined });
    const event = { kind: 'given back', id, amount: terms.amount, by, ...more } as const;
    const recorded = await this.record(paymentId, event, {
      cause: { who: presser, where, detail: { button, draft: id } },
      beside: async () => ((await areNext(store, put)) ? { put: [...put, ...told] } : undefined),
    });
    return recorded?.changed === true ? recorded.payment : undefined;
  }

  /** Stores that a settled payment was checked again, with the time of the next check, if there is one. */
  async looked({ id, version, looks }: Watch): Promise<void> {
    const { store, clock } = this.#options;
    const put = nextLook({ id, version: version + 1, looks: looks + 1 }, clock.now());
    // Refused: another instance checked at the same moment.
    await store.commit(put.length > 0 ? { put } : { remove: [{ kind: 'watch', id, version }] });
  }

  /** Resolves with the payment once `enough` holds, or as it is when `signal` aborts. */
  async until(
    id: string,
    enough: (payment: Payment) => boolean,
    signal: AbortSignal,
  ): Promise<Payment | undefined> {
    const met = Promise.withResolvers<Payment | undefined>();
    const listener = (payment: Payment) => {
      if (payment.id === id && enough(payment)) met.resolve(payment);
    };
    const giveUp = () => met.resolve(undefined);
    this.#listeners.add(listener);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const now = await this.get(id);
      if (signal.aborted || (now !== undefined && enough(now))) return now;
      return (await met.promise) ?? (await this.get(id));
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener('abort', giveUp);
    }
  }

  #tell(payment: Payment): void {
    for (const listener of this.#listeners) listener(payment);
  }

  async #owedBeside(before: Payment, after: Payment, nowMs: number): Promise<readonly Put[]> {
    if (isSettled(before) || !isSettled(after)) return [];
    const owed = await this.#options.owedOnceSettled?.(after, nowMs);
    return [...watchOver(before, after, nowMs), ...(owed ?? [])];
  }

  async #toldWhere(before: Payment, after: Payment): Promise<ToldWhere> {
    if (after.bulk !== undefined) return WITHOUT_RULES;
    const told = (await this.#options.notify?.of(after)) ?? WITHOUT_RULES;
    return mayPostMirror(before, after) ? told : { ...told, mirrors: before.mirrors ?? [] };
  }

  async #noticesFor(
    before: Payment,
    after: Payment,
    told: ToldWhere,
    nowMs: number,
  ): Promise<Put[]> {
    const { store, alerts } = this.#options;
    // The card of its file's run tells it.
    const owed = after.bulk === undefined ? paymentNotices(before, after, nowMs, told) : [];
    const notices = await oweNotices(store, owed);
    if (!callsForAPerson(before, after)) return notices;
    const alert = { kind: 'payment', paymentId: after.id, of: outcomeWord(after) } as const;
    const { id, bulk } = after;
    const owedAlert = bulk ? alerts.owedOfRun(bulk.run, alert) : alerts.owed(id, alert);
    return [...notices, ...(await owedAlert)];
  }
}

/** False: the commit would be refused each time, because the caller has to read them again. */
const areNext = async (store: Pick<Store, 'get'>, puts: readonly Put[]): Promise<boolean> => {
  const stored = await Promise.all(puts.map(({ kind, record }) => store.get(kind, record.id)));
  return puts.every(({ record }, at) => record.version === (stored[at]?.version ?? 0) + 1);
};
