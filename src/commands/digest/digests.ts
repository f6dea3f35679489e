import { oweNotices } from '../../core/notices/owed-notices.ts';
import { type Digest, digestsOf, digestWatch } from '../../core/records/digest.ts';
import { type Notice, newNotice } from '../../core/records/notice.ts';
import { collectedIn } from '../../core/records/payment-figures.ts';
import type { Setting } from '../../core/records/records.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { dayAt, isoDate } from '../../core/values/calendar-day.ts';
import { clockTimeOf } from '../../core/values/clock-time.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { removeRecord } from '../../core/work/remove-record.ts';
import { scopeOf } from '../figures/scope.ts';
import { type DigestFrom, makeDigests } from './digest-figures.ts';

/** A day's digest is compared with that of the next day; a shop may be shut for some days. */
const KEEP_MS = 14 * 24 * 3_600_000;
/** The words come first. */
const PICTURE_AFTER_MS = 2_000;

export type DigestPlan = {
  readonly places: readonly Conversation[];
  /** Minutes since midnight. */
  readonly atMinutes: number;
};

type DigestsOptions = DigestFrom & { readonly clock: Clock; readonly digest: DigestPlan };

/** Owes each day's summary to its conversations, once over all instances and restarts. */
export class Digests {
  readonly #options: DigestsOptions;

  constructor(options: DigestsOptions) {
    this.#options = options;
  }

  /** As due at once: the day may have been missed. Refused where another instance has it. */
  async begin(): Promise<void> {
    const { store, clock, digest } = this.#options;
    if (digest.places.length === 0) return;
    const earlier = await store.get('setting', digestWatch.id);
    const watched = digestWatch.read(earlier) ?? {};
    const due = { queue: 'check', atMs: clock.now() } as const;
    await store.commit({ put: [digestWatch.put(watched, earlier, due)] });
  }

  /** Tells the day if it is time and no instance has told it. */
  async serve(due: Setting): Promise<void> {
    const { store, clock, settings, digest } = this.#options;
    const { places, atMinutes } = digest;
    if (places.length === 0)
      return void (await removeRecord(store, { kind: 'setting', record: due }));
    const { timeZone } = settings;
    const nowMs = clock.now();
    const today = dayAt(nowMs, timeZone);
    const todayMs = clockTimeOf(today, atMinutes, timeZone);
    const next = (atMs: number) => ({ queue: 'check', atMs }) as const;
    const tomorrow = next(clockTimeOf(today + 1, atMinutes, timeZone));
    // A later one was told by a clock that was ahead, and is told once more.
    const watched = digestWatch.read(due)?.last;
    const lastDay = Math.min(watched ?? today, today);
    const ofToday = digestsOf(today);
    const earlier = await store.get('setting', ofToday.id);
    const isTold = earlier !== undefined && lastDay === today;
    if (nowMs < todayMs || isTold) {
      const again = digestWatch.put({ last: lastDay }, due, isTold ? tomorrow : next(todayMs));
      return void (await store.commit({ put: [again] }));
    }
    const ofLast = digestsOf(lastDay);
    const last = (await ofLast.in(store)) ?? [];
    const scopes = places.map((place) => scopeOf(place, this.#options));
    const toldDay = Math.min(watched ?? today - 1, today - 1);
    const asked = { day: today, atMs: nowMs, toldDay, last };
    const digests = await makeDigests(this.#options, scopes, asked);
    const notices = places.flatMap((conversation, at) =>
      noticesOf(digests[at], { conversation, at, id: ofToday.id }, clock.now()),
    );
    // Refused: another instance told the day.
    await store.commit({
      put: [
        ofToday.put(digests, earlier, { queue: 'tidy', atMs: nowMs + KEEP_MS }),
        digestWatch.put({ last: today }, due, tomorrow),
        ...(await oweNotices(store, notices)),
      ],
    });
  }
}

/** The digest, and behind it the picture of each week or month in which something was collected. */
const noticesOf = (
  digest: Digest | undefined,
  { id, at, conversation }: { id: string; at: number; conversation: Conversation },
  nowMs: number,
): Notice[] => {
  if (digest === undefined) return [];
  const about = { day: isoDate(digest.day), at };
  const ofDigest = `${id}.${at + 1}`;
  const words = { id: ofDigest, about: { kind: 'digest', ...about }, conversation } as const;
  const pictured = (digest.periods ?? []).filter(({ figures }) => collectedIn(figures).length > 0);
  const pictures = pictured.map(({ of }) => {
    const picture = { kind: 'digest picture', ...about, of } as const;
    const notice = { id: `${ofDigest}.${of}`, about: picture, conversation };
    return newNotice(notice, nowMs, nowMs + PICTURE_AFTER_MS);
  });
  return [newNotice(words, nowMs), ...pictures];
};
