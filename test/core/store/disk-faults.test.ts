import { describe, expect, it } from 'vitest';
import { Dice } from '../../proof/storm/dice.ts';
import type { DiskFault, DiskOperation } from '../../support/memory-disk.ts';
import { StoreHistory } from '../../support/store-history.ts';
import { DATA_DIR, type Step, StoreLife } from '../../support/store-life.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Single commits and crowds, checkpoints with archives, a stop, a new month. */
const steps: readonly Step[] = [
  { commit: 1 },
  { commit: 4 },
  { waitMs: 10 * MINUTE_MS },
  { commit: 5 },
  { waitMs: 10 * MINUTE_MS },
  'stop and start',
  { commit: 6 },
  { waitMs: 5 * 60 * MINUTE_MS },
  { commit: 1 },
  { commit: 7, waitMs: 10 * MINUTE_MS },
  { commit: 3 },
];
const history = new StoreHistory(60);

const aLife = (dice: Dice, what = steps): StoreLife =>
  new StoreLife({ history, steps: what, random: () => dice.between(0, 1) });

/** Names in the folders above are the machine's to keep; a system that cannot write those stops writing at all. */
const isAbove = ({ path }: DiskOperation): boolean => !path.startsWith(DATA_DIR);

/** A process says once, in one sentence, why it stops, and asks nothing more of the file that failed it. */
const expectOneSentence = (life: StoreLife): void => {
  for (const told of life.fatal) expect(told.length).toBeLessThanOrEqual(1);
  for (const sentence of life.fatal.flat())
    expect(sentence).toMatch(
      /^The (journal|snapshot|lock of the data folder) could not be (written|kept), so Paythread has to stop\.$/,
    );
};

describe('a life on a disk in memory', () => {
  it('is the same each time with the same seed: nothing in the store is left to real time or chance', {
    tags: ['I18'],
  }, async () => {
    const told = async () => {
      const life = aLife(new Dice(7));
      await life.live(({ n }) => (n === 150 ? 'crash' : undefined));
      await life.live();
      const journal = await life.disk.readFile(`${DATA_DIR}/journal-2026-01.ndjson`);
      return [life.asked, journal.toString()];
    };
    expect(await told()).toEqual(await told());
  });
});

describe.each(['crash', 'kill', 'EIO', 'ENOSPC', 'EMFILE'] as const)(
  'when %s comes with the n-th thing asked of the disk',
  (fault) => {
    it('everything acknowledged is there at the next start and nothing in parts, for every n', {
      tags: ['F38'],
    }, async () => {
      let n = 0;
      for (let asked = 0; asked >= n; ) {
        n++;
        const life = aLife(new Dice(n));
        const strikes = (one: DiskOperation) => one.n === n && !(fault === 'EIO' && isAbove(one));
        await life.live((one) => (strikes(one) ? fault : undefined));
        asked = life.asked.length;
        if (n % 2 === 0) life.cutPower();
        await life.expectWhole();
        expectOneSentence(life);
      }
    });
  },
);

describe('a second accident during the recovery from the first', () => {
  it.each(['crash', 'kill', 'EIO'] as const)('loses nothing either: %s', async (fault) => {
    for (let n = 1; n < 90; n++) {
      const dice = new Dice(n);
      const life = aLife(dice);
      const first = dice.whole(20, 330);
      await life.live((one) => (one.n === first ? dice.pick(['crash', 'kill', 'EIO']) : undefined));
      if (dice.chance(0.5)) life.cutPower();
      await life.live((one) => (one.n === n && !isAbove(one) ? fault : undefined));
      if (dice.chance(0.5)) life.cutPower();
      await life.expectWhole();
      expectOneSentence(life);
    }
  });
});

