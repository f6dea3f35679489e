import { type Limit, limitWaitMs, NOTHING_TAKEN, type Usage, withOneTaken } from './limit.ts';

/** A limit of a chat platform on one key, such as a channel. */
export type PaceLimit = {
  readonly key: string;
  /** Places that have to stay free beside the one taken, for what matters more. @default 0 */
  readonly leave?: number;
} & Limit;

/** What a message is for, most important first: an end, a card, an answer, and what may as well not be said. */
const WEIGHTS = ['outcome', 'card', 'answer', 'aside', 'pending'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** Who asks for a place; the same `id` each time it asks again, so that it keeps its turn. */
export type Turn = { readonly id: string; readonly weight: Weight };

type Waiter = { readonly id: string; readonly rank: number; readonly untilMs: number };

export type PaceEntry = Usage & {
  readonly blockedUntilMs: number;
  /** Turns that this key refused, in the order of their weight and then of their arrival. */
  readonly waiting: readonly Waiter[];
  /** From then on it is as if it had never been used. */
  readonly idleAtMs: number;
};

export const UNUSED: PaceEntry = {
  ...NOTHING_TAKEN,
  blockedUntilMs: 0,
  waiting: [],
  idleAtMs: 0,
};

/** A turn that does not come back this long after its time has been given up. A busy process may well be late. */
const GRACE_MS = 30_000;
/** The longest that anything waits here: what would wait longer was written by a clock that was ahead. */
export const LONGEST_BLOCK_MS = 24 * 3_600_000;
/** Turns that one key remembers; those behind them come back later and are remembered then. */
const MOST_WAITING = 100;

/** `entries`: what there is to remember of the keys of `limits`, in their order. */
export type Taken = { readonly waitMs: number; readonly entries: readonly PaceEntry[] };

/**
 * Takes one place of every limit and returns 0; or takes none and returns how many ms to wait. A turn goes
 * ahead of those of less weight and of those of the same weight that came later. Pure.
 */
export const takePlaces = (
  limits: readonly PaceLimit[],
  entries: readonly PaceEntry[],
  turn: Turn,
  nowMs: number,
): Taken => {
  const asked = limits.map((limit, at) => {
    const entry = withoutLapsed(entries[at] ?? UNUSED, nowMs);
    return { limit, entry, waitMs: waitMs(limit, entry, turn, nowMs) };
  });
  const longestMs = Math.max(0, ...asked.map((each) => each.waitMs));
  return {
    waitMs: Math.ceil(longestMs),
    entries: asked.map(({ limit, entry, waitMs: ownMs }) => {
      if (longestMs === 0) return spent(limit, withoutTurn(entry, turn), nowMs);
      // It waits in one line, the slowest: in the others it would hold up turns that can go before it.
      return ownMs === longestMs
        ? withTurn(entry, turn, nowMs + longestMs + GRACE_MS)
        : withoutTurn(entry, turn);
    }),
  };
};

/** Counts a message that went out without a turn. What is over the limit is not owed for longer than its window. */
export const spent = (limit: PaceLimit, entry: PaceEntry, nowMs: number): PaceEntry => {
  if ('burst' in limit) {
    const owedUntilMs = nowMs + limit.burst * limit.perMs;
    const owed = { ...entry, fullAtMs: Math.min(entry.fullAtMs, owedUntilMs) };
    const { fullAtMs } = withOneTaken(limit, owed, nowMs);
    return { ...entry, fullAtMs, idleAtMs: Math.max(entry.idleAtMs, fullAtMs) };
  }
  const { takenAtMs } = withOneTaken(limit, entry, nowMs);
  return { ...entry, takenAtMs, idleAtMs: Math.max(entry.idleAtMs, nowMs + limit.windowMs) };
};

export const blocked = (entry: PaceEntry, untilMs: number): PaceEntry => ({
  ...entry,
  blockedUntilMs: untilMs,
  idleAtMs: Math.max(entry.idleAtMs, untilMs),
});

const waitMs = (limit: PaceLimit, entry: PaceEntry, turn: Turn, nowMs: number): number => {
  const places = ahead(entry, turn) + 1 + (limit.leave ?? 0);
  const waits = [entry.blockedUntilMs - nowMs, limitWaitMs(limit, entry, nowMs, places)];
  return Math.max(0, ...waits.filter((ms) => ms <= LONGEST_BLOCK_MS));
};

/** How many turns go first. */
const ahead = ({ waiting }: PaceEntry, { id, weight }: Turn): number => {
  const own = waiting.findIndex((each) => each.id === id);
  const rank = WEIGHTS.indexOf(weight);
  return own >= 0 ? own : waiting.filter((each) => each.rank <= rank).length;
};

const withTurn = (entry: PaceEntry, { id, weight }: Turn, untilMs: number): PaceEntry => {
  const turn: Waiter = { id, rank: WEIGHTS.indexOf(weight), untilMs };
  const isKnown = entry.waiting.some((each) => each.id === id);
  const waiting = isKnown
    ? entry.waiting.map((each) => (each.id === id ? turn : each))
    : [...entry.waiting, turn];
  // Stable, so those of the same weight stay in the order they came.
  return {
    ...entry,
    waiting: waiting.sort((one, other) => one.rank - other.rank).slice(0, MOST_WAITING),
    idleAtMs: Math.max(entry.idleAtMs, untilMs),
  };
};

const withoutTurn = (entry: PaceEntry, { id }: Turn): PaceEntry => ({
  ...entry,
  waiting: entry.waiting.filter((each) => each.id !== id),
});

const withoutLapsed = (entry: PaceEntry, nowMs: number): PaceEntry => ({
  ...entry,
  waiting: entry.waiting.filter(
    ({ untilMs }) => untilMs >= nowMs && untilMs - nowMs <= LONGEST_BLOCK_MS + GRACE_MS,
  ),
});
