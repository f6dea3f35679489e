import { balancesDueNow } from '../balances/balances.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { notSentReason } from '../gateway/reason-texts.ts';
import { ChargeFreeze } from '../guards/charge-freeze.ts';
import { whyStopped } from '../guards/suspensions.ts';
import type { Alerts } from '../notices/alerts.ts';
import { smsBegun, smsFinished, smsProgressed } from '../notices/sms-notices.ts';
import { endedDraft, type SmsDraft } from '../records/draft.ts';
import { suits, textOf } from '../records/payment-text.ts';
import type { AuditRow, Change, Put } from '../records/records.ts';
import type { Seal } from '../records/seals.ts';
import {
  isUnsent,
  type SmsBatch,
  type SmsChunk,
  type SmsSubject,
  smsTally,
} from '../records/sms-batch.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { failpoint } from '../runtime/failpoints.ts';
import type { Log } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import type { Person } from '../values/conversation.ts';
import { newTransactionId } from '../values/transaction-id.ts';
import { requestDeadlines } from '../work/send-once.ts';
import { type AfterSending, afterOutcome, chunksOf } from './sms-chunks.ts';
import { readSmsDay } from './sms-day.ts';
import { partsOf } from './sms-parts.ts';

/** An older confirmation is void: a copied record of a batch that was sent must not be sent again years later. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
const KEEP_REPORTED_MS = 24 * 3_600_000;
/** Recipients from which on the balances are asked right after it. */
export const LARGE_RUN = 50;

type SmsSenderOptions = {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: Log;
  readonly alerts: Alerts;
  readonly seal: Seal<SmsBatch>;
  readonly random: Random;
  /** Longest time that one request takes; past it a chunk still `sending` has lost its sender. */
  readonly requestTimeoutMs: number;
  /** Stores `end` with the payment's word that certainly nothing was sent. False: nothing was stored. */
  readonly onUnsent: (paymentId: string, batchId: string, end: End) => Promise<boolean>;
};

/** The commit that takes a batch out of its queue, with its report. Undefined: another worker finished it. */
type End = () => Promise<Change | undefined>;

/** Sends confirmed SMS, chunk by chunk, each at most once: the service has no status check for SMS. */
export class SmsSender {
  readonly #options: SmsSenderOptions;

  constructor(options: SmsSenderOptions) {
    this.#options = options;
  }

  /** Turns a draft into a confirmed batch; undefined: it was closed first, or a record of `storedWith` has changed. */
  async confirm(
    draft: SmsDraft,
    presser: Person,
    storedWith: (batchId: string) => readonly Put[] = () => [],
  ): Promise<SmsBatch | undefined> {
    const { store } = this.#options;
    const { batch, audit } = this.prepare(draft, presser);
    const atMs = batch.confirmedAtMs;
    const end = { status: 'done', by: presser, atMs, resultId: batch.id } as const;
    const stored = await store.commit({
      put: [
        { kind: 'draft', record: endedDraft(draft, end) },
        { kind: 'sms', record: batch },
        ...storedWith(batch.id),
      ],
      audit: [audit],
    });
    return stored ? batch : undefined;
  }

  /**
   * A batch with its audit row, for the caller to store; from then on it is sent. `who`: absent when no person pressed.
   * `row`: the row of a file that it is, with the id that it got in the dry run.
   */
  prepare(
    asked: Pick<SmsBatch, 'terms' | 'requester' | 'conversation' | 'about'>,
    who?: Person,
    row: Partial<Pick<SmsBatch, 'id' | 'bulk'>> = {},
  ): { batch: SmsBatch; audit: AuditRow } {
    const { clock, seal, random } = this.#options;
    const { terms, requester, conversation, about } = asked;
    const nowMs = clock.now();
    const { id = newTransactionId(nowMs, random), bulk } = row;
    const batch = seal.sealed<SmsBatch>({
      id,
      version: 1,
      due: { queue: 'sms', atMs: nowMs },
      terms,
      requester,
      conversation,
      confirmedAtMs: nowMs,
      chunks: chunksOf(terms.recipients).map((recipients) => ({
        uniqueId: newTransactionId(nowMs, random),
        recipients,
        state: 'waiting',
        rateLimits: 0,
      })),
      ...defined({ about, bulk }),
    });
    const what = { what: 'confirmed', before: null, after: 'waiting', where: conversation };
    const by = defined({ who, detail: bulk && { bulk } });
    return { batch, audit: { atMs: nowMs, kind: 'sms', id, ...what, ...by } };
  }

  async serve(claimed: SmsBatch): Promise<void> {
    const { clock, requestTimeoutMs } = this.#options;
    let batch = await this.#presumeLost(claimed);
    await this.#tell(smsBegun, batch);
    for (const [index, chunk] of batch.chunks.entries()) {
      if (chunk.state !== 'waiting') continue;
      // Read first: other workers presume the request lost counting from this moment, however long the next steps take.
      const { sendByMs, presumedLostAtMs } = requestDeadlines(clock.now(), requestTimeoutMs);
      batch = await this.#write(batch, index, { ...chunk, state: 'sending' }, presumedLostAtMs);
      failpoint('sms-stored', chunk.uniqueId);
      const { next, waitMs = 0 } = await this.#sent(batch, chunk, sendByMs);
      batch = await this.#write(batch, index, next, clock.now() + waitMs);
      if (next.state === 'waiting') return;
      await this.#tell(smsProgressed, batch);
    }
    await this.#finish(batch);
  }