describe('any accidents in any order', () => {
  const randomSteps = (dice: Dice): Step[] => {
    const all: Step[] = [];
    for (let left = 60; left > 0; ) {
      const commit = Math.min(left, dice.pick([1, 1, 2, 3, 5, 8]));
      left -= commit;
      all.push(dice.chance(0.2) ? { commit, waitMs: 10 * MINUTE_MS } : { commit });
      if (dice.chance(0.3)) all.push({ waitMs: dice.pick([10, 11, 600, 1500]) * MINUTE_MS });
      if (dice.chance(0.15)) all.push({ setMs: dice.pick([-DAY_MS, -600_000, 600_000, DAY_MS]) });
      if (dice.chance(0.1)) all.push('stop and start');
    }
    return all;
  };

  const badLuck = (dice: Dice) => {
    const at = dice.whole(1, 500);
    const fault = dice.pick(['crash', 'kill', 'EIO', 'ENOSPC', 'EMFILE', 'EROFS']);
    const isShortOften = dice.chance(0.3);
    return (one: DiskOperation): DiskFault | undefined => {
      if (one.n === at && !isAbove(one)) return fault;
      return isShortOften && dice.chance(0.3) ? 'short' : undefined;
    };
  };

  it('lose nothing that was acknowledged, in 300 lives of five starts', async () => {
    const ends = { done: 0, died: 0, refused: 0 };
    for (let seed = 1; seed <= 300; seed++) {
      const dice = new Dice(seed);
      const life = aLife(dice, randomSteps(dice));
      try {
        for (let starts = dice.whole(1, 5); starts > 0; starts--) {
          ends[await life.live(badLuck(dice))]++;
          if (dice.chance(0.5)) life.cutPower();
        }
        await life.expectWhole();
        expectOneSentence(life);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    expect(ends.died).toBeGreaterThan(300);
    expect(ends.refused).toBeGreaterThan(20);
  });
});

/** More flushes than a life without accidents asks for. */
const FLUSHES = 60;

const isFlush = (one: DiskOperation): boolean => /sync$/.test(one.kind) && !isAbove(one);

/** What happens at the n-th of some operations. */
const atThe = (n: number, what: DiskFault, which: (one: DiskOperation) => boolean) => {
  let left = n;
  return (one: DiskOperation) => (which(one) && --left === 0 ? what : undefined);
};

describe('a power cut in the middle of a flush', () => {
  it('loses and tears what it likes of it, and nothing else', async () => {
    for (let n = 1; n <= FLUSHES; n++)
      for (let seed = 1; seed <= 8; seed++) {
        const life = aLife(new Dice(seed));
        await life.live(atThe(n, 'crash', isFlush));
        await life.expectWhole();
      }
  });
});

describe('a new journal whose maker was killed', () => {
  it('is still there when the next process used it and the power is cut then', async () => {
    const isNewJournal = ({ kind, path }: DiskOperation) =>
      kind === 'sync' && path.includes('journal');
    for (let nth = 1; nth <= 2; nth++)
      for (let cutAt = 20; cutAt < 120; cutAt++) {
        const life = aLife(new Dice(cutAt));
        await life.live(atThe(nth, 'kill', isNewJournal));
        await life.live((one) => (one.n === cutAt ? 'crash' : undefined));
        await life.expectWhole();
      }
  });
});

const isNewFolder = (one: DiskOperation): boolean => one.kind === 'sync' && isAbove(one);

describe('a new folder whose maker was killed', () => {
  it('is still there after a power cut, whichever of its flushes failed at the next start', async () => {
    for (let killedAt = 1; killedAt <= 3; killedAt++)
      for (let failedAt = 1; failedAt <= 3; failedAt++)
        for (let seed = 1; seed <= 6; seed++) {
          const life = aLife(new Dice(seed));
          await life.live(atThe(killedAt, 'kill', isNewFolder));
          expect(await life.live(atThe(failedAt, 'EIO', isNewFolder))).toBe('refused');
          await life.live((one) => (one.n === 100 ? 'crash' : undefined));
          await life.expectWhole();
        }
  });
});

describe('a new folder whose flush failed', () => {
  it('is still there after a power cut, however soon its maker was killed before it was made anew', async () => {
    for (let failedAt = 1; failedAt <= 3; failedAt++)
      for (let killedAfter = 1; killedAfter <= 8; killedAfter++)
        for (let seed = 1; seed <= 6; seed++) {
          const life = aLife(new Dice(seed));
          const fails = atThe(failedAt, 'EIO', isNewFolder);
          let failedN = Number.POSITIVE_INFINITY;
          await life.live((one) => {
            const fault = fails(one);
            if (fault !== undefined) failedN = one.n;
            return one.n === failedN + killedAfter ? 'kill' : fault;
          });
          await life.live((one) => (one.n === 100 ? 'crash' : undefined));
          await life.expectWhole();
        }
  });
});

describe('a flush that fails', () => {
  it('is not tried again by the same process, whichever it is', { tags: ['F39'] }, async () => {
    for (let n = 1; n <= FLUSHES; n++) {
      const life = aLife(new Dice(n));
      const isFlushOfFile = (one: DiskOperation) => isFlush(one) && one.path !== DATA_DIR;
      if ((await life.live(atThe(n, 'EIO', isFlushOfFile))) === 'done') continue;
      const failed = life.asked.find((one) => one.fault === 'EIO');
      const after = life.asked.slice(failed?.n).filter(({ path }) => path === failed?.path);
      expect(after.map(({ kind }) => kind).filter((kind) => /sync|write/.test(kind))).toEqual([]);
    }
  });

  it('leaves what the next start takes for written: it writes that anew, so that it stays', async () => {
    for (let n = 1; n <= FLUSHES; n++)
      for (let seed = 1; seed <= 6; seed++) {
        const dice = new Dice(seed);
        const life = aLife(dice);
        await life.live(atThe(n, 'EIO', isFlush));
        // The system still shows what the disk does not have. A life on top of that, and the power is cut.
        const cutAt = dice.whole(1, 400);
        await life.live((one) => (one.n === cutAt ? 'crash' : undefined));
        life.cutPower();
        await life.expectWhole();
      }
  });
});
