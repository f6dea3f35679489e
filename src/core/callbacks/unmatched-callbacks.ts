import { createHash } from 'node:crypto';
import type { Alerts } from '../notices/alerts.ts';
import type { AuditRow, Setting } from '../records/records.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { KeyedLock } from '../runtime/keyed-lock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import { isTransactionId } from '../values/transaction-id.ts';

/** A callback at an issued address for a payment that is not in the store, as after a restore from a backup. */
export type UnmatchedCallback = {
  readonly paymentId: string;
  readonly firstAtMs: number;
  /** The beginning of its body, unproven as with every callback. */
  readonly body: string;
};

/** Spread over this many records, so that adding a callback rewrites little, and bounded in each. */
const SHELVES = 64;
const MOST_ON_A_SHELF = 50;
const LONGEST_BODY = 500;
/** Ids that were refused are remembered, so that a repeated callback is logged once. */
const MOST_TURNED_AWAY = 1_000;
/** Dropped after this, whether `npm run reconcile` was run or not. */
const KEEP_MS = 90 * 24 * 3_600_000;

/** Keeps unmatched callbacks for `npm run reconcile`, which asks the service about them. */
export class UnmatchedCallbacks {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #alerts: Alerts | undefined;
  readonly #lock = new KeyedLock();
  readonly #turnedAway = new BoundedMap<string, true>(MOST_TURNED_AWAY);

  constructor(options: { store: Store; clock: Clock; log: Log; alerts?: Alerts }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#alerts = options.alerts;
  }

  /** `kept`: it is durable; `full`: there are too many, so the service has to send it again; `not ours`: no such id was ever made. */
  async keep(paymentId: string, body: string): Promise<'kept' | 'full' | 'not ours'> {
    if (!isTransactionId(paymentId)) return 'not ours';
    const shelf = shelfOf(paymentId);
    return this.#lock.run(shelf, () => this.#keep(shelf, paymentId, body));
  }

  /** All that are kept, oldest first. */
  async all(): Promise<UnmatchedCallback[]> {
    const shelves = await Promise.all(
      Array.from({ length: SHELVES }, (_, n) => this.#store.get('setting', shelfNamed(n))),
    );
    return shelves.flatMap(callbacksOn).sort((a, b) => a.firstAtMs - b.firstAtMs);
  }

  async #keep(shelf: string, paymentId: string, body: string): Promise<'kept' | 'full'> {
    const earlier = await this.#store.get('setting', shelf);
    const nowMs = this.#clock.now();
    const known = callbacksOn(earlier).filter(({ firstAtMs }) => nowMs - firstAtMs < KEEP_MS);
    if (known.some((each) => each.paymentId === paymentId)) return 'kept';
    if (known.length >= MOST_ON_A_SHELF) {
      this.#turnAway(paymentId);
      return 'full';
    }
    const stray = { paymentId, firstAtMs: nowMs, body: body.slice(0, LONGEST_BODY) };
    const version = (earlier?.version ?? 0) + 1;
    const value = JSON.stringify([...known, stray]);
    const stored = await this.#store.commit({
      put: [{ kind: 'setting', record: { id: shelf, version, value } }],
      audit: [
        {
          atMs: nowMs,
          kind: 'setting',
          id: shelf,
          what: 'stray callback',
          before: null,
          after: null,
          detail: { ...stray },
        },
      ],
    });
    // Stale: another instance changed the same shelf first.
    if (!stored) return this.#keep(shelf, paymentId, body);
    this.#log.error(
      { payment: paymentId },
      'a callback came for a payment that is not stored here, as after going back to a backup: run "npm run reconcile"',
    );
    await this.#alerts?.raise('stray', { kind: 'stray callback', paymentId });
    return 'kept';
  }

  /** Logs the id, which is stored nowhere, once: a flood must not bury it. */
  #turnAway(paymentId: string): void {
    if (this.#turnedAway.has(paymentId)) return;
    this.#turnedAway.set(paymentId, true);
    this.#log.error(
      { payment: paymentId },
      'a callback for a payment that is not stored here could not be kept: run "npm run reconcile"',
    );
  }
}

/** Whether a setting holds unmatched callbacks. */
export const isShelf = ({ id }: Setting): boolean => id.startsWith(SHELF);

/** The same shelf, with the bodies of some of its callbacks emptied; their ids still have to be asked about. */
export const withoutBodies = (
  shelf: Setting,
  isMeant: (stray: UnmatchedCallback) => boolean,
): Setting => {
  const strays = callbacksOn(shelf);
  const emptied = strays.map((stray) => (isMeant(stray) ? { ...stray, body: '' } : stray));
  const isSame = emptied.every(({ body }, at) => body === strays[at]?.body);
  return isSame ? shelf : { ...shelf, value: JSON.stringify(emptied) };
};

/** The callback in a row of the audit trail; undefined: the row is about something else, or its body was emptied. */
export const strayRowOf = ({ kind, what, detail }: AuditRow): UnmatchedCallback | undefined =>
  kind === 'setting' && what === 'stray callback' && typeof detail?.['body'] === 'string'
    ? // Only Paythread writes it.
      (detail as UnmatchedCallback)
    : undefined;

const SHELF = 'stray-callbacks.';
const shelfNamed = (n: number): string => `${SHELF}${n}`;

const shelfOf = (paymentId: string): string =>
  shelfNamed((createHash('sha256').update(paymentId).digest()[0] ?? 0) % SHELVES);

/** Only Paythread writes it. */
const callbacksOn = (shelf: Setting | undefined): UnmatchedCallback[] =>
  shelf === undefined ? [] : (JSON.parse(shelf.value) as UnmatchedCallback[]);