  async #sent(batch: SmsBatch, chunk: SmsChunk, sendByMs: number): Promise<AfterSending> {
    const { gateway, log, random } = this.#options;
    const reason = await this.#whyNot(batch, chunk);
    if (reason !== undefined) return { next: { ...chunk, state: 'not sent', reason } };
    const { senderId, text, merchant } = batch.terms;
    const { recipients, uniqueId } = chunk;
    const isOfFile = batch.bulk !== undefined;
    const sent = { senderId, text, recipients, uniqueId, merchant, isOfFile, sendByMs };
    const outcome = await gateway.sendSms(sent);
    log.info({ sms: batch.id, chunk: uniqueId, outcome: outcome.kind }, 'SMS requested');
    return afterOutcome(chunk, outcome, random);
  }

  /** Why a part must not be sent, as a sentence; undefined: it may. */
  async #whyNot(batch: SmsBatch, { rateLimits }: SmsChunk): Promise<string | undefined> {
    const { store, clock, alerts, seal } = this.#options;
    const { id, requester, confirmedAtMs, about } = batch;
    if (!seal.isOn(batch)) {
      await alerts.raise(`seal.${id}`, { kind: 'seal broken', paymentId: id, of: 'SMS' });
      return 'The stored SMS was changed after it was confirmed.';
    }
    if (clock.now() - confirmedAtMs > LONGEST_WAIT_MS) return 'It waited for more than a day.';
    if (about !== undefined && !(await this.#isStillTrue(batch, about)))
      return 'The payment has changed since.';
    // Its requester asked for the payment, and not for this.
    if (about?.automatic === true) return undefined;
    const stopped = await whyStopped(store, { requester, rateLimits });
    return stopped === undefined ? undefined : notSentReason(rateLimits, stopped);
  }

  /** Whether the payment is as it was when this was confirmed, and says that it was. */
  async #isStillTrue({ id }: SmsBatch, { paymentId, of }: SmsSubject): Promise<boolean> {
    const payment = await this.#options.store.get('payment', paymentId);
    return payment !== undefined && suits(of, payment) && textOf(of, payment)?.batchId === id;
  }

  /** A chunk found `sending` may have gone out, also before a backup was brought back, so it is not sent again. */
  async #presumeLost(batch: SmsBatch): Promise<SmsBatch> {
    const { store, clock } = this.#options;
    const restored = await new ChargeFreeze(store).mark();
    const isFromBackup = restored !== undefined && batch.confirmedAtMs <= restored.sinceMs;
    const reason = isFromBackup
      ? 'It was restored from a backup, and may have been sent before.'
      : 'Paythread stopped while it was on its way.';
    const nowMs = clock.now();
    let current = batch;
    for (const [index, chunk] of batch.chunks.entries())
      if (chunk.state === 'sending' || (isFromBackup && chunk.state === 'waiting'))
        current = await this.#write(current, index, { ...chunk, state: 'unknown', reason }, nowMs);
    return current;
  }

  async #write(
    batch: SmsBatch,
    index: number,
    chunk: SmsChunk,
    dueAtMs: number,
  ): Promise<SmsBatch> {
    const { store, clock } = this.#options;
    const after: SmsBatch = {
      ...batch,
      version: batch.version + 1,
      due: { queue: 'sms', atMs: dueAtMs },
      chunks: batch.chunks.with(index, chunk),
    };
    const stored = await store.commit({
      put: [{ kind: 'sms', record: after }],
      audit: [
        {
          atMs: clock.now(),
          kind: 'sms',
          id: batch.id,
          what: `chunk ${chunk.uniqueId}`,
          before: batch.chunks[index]?.state ?? null,
          after: chunk.state,
          detail: { answer: chunk.answer, reason: chunk.reason },
        },
      ],
    });
    if (!stored) throw new Error(`SMS ${batch.id} is being sent by another worker`);
    return after;
  }

  /** Owes what tells the progress; refused where its message is being sent, which then tells it. */
  async #tell(owed: typeof smsBegun, batch: SmsBatch): Promise<void> {
    const { store, clock } = this.#options;
    const put = await owed(store, batch, clock.now());
    if (put.length > 0) await store.commit({ put });
  }

  async #finish(batch: SmsBatch): Promise<void> {
    const { store, onUnsent } = this.#options;
    const { id, about } = batch;
    const end: End = () => this.#endOf(batch);
    const text = isUnsent(batch) ? about : undefined;
    if (text !== undefined && (await onUnsent(text.paymentId, id, end))) return;
    await untilStored(`SMS ${id}`, async () => {
      const change = await end();
      // Refused: the outbox changed the notice of the progress, or the day counted more.
      return change === undefined || (await store.commit(change)) || STALE;
    });
  }

  async #endOf(batch: SmsBatch): ReturnType<End> {
    const { store, clock } = this.#options;
    const nowMs = clock.now();
    if ((await store.get('sms', batch.id))?.version !== batch.version) return undefined;
    const due = { queue: 'tidy', atMs: nowMs + KEEP_REPORTED_MS } as const;
    const record = { ...batch, version: batch.version + 1, due };
    const told = await smsFinished(store, batch, nowMs);
    const { recipients, merchant } = batch.terms;
    const isLarge = recipients.length >= LARGE_RUN;
    const asked = isLarge ? [await balancesDueNow(store, nowMs, merchant)] : [];
    const givenBack = await this.#givenBack(batch);
    return { put: [{ kind: 'sms', record }, ...told, ...asked, ...givenBack] };
  }

  /** What certainly did not go out does not count in the day of its requester. */
  async #givenBack({ requester, terms, chunks, confirmedAtMs }: SmsBatch): Promise<readonly Put[]> {
    const { unsent } = smsTally({ terms, chunks });
    if (unsent === 0) return [];
    const day = await readSmsDay(this.#options, requester);
    return [day.with(-unsent * partsOf(terms.text), confirmedAtMs)];
  }
}
