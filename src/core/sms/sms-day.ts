import type { Put, Setting } from '../records/records.ts';
import { type CountedSms, smsDayOf } from '../records/settings.ts';
import type { SmsBatch } from '../records/sms-batch.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';

/** Longer than a day of any time zone, and no longer than a reported batch is kept. */
const KEEP_MS = 48 * 3_600_000;

type Needs = { readonly store: Store; readonly clock: Clock };

/**
 * The SMS parts that count against one person's day. Every confirmation puts the next version, so that of two
 * that fit only alone one is refused.
 */
export class SmsDay {
  readonly #needs: Needs;
  readonly #person: string;
  readonly #before: Setting | undefined;
  readonly #counted: readonly CountedSms[];

  private constructor(needs: Needs, person: string, before: Setting | undefined) {
    this.#needs = needs;
    this.#person = person;
    this.#before = before;
    this.#counted = smsDayOf(person).read(before) ?? [];
  }

  /** As stored now. `person` is `platform:id`. */
  static async of(needs: Needs, person: string): Promise<SmsDay> {
    return new SmsDay(needs, person, await needs.store.get('setting', smsDayOf(person).id));
  }

  /** Parts confirmed since then that went out or may have. */
  async partsSince(sinceMs: number): Promise<number> {
    let parts = 0;
    for (const { batchId, atMs, partsEach } of this.#counted)
      if (atMs >= sinceMs)
        parts += partsEach * recipientsOf(await this.#needs.store.get('sms', batchId));
    return parts;
  }

  /** To be stored with the batch; refused when something was confirmed since this was read. */
  with(batchId: string, partsEach: number): Put {
    const nowMs = this.#needs.clock.now();
    const recent = this.#counted.filter(({ atMs }) => nowMs - atMs < KEEP_MS);
    return smsDayOf(this.#person).put(
      [...recent, { batchId, atMs: nowMs, partsEach }],
      this.#before,
      { queue: 'tidy', atMs: nowMs + KEEP_MS },
    );
  }
}

/** Refused and unsent chunks cost nothing. A batch that was removed was reported more than a day ago. */
const recipientsOf = (batch: SmsBatch | undefined): number =>
  batch?.chunks
    .filter(({ state }) => state !== 'refused' && state !== 'not sent')
    .reduce((sum, { recipients }) => sum + recipients.length, 0) ?? 0;
