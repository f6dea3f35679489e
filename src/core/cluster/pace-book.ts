import { type Limit, limitWaitMs, NOTHING_TAKEN, type Usage, withOneTaken } from './limit.ts';

/** A limit of a chat platform on one key, such as a channel. */
export type PaceLimit = {
  readonly key: string;
  /** Places that have to stay free beside the one taken, for what matters more. @default 0 */
  readonly leave?: number;
  /** So many places of a sliding window go to questions before anything else, while questions come that fast. @default 0 */
  readonly questions?: number;
} & Limit;

/**
 * What a message is for, most important first: a question for which a customer waits at the counter, an end, a card,
 * an answer, and what may as well not be said.
 */
const WEIGHTS = ['question', 'outcome', 'card', 'answer', 'aside', 'pending'] as const;
export type Weight = (typeof WEIGHTS)[number];
const QUESTION = WEIGHTS.indexOf('question');

/** Who asks for a place; the same `id` each time it asks again, so that it keeps its turn. */
export type Turn = { readonly id: string; readonly weight: Weight };

/** `sinceMs`: when it first asked, in whichever line it waited then. Absent: an earlier version wrote it. */
type Waiter = {
  readonly id: string;
  readonly rank: number;
  readonly sinceMs?: number;
  readonly untilMs: number;
};

export type PaceEntry = Usage & {
  /** The places that questions took, of a limit with `questions`. */
  readonly askedAtMs?: readonly number[];
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
/** A turn comes back so much later than the one in front of it, which then goes first also when both have room. */
const BEHIND_MS = 100;
/** Between turns that came at one moment. */
const TIE_MS = 0.001;
/** Turns that one key remembers; those behind them come back later and are remembered then. */
const MOST_WAITING = 100;
/** How fast questions come is seen in a third of a window. */
const LATELY_PARTS = 3;
/** The places that are kept for questions become fewer with each one, so what waits for them asks again soon. */
const KEPT_FOR_MS = 3_000;

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
  const current = limits.map((_, at) => withoutLapsed(entries[at] ?? UNUSED, nowMs));
  const asking: Waiter = {
    id: turn.id,
    rank: WEIGHTS.indexOf(turn.weight),
    sinceMs: firstAskedMs(current, turn, nowMs),
    untilMs: 0,
  };
  const asked = limits.map((limit, at) => {
    const entry = current[at] ?? UNUSED;
    return { limit, entry, waitMs: waitMs(limit, entry, asking, nowMs) };
  });
  const longestMs = Math.max(0, ...asked.map((each) => each.waitMs));
  return {
    waitMs: Math.ceil(longestMs),
    entries: asked.map(({ limit, entry, waitMs: ownMs }) => {
      if (longestMs === 0) return taken(limit, withoutTurn(entry, turn), turn, nowMs);
      // It waits in one line, the slowest: in the others it would hold up turns that can go before it.
      return ownMs === longestMs
        ? withTurn(entry, asking, nowMs + longestMs + GRACE_MS)
        : withoutTurn(entry, turn);
    }),
  };
};

/** When a turn first asked, in whichever line it waits: it keeps its place when another becomes the slowest. No two are the same. */
const firstAskedMs = (entries: readonly PaceEntry[], { id }: Turn, nowMs: number): number => {
  const waiting = entries.flatMap((entry) => entry.waiting);
  const own = waiting.filter((each) => each.id === id);
  if (own.length > 0) return Math.min(...own.map(({ sinceMs = 0 }) => sinceMs));
  const latestMs = Math.max(0, ...waiting.map(({ sinceMs = 0 }) => sinceMs));
  return latestMs < nowMs ? nowMs : latestMs + TIE_MS;
};

/** Counts a message that went out without a turn. What is over the limit is not owed for longer than its window. */
export const spent = (limit: PaceLimit, entry: PaceEntry, nowMs: number): PaceEntry => {
  if ('burst' in limit) {
    const owedUntilMs = nowMs + limit.burst * limit.perMs;
    const owed = { ...entry, fullAtMs: Math.min(entry.fullAtMs, owedUntilMs) };
    const { fullAtMs } = withOneTaken(limit, owed, nowMs);
    return inUse({ ...entry, fullAtMs }, fullAtMs);
  }
  const { takenAtMs } = withOneTaken(limit, entry, nowMs);
  return inUse({ ...entry, takenAtMs }, nowMs + limit.windowMs);
};

