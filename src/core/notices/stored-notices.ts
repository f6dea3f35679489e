import type { Due } from '../records/due.ts';
import type { Notice } from '../records/notice.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import { LEASE_MS } from '../work/worker.ts';
import { editPaceMs } from './notice-kinds.ts';

/** Stores what became of a notice, with its audit row. False: a newer notice has taken this one's place, and is served by itself. */
export class StoredNotices {
  readonly #store: Pick<Store, 'get' | 'commit'>;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Pick<Store, 'get' | 'commit'>; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * An outcome that waited for its time is stored as tried before it is, so that its end follows it also if the process dies:
   * the time alone would not tell, where the clock was ahead. Undefined: a newer notice was stored.
   */
  async begin(notice: Notice): Promise<Notice | undefined> {
    const { about, version, due, createdAtMs } = notice;
    const hasWaited = due !== undefined && due.atMs > createdAtMs;
    if (about.kind !== 'outcome' || version > 1 || !hasWaited) return notice;
    // As with a lease, no other process tries it before.
    const again = { queue: 'notice', atMs: this.#clock.now() + LEASE_MS } as const;
    const tried: Notice = { ...notice, version: version + 1, due: again };
    const isStored = await this.#store.commit({ put: [{ kind: 'notice', record: tried }] });
    return isStored ? tried : undefined;
  }

  /** It is served again, not before `atMs`. */
  owe(notice: Notice, atMs: number, what: string): Promise<boolean> {
    const nextMs = this.#clock.now() + editPaceMs(notice);
    return this.#commit(notice, what, { queue: 'notice', atMs: Math.max(atMs, nextMs) });
  }

  /** Owes a notice as `next` makes it from the newest one of its id. Undefined: there is nothing to owe. */
  async oweNext(
    id: string,
    what: string,
    next: (newest: Notice | undefined) => Notice | undefined,
  ): Promise<void> {
    await untilStored(`notice ${id}`, async () => {
      const notice = next(await this.#store.get('notice', id));
      return notice === undefined || (await this.owe(notice, this.#clock.now(), what)) || STALE;
    });
  }

  /** It is done, and removed after that time. */
  keep(notice: Notice, forMs: number, what: string): Promise<boolean> {
    return this.#commit(notice, what, { queue: 'tidy', atMs: this.#clock.now() + forMs });
  }

  /** Its audit row alone. */
  audit(notice: Notice, what: string): Promise<boolean> {
    return this.#commit(notice, what);
  }

  #commit(notice: Notice, what: string, due?: Due): Promise<boolean> {
    const { id, version, conversation: where } = notice;
    const record = due && { ...notice, version: version + 1, due };
    const before = noticeWord(notice);
    return this.#store.commit({
      put: record === undefined ? [] : [{ kind: 'notice', record }],
      audit: [{ atMs: this.#clock.now(), kind: 'notice', id, what, before, after: null, where }],
    });
  }
}

const noticeWord = ({ about }: Notice): string =>
  about.kind === 'outcome' ? `outcome ${about.of}` : about.kind;
