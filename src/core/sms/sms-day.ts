import { isSmsRun } from '../records/bulk.ts';
import type { Put } from '../records/records.ts';
import { smsDayOf } from '../records/settings.ts';
import type { SmsBatch } from '../records/sms-batch.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';

/** Longer than a day of any time zone, and no longer than a reported batch is kept. */
const KEEP_MS = 48 * 3_600_000;

/** The SMS parts that count against one person's day. */
export type SmsDay = {
  /** Parts confirmed since then that went out or may have. */
  partsSince(sinceMs: number): Promise<number>;
  /**
   * To be stored with a confirmed batch; refused when something was confirmed since this was read, so that of two
   * that fit only alone one is refused. Of a run its id, and the parts of all rows.
   */
  with(batchId: string, partsEach: number): Put;
};

/** As stored now. `person` is `platform:id`. */
export const readSmsDay = async (
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  person: string,
): Promise<SmsDay> => {
  const setting = smsDayOf(person);
  const before = await store.get('setting', setting.id);
  const counted = setting.read(before) ?? [];
  return {
    partsSince: async (sinceMs) => {
      let parts = 0;
      for (const { batchId, partsEach } of counted.filter(({ atMs }) => atMs >= sinceMs))
        parts += partsEach * (await shareSent(store, batchId));
      return Math.ceil(parts);
    },
    with: (batchId, partsEach) => {
      const nowMs = clock.now();
      const recent = counted.filter(({ atMs }) => nowMs - atMs < KEEP_MS);
      const due = { queue: 'tidy', atMs: nowMs + KEEP_MS } as const;
      return setting.put([...recent, { batchId, atMs: nowMs, partsEach }], before, due);
    },
  };
};

/** Recipients of a batch, or what of a run is or will be sent; 0 of a batch that was removed: it was reported more than a day ago. */
const shareSent = async (store: Pick<Store, 'get'>, id: string): Promise<number> => {
  const batch = await store.get('sms', id);
  if (batch !== undefined) return recipientsOf(batch);
  const run = await store.get('bulk', id);
  if (run === undefined || !isSmsRun(run)) return 0;
  return run.status === 'stopped' ? run.next / run.terms.rows : 1;
};

/** Refused and unsent chunks cost nothing. */
const recipientsOf = ({ chunks }: SmsBatch): number =>
  chunks
    .filter(({ state }) => state !== 'refused' && state !== 'not sent')
    .reduce((sum, { recipients }) => sum + recipients.length, 0);