const taken = (limit: PaceLimit, entry: PaceEntry, { weight }: Turn, nowMs: number): PaceEntry => {
  const next = spent(limit, entry, nowMs);
  if (limit.questions === undefined || weight !== 'question' || !('most' in limit)) return next;
  return { ...next, askedAtMs: [...askedWithin(limit.windowMs, entry, nowMs), nowMs] };
};

const askedWithin = (ms: number, { askedAtMs = [] }: PaceEntry, nowMs: number): number[] =>
  askedAtMs.filter((atMs) => atMs > nowMs - ms && atMs <= nowMs);

export const blocked = (entry: PaceEntry, untilMs: number): PaceEntry =>
  inUse({ ...entry, blockedUntilMs: untilMs }, untilMs);

const inUse = (entry: PaceEntry, untilMs: number): PaceEntry => ({
  ...entry,
  idleAtMs: Math.max(entry.idleAtMs, untilMs),
});

const waitMs = (limit: PaceLimit, entry: PaceEntry, turn: Waiter, nowMs: number): number => {
  const inFront = ahead(entry, turn);
  const places = inFront.length + 1 + (limit.leave ?? 0);
  const kept = turn.rank === QUESTION ? 0 : keptForQuestions(limit, entry, nowMs);
  const waits = [
    entry.blockedUntilMs - nowMs,
    limitWaitMs(limit, entry, nowMs, places),
    kept === 0 ? 0 : Math.min(KEPT_FOR_MS, limitWaitMs(limit, entry, nowMs, places + kept)),
    // Those that should be back already may have been given up.
    ...inFront
      .filter(({ rank }) => rank === turn.rank)
      .map(({ untilMs }) => untilMs - GRACE_MS - nowMs)
      .filter((backInMs) => backInMs > 0)
      .map((backInMs) => backInMs + BEHIND_MS),
  ];
  return Math.max(0, ...waits.filter((ms) => ms <= LONGEST_BLOCK_MS));
};

/** How many more questions a window will see if they go on as fast as lately; with those it has seen, `limit.questions` at most. */
const keptForQuestions = (limit: PaceLimit, entry: PaceEntry, nowMs: number): number => {
  if (limit.questions === undefined || !('most' in limit)) return 0;
  const { windowMs, questions } = limit;
  const lately = askedWithin(windowMs / LATELY_PARTS, entry, nowMs).length;
  const expected = Math.min(questions, lately * LATELY_PARTS);
  return Math.max(0, expected - askedWithin(windowMs, entry, nowMs).length);
};

/** The turns that go first. */
const ahead = ({ waiting }: PaceEntry, turn: Waiter): readonly Waiter[] =>
  waiting.filter((each) => each.id !== turn.id && inOrder(each, turn) < 0);

const inOrder = (one: Waiter, other: Waiter): number =>
  one.rank - other.rank || (one.sinceMs ?? 0) - (other.sinceMs ?? 0);

const withTurn = (entry: PaceEntry, turn: Waiter, untilMs: number): PaceEntry => {
  const { waiting } = withoutTurn(entry, turn);
  const all = [...waiting, { ...turn, untilMs }].sort(inOrder);
  return inUse({ ...entry, waiting: all.slice(0, MOST_WAITING) }, untilMs);
};

const withoutTurn = (entry: PaceEntry, { id }: Pick<Turn, 'id'>): PaceEntry => ({
  ...entry,
  waiting: entry.waiting.filter((each) => each.id !== id),
});

const withoutLapsed = (entry: PaceEntry, nowMs: number): PaceEntry => ({
  ...entry,
  waiting: entry.waiting.filter(
    ({ untilMs }) => untilMs >= nowMs && untilMs - nowMs <= LONGEST_BLOCK_MS + GRACE_MS,
  ),
});
