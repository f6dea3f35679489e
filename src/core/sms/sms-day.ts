import { KEEP_COUNTED_MS } from '../guards/limit-guards.ts';
import type { Put } from '../records/records.ts';
import { type CountedSms, type PartsOfQuarter, smsDayOf } from '../records/stored-values.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { Person } from '../values/conversation.ts';

/** The days of all zones begin with one of these. So a day has one small record, however much is sent. */
const QUARTER_MS = 900_000;

/** The SMS parts that count against one person's day; what a file still has to send is not among them. */
export type SmsDay = {
  /** Parts that were to be sent since then, and went out or may have. */
  partsSince(sinceMs: number): number;
  /**
   * To be stored with what sends so many parts; refused when something else was counted since this was read, so that
   * of two that fit only alone one is refused. Below zero: parts that were to be sent at `atMs` and never went out.
   */
  with(parts: number, atMs?: number): Put;
};

/** As stored now. */
export const readSmsDay = async (
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Clock },
  { platform, id }: Person,
): Promise<SmsDay> => {
  const stored = smsDayOf(`${platform}:${id}`);
  const before = await store.get('setting', stored.id);
  const earlier = stored.read(before) ?? [];
  const counted = await Promise.all(earlier.map((each) => inParts(store, each)));
  return {
    partsSince: (sinceMs) => sumOf(counted.filter(({ atMs }) => atMs >= sinceMs)),
    with: (parts, atMs = clock.now()) => {
      const nowMs = clock.now();
      const quarterMs = atMs - (atMs % QUARTER_MS);
      const recent = counted.filter((each) => nowMs - each.atMs < KEEP_COUNTED_MS);
      const others = recent.filter((each) => each.atMs !== quarterMs);
      const there = sumOf(recent.filter((each) => each.atMs === quarterMs));
      const due = { queue: 'tidy', atMs: nowMs + KEEP_COUNTED_MS } as const;
      return stored.put([...others, { atMs: quarterMs, parts: there + parts }], before, due);
    },
  };
};

const sumOf = (counted: readonly PartsOfQuarter[]): number =>
  counted.reduce((sum, { parts }) => sum + parts, 0);

/** Of a run, which 0.12 counted whole, the parts were stored for all its rows together. */
const inParts = async (store: Pick<Store, 'get'>, each: CountedSms): Promise<PartsOfQuarter> => {
  if ('parts' in each) return each;
  const recipients = (await store.get('sms', each.batchId))?.terms.recipients.length ?? 1;
  return { atMs: each.atMs, parts: each.partsEach * recipients };
};
