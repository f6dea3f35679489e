import { createHash } from 'node:crypto';
import type { Alerts } from '../notices/alerts.ts';
import type { AuditRow, Setting } from '../records/records.ts';
import { callbackShelf, shelvedIn, type UnmatchedCallback } from '../records/stored-values.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { KeyedLock } from '../runtime/keyed-lock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import { isTransactionId } from '../values/transaction-id.ts';

const SHELVES = 64;
const MOST_ON_A_SHELF = 50;
const LONGEST_BODY = 500;
/** Ids that were refused are remembered, so that a repeated callback is logged once. */
const MOST_TURNED_AWAY = 1_000;
/** Dropped after this, whether `npm run reconcile` was run or not. */
const KEEP_MS = 90 * 24 * 3_600_000;

type UnmatchedCallbacksOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: no alert is sent. */
  readonly alerts?: Alerts;
};

/** Keeps unmatched callbacks for `npm run reconcile`, which asks the service about them. */
export class UnmatchedCallbacks {
  readonly #options: UnmatchedCallbacksOptions;
  readonly #lock = new KeyedLock();
  readonly #turnedAway = new BoundedMap<string, true>(MOST_TURNED_AWAY);

  constructor(options: UnmatchedCallbacksOptions) {
    this.#options = options;
  }

  /** `kept`: it is durable; `full`: there are too many, so the service has to send it again; `not ours`: no such id was ever made. */
  async keep(paymentId: string, body: string): Promise<'kept' | 'full' | 'not ours'> {
    if (!isTransactionId(paymentId)) return 'not ours';
    const shelf = (createHash('sha256').update(paymentId).digest()[0] ?? 0) % SHELVES;
    return this.#lock.run(String(shelf), () =>
      untilStored(`shelf ${shelf}`, () => this.#keep(shelf, paymentId, body)),
    );
  }

  async all(): Promise<UnmatchedCallback[]> {
    const shelves = await Promise.all(
      Array.from({ length: SHELVES }, (_, n) => callbackShelf(n).in(this.#options.store)),
    );
    return shelves.flatMap((shelf = []) => shelf).sort((a, b) => a.firstAtMs - b.firstAtMs);
  }

  async #keep(
    shelfNumber: number,
    paymentId: string,
    body: string,
  ): Promise<'kept' | 'full' | typeof STALE> {
    const { store, clock, log, alerts } = this.#options;
    const shelf = callbackShelf(shelfNumber);
    const earlier = await store.get('setting', shelf.id);
    const nowMs = clock.now();
    const stored = shelf.read(earlier) ?? [];
    const known = stored.filter(({ firstAtMs }) => nowMs - firstAtMs < KEEP_MS);
    if (known.some((each) => each.paymentId === paymentId)) return 'kept';
    if (known.length >= MOST_ON_A_SHELF) {
      this.#turnAway(paymentId);
      return 'full';
    }
    const unmatched = { paymentId, firstAtMs: nowMs, body: body.slice(0, LONGEST_BODY) };
    const row = { atMs: nowMs, kind: 'setting', id: shelf.id, what: 'stray callback' } as const;
    const isStored = await store.commit({
      put: [shelf.put([...known, unmatched], earlier)],
      audit: [{ ...row, before: null, after: null, detail: unmatched }],
    });
    if (!isStored) return STALE;
    log.error(
      { payment: paymentId },
      'a callback came for a payment that is not stored here, as after going back to a backup: run "npm run reconcile"',
    );
    await alerts?.raise('stray', { kind: 'stray callback', paymentId });
    return 'kept';
  }

  /** Logs the id, which is stored nowhere, once: a flood must not bury it. */
  #turnAway(paymentId: string): void {
    if (this.#turnedAway.has(paymentId)) return;
    this.#turnedAway.set(paymentId, true);
    this.#options.log.error(
      { payment: paymentId },
      'a callback for a payment that is not stored here could not be kept: run "npm run reconcile"',
    );
  }
}

/** The same setting, with the bodies of some callbacks emptied. Their ids still have to be asked about. */
export const withoutBodies = (
  setting: Setting,
  isMeant: (unmatched: UnmatchedCallback) => boolean,
): Setting => {
  const shelved = shelvedIn(setting);
  if (shelved?.some((each) => each.body !== '' && isMeant(each)) !== true) return setting;
  const emptied = shelved.map((each) => (isMeant(each) ? { ...each, body: '' } : each));
  return { ...setting, value: JSON.stringify(emptied) };
};

/** The callback in a row of the audit trail; undefined: the row is about something else, or its body was emptied. */
export const unmatchedRowOf = ({ kind, what, detail }: AuditRow): UnmatchedCallback | undefined =>
  kind === 'setting' && what === 'stray callback' && typeof detail?.['body'] === 'string'
    ? // Only Paythread writes it.
      (detail as UnmatchedCallback)
    : undefined;
