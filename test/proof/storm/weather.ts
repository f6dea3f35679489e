import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import type { Instance, Trouble } from './instances.ts';

/** Longer than a lease (45 s): whatever the paused one had in hand is done by the other meanwhile. */
const LONG_PAUSE_MS = { least: 47_000, most: 60_000 };
/** A storm shorter than this has no room for such a pause. */
const LONG_ENOUGH_MS = 90_000;

/**
 * Kills, pauses and rolls instances at moments nobody chose, until `endMs`. One trouble at a time; only
 * during a long pause the other instance has short ones, so that somebody is always back soon.
 */
export const blow = async (
  [one, other]: readonly [Instance, Instance],
  dice: Dice,
  { endMs, signal }: { endMs: number; signal: AbortSignal },
): Promise<void> => {
  const bag: Trouble['kind'][] = [];
  const isLong = endMs - Date.now() >= LONG_ENOUGH_MS;
  const goesOn = () => Date.now() < endMs && !signal.aborted;
  while (goesOn()) {
    // Now and then a lull, in which whole payments live in peace: there everything must be told exactly once.
    await sleep(
      isLong && dice.chance(0.15) ? dice.between(12_000, 20_000) : dice.between(500, 3_500),
    );
    if (!goesOn()) return;
    const [victim, spared] = dice.chance(0.5) ? [one, other] : [other, one];
    const forMs = dice.between(LONG_PAUSE_MS.least, LONG_PAUSE_MS.most);
    if (isLong && dice.chance(0.07) && Date.now() + forMs < endMs)
      await longPause(victim, spared, dice, { forMs, signal });
    else await trouble(victim, drawn(bag, dice), dice);
  }
};

/** Everything in turn, in an order nobody chose, so that a short storm has some of each. */
const drawn = (bag: Trouble['kind'][], dice: Dice): Trouble['kind'] => {
  if (bag.length === 0) bag.push('kill', 'kill', 'pause', 'pause', 'roll');
  return bag.splice(dice.whole(0, bag.length - 1), 1)[0] ?? 'kill';
};

const trouble = (victim: Instance, kind: Trouble['kind'], dice: Dice): Promise<void> => {
  switch (kind) {
    case 'kill':
      return victim.kill(dice.chance(0.5) ? 0 : dice.between(0, 4_000));
    case 'pause':
      return victim.pause(dice.chance(0.5) ? dice.between(50, 1_500) : dice.between(1_500, 9_000));
    case 'roll':
      return victim.roll();
  }
};

const longPause = async (
  victim: Instance,
  spared: Instance,
  dice: Dice,
  { forMs, signal }: { forMs: number; signal: AbortSignal },
): Promise<void> => {
  const over = new AbortController();
  const pause = victim.pause(forMs).finally(() => over.abort());
  while (!over.signal.aborted && !signal.aborted) {
    await sleep(dice.between(4_000, 12_000), undefined, { signal: over.signal }).catch(() => {});
    if (over.signal.aborted || signal.aborted) break;
    if (dice.chance(0.5)) await spared.kill(0);
    else await spared.pause(dice.between(50, 2_000));
  }
  await pause;
};
