import { join } from 'node:path';
import type { Dice } from '../storm/dice.ts';
import { Disk, FATES, type Fate, type Image } from './disk.ts';
import { examine } from './examine.ts';
import type { Call } from './record.ts';
import { recorded, writeImage } from './recorder.ts';
import { Story, type StoryLength } from './story.ts';
import { Told } from './told.ts';

/** Cuts of one recording: after that the next story is recorded. */
const CUTS_OF_A_RECORDING = 80;
/** Some start again on what a cut left, and the power goes again while they recover. */
const SECOND_CUTS = 15;
/** A store that is this broken is not looked at any further. */
const MOST_FAILURES = 30;

export type CutOptions = {
  readonly library: string;
  /** For the folders that are rebuilt; best in memory. */
  readonly folder: string;
  readonly dice: Dice;
  readonly rounds: number;
  readonly signal?: AbortSignal;
  readonly length?: StoryLength;
};

export type CutReport = {
  replayed: number;
  recordings: number;
  /** Replays with so many, summed up. */
  acknowledged: number;
  unflushed: number;
  /** Replays by what became of the writes that were not flushed, and by the call before which the power went. */
  readonly fates: Map<string, number>;
  readonly before: Map<string, number>;
  readonly failures: string[];
};

/** Records stories and replays power cuts in them, until there were so many. */
export const replayPowerCuts = async (options: CutOptions): Promise<CutReport> => {
  const { dice, rounds, signal } = options;
  const report: CutReport = {
    ...{ replayed: 0, recordings: 0, acknowledged: 0, unflushed: 0 },
    ...{ fates: new Map(), before: new Map(), failures: [] },
  };
  const isOver = () => report.failures.length >= MOST_FAILURES || signal?.aborted === true;
  while (report.replayed < rounds && !isOver()) {
    const length = options.length ?? { groups: dice.whole(10, 30), hasBurst: dice.chance(0.4) };
    const seed = dice.whole(0, 1e9);
    const replay = new Replay(options, report, { seed, length, story: new Story(seed, length) });
    const cuts = Math.min(CUTS_OF_A_RECORDING, rounds - report.replayed);
    const left = await replay.run({ image: new Map(), told: new Told() }, cuts);
    const more = Math.min(SECOND_CUTS, rounds - report.replayed);
    if (left !== undefined && more > 0) await replay.run(left, more);
  }
  return report;
};

/** What is there, and what was told, when a process starts. */
type Start = { readonly image: Image; readonly told: Told };
type Tale = { readonly seed: number; readonly length: StoryLength; readonly story: Story };

class Replay {
  readonly #options: CutOptions;
  readonly #report: CutReport;
  readonly #tale: Tale;

  constructor(options: CutOptions, report: CutReport, tale: Tale) {
    this.#options = options;
    this.#report = report;
    this.#tale = tale;
  }

  /** What one of the cuts left, for a process that starts on it; undefined: there were failures. */
  async run({ image, told }: Start, cuts: number): Promise<Start | undefined> {
    const { library, folder, dice } = this.#options;
    const { seed, length } = this.#tale;
    const { calls, code, stderr } = recorded(library, join(folder, 'lived'), {
      ...{ seed, length, image },
    });
    this.#report.recordings += 1;
    if (code !== 0) {
      this.#report.failures.push(`seed ${seed}: the process ended with ${code}: ${stderr}`);
      return undefined;
    }
    const disk = new Disk(image);
    const said = told.copy();
    const points = cutPoints(calls, cuts, dice);
    const kept = dice.whole(0, points.length - 1);
    let left: Start | undefined;
    for (const [at, call] of calls.entries()) {
      for (const [n, point] of points.entries())
        if (point === at) {
          const cut = await this.#cut(disk, said, call);
          if (n === kept) left = cut;
        }
      if (call.kind === 'told') said.hear(call.text);
      else disk.take(call);
    }
    return left;
  }

  async #cut(disk: Disk, told: Told, before: Call): Promise<Start | undefined> {
    const { folder, dice } = this.#options;
    const { story, seed } = this.#tale;
    const fate: Fate = dice.pick(FATES);
    const image = disk.afterPowerCut(fate, dice);
    const root = join(folder, 'left');
    writeImage(root, image);
    const where = placeOf(disk, before);
    const { found, problems } = await examine(root, story, told);
    this.#count(disk, told, { fate, where });
    for (const problem of problems)
      this.#report.failures.push(`seed ${seed}, cut before ${where}, ${fate}: ${problem}`);
    if (problems.length > 0) return undefined;
    const start = { image, told: told.copy() };
    start.told.found(found);
    return start;
  }

  #count(disk: Disk, told: Told, { fate, where }: { fate: string; where: string }): void {
    const report = this.#report;
    report.replayed += 1;
    report.acknowledged += told.acknowledgements;
    report.unflushed += disk.pendingWrites;
    report.fates.set(fate, (report.fates.get(fate) ?? 0) + 1);
    report.before.set(where, (report.before.get(where) ?? 0) + 1);
  }
}

/** Half of them before any call, half right before or after a flush, a change of size or of a name; none between a call and what was told of it. */
const cutPoints = (calls: readonly Call[], count: number, dice: Dice): number[] => {
  const silent = calls.flatMap(({ kind }, at) => (kind === 'told' ? [] : [at]));
  const turns = silent.flatMap((at, n) =>
    TURNS.has(calls[at]?.kind ?? 'told') ? [at, silent[n + 1] ?? at] : [],
  );
  const points = Array.from({ length: count }, () => {
    const among = dice.chance(0.5) ? silent : turns;
    return among[dice.whole(0, among.length - 1)] ?? 0;
  });
  return points.sort((a, b) => a - b);
};

const TURNS: ReadonlySet<string> = new Set(['sync', 'resize', 'rename', 'unlink', 'mkdir']);

const placeOf = (disk: Disk, call: Call): string => {
  const path = 'handle' in call && call.kind !== 'open' ? disk.pathOf(call.handle) : '';
  const name = 'path' in call ? call.path : 'from' in call ? call.from : path;
  return `${call.kind} ${name.replace(/backup-\d+/, 'backup')}`;
};
