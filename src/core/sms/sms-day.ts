import type { Put, Setting } from '../records/records.ts';
import type { SmsBatch } from '../records/sms-batch.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { shortIdFrom } from '../values/transaction-id.ts';

/** Longer than a day of any time zone, and no longer than a batch that was reported is kept. */
const KEEP_MS = 48 * 3_600_000;

type Counted = { readonly batchId: string; readonly atMs: number; readonly partsEach: number };

/** What one person has had sent lately. Every confirmation changes it, so that two of them cannot both fit into one day. */
export class SmsDay {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #id: string;
  readonly #before: Setting | undefined;
  readonly #counted: readonly Counted[];

  private constructor(options: { store: Store; clock: Clock; id: string; before?: Setting }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#id = options.id;
    this.#before = options.before;
    this.#counted =
      options.before === undefined ? [] : (JSON.parse(options.before.value) as Counted[]);
  }

  /** As it stands now. `of` is `platform:id`. */
  static async of(needs: { store: Store; clock: Clock }, of: string): Promise<SmsDay> {
    const id = `sms-day:${shortIdFrom(of)}`;
    const before = await needs.store.get('setting', id);
    return new SmsDay({ ...needs, id, ...(before === undefined ? {} : { before }) });
  }

  /** Parts confirmed since then that went out or may have. */
  async partsSince(sinceMs: number): Promise<number> {
    let parts = 0;
    for (const { batchId, atMs, partsEach } of this.#counted)
      if (atMs >= sinceMs) parts += partsEach * recipientsOf(await this.#store.get('sms', batchId));
    return parts;
  }

  /** To be stored with the batch; refused when something was confirmed since this was read. */
  with(batchId: string, partsEach: number): Put {
    const nowMs = this.#clock.now();
    const recent = this.#counted.filter(({ atMs }) => nowMs - atMs < KEEP_MS);
    return {
      kind: 'setting',
      record: {
        id: this.#id,
        version: (this.#before?.version ?? 0) + 1,
        due: { queue: 'tidy', atMs: nowMs + KEEP_MS },
        value: JSON.stringify([...recent, { batchId, atMs: nowMs, partsEach }]),
      },
    };
  }
}

/** Refused and unsent ones cost nothing. A batch that is gone was reported more than a day ago. */
const recipientsOf = (batch: SmsBatch | undefined): number =>
  batch?.chunks
    .filter(({ state }) => state !== 'refused' && state !== 'not sent')
    .reduce((sum, { recipients }) => sum + recipients.length, 0) ?? 0;
