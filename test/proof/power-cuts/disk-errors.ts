import { basename, join } from 'node:path';
import type { Dice } from '../storm/dice.ts';
import { Disk } from './disk.ts';
import { examine } from './examine.ts';
import type { Call } from './record.ts';
import { type Fault, recorded, writeImage } from './recorder.ts';
import { Story, type StoryLength } from './story.ts';
import { Told } from './told.ts';

/** With a checkpoint while the store is in use. */
const LENGTH: StoryLength = { groups: 12, hasBurst: true };
/** The exit code of `live.ts` when the store refuses to go on. */
const GAVE_UP = 3;
/** Power cuts after a failure. */
const MOMENTS = 3;

export type ErrorOptions = {
  readonly library: string;
  /** For the folders of the processes; best in memory. */
  readonly folder: string;
  readonly dice: Dice;
  /** How many calls are let fail; `all`: each one. Every kind of call on every file comes first. */
  readonly most: number | 'all';
  /** Only calls at places like this are let fail; ` in use`: while the store is in use. */
  readonly only?: RegExp;
  readonly signal?: AbortSignal;
};

export type ErrorReport = {
  /** Calls of the story that can fail, and lives in which one did. */
  calls: number;
  lives: number;
  /** Lives by what failed in them: the call and the file. */
  readonly failed: Map<string, number>;
  readonly failures: string[];
};

/**
 * Lets writes, changes of size and flushes of a story fail, one in each life: nothing may be acknowledged after it, and
 * nothing that was is lost, whether the process died or the power went.
 */
export const replayDiskErrors = async (options: ErrorOptions): Promise<ErrorReport> => {
  const { library, folder, dice, signal } = options;
  const seed = seedWithAll(dice);
  const story = new Story(seed, LENGTH);
  const root = join(folder, 'lived');
  const whole = recorded(library, root, { seed, length: LENGTH });
  const places = failingPlaces(whole.calls);
  const report: ErrorReport = { calls: places.length, lives: 0, failed: new Map(), failures: [] };
  if (whole.code !== 0) report.failures.push(`seed ${seed}: ended with ${whole.code}`);
  for (const fault of faultsOf(places, options)) {
    if (signal?.aborted === true) break;
    const { calls: lived, code } = recorded(library, root, { seed, length: LENGTH, fault });
    const at = lived.findIndex(({ kind }) => kind === 'fault');
    const failed = lived[at];
    // Bodies differ in their salts and so in length: this life may have had fewer calls.
    if (failed?.kind !== 'fault') continue;
    report.lives += 1;
    const place = `${failed.what} ${nameOf(failed.path)}`;
    report.failed.set(place, (report.failed.get(place) ?? 0) + 1);
    const problems = await wrongAfter({ lived, at, code, story, folder, dice });
    const name = `seed ${seed}, ${fault.error} at call ${fault.at}, ${place}`;
    report.failures.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  return report;
};

const nameOf = (path: string): string => path.replace(/backup-\d+/, 'backup');

/** For each call that can fail what it is, and of which file; what happens before the next answer is ` in use`. */
const failingPlaces = (calls: readonly Call[]): string[] => {
  const paths = new Map<number, string>();
  const places: string[] = [];
  let since = 0;
  for (const call of calls) {
    if (call.kind === 'open') paths.set(call.handle, nameOf(call.path));
    else if (call.kind === 'write' || call.kind === 'resize' || call.kind === 'sync')
      places.push(`${call.kind} ${paths.get(call.handle)}`);
    else if (call.kind === 'told') {
      if (call.text.startsWith('stored'))
        for (; since < places.length; since++) places[since] += ' in use';
      since = places.length;
    }
  }
  return places;
};

const faultsOf = (places: readonly string[], { dice, most, only }: ErrorOptions): Fault[] => {
  const all = [...places.keys()].filter((n) => only?.test(places[n] ?? '') ?? true);
  if (most === 'all') return all.map((n) => faultAt(n + 1));
  const byPlace = Map.groupBy(all, (n) => places[n]);
  const oneOfEach = [...byPlace.values()].map((some) => some[dice.whole(0, some.length - 1)] ?? 0);
  const more = Math.max(0, most - oneOfEach.length);
  const others = Array.from({ length: more }, () => all[dice.whole(0, all.length - 1)] ?? 0);
  return [...oneOfEach, ...others].map((n) => faultAt(n + 1));
};

/** Errors of the disk and a full one take turns; one in four has room for half of a write. */
const faultAt = (at: number): Fault => ({
  at,
  error: at % 2 === 0 ? 'EIO' : 'ENOSPC',
  isShort: at % 4 === 1,
});

/** One in which a customer is forgotten and a backup is made. */
const seedWithAll = (dice: Dice): number => {
  for (;;) {
    const seed = dice.whole(0, 1e9);
    const kinds = new Story(seed, LENGTH).steps.map(({ kind }) => kind);
    if (kinds.includes('forget') && kinds.includes('backup')) return seed;
  }
};

type Aftermath = {
  readonly lived: readonly Call[];
  /** Where the failure is. */
  readonly at: number;
  readonly code: number | null;
  readonly story: Story;
  readonly folder: string;
  readonly dice: Dice;
};

const wrongAfter = async (aftermath: Aftermath): Promise<string[]> => {
  const { lived, at, code, story, folder } = aftermath;
  const told = new Told();
  let before = 0;
  for (const [n, call] of lived.entries()) {
    if (call.kind === 'told') told.hear(call.text);
    if (n === at) before = told.acknowledgements;
  }
  const problems: string[] = [];
  if (!mayGoOn(lived, at)) {
    const after = told.acknowledgements - before;
    if (after > 0) problems.push(`${after} things were acknowledged after it`);
    if (code !== GAVE_UP) problems.push(`the process ended with ${code}`);
  }
  const { problems: found } = await examine(join(folder, 'lived'), story, told);
  problems.push(...found.map((one) => `after the process died: ${one}`));
  return [...problems, ...(await wrongAfterPowerCuts(aftermath))];
};

/**
 * SQLite takes no notice when the flush of a folder fails (3.51, `unixSync`): the power cuts show whether the store has
 * flushed the names of its files itself. And the index in shared memory (`-shm`) is made again after a crash.
 */
const mayGoOn = (lived: readonly Call[], at: number): boolean => {
  const fault = lived[at];
  if (fault?.kind !== 'fault') return false;
  const isFolder = fault.what === 'sync' && !basename(fault.path).includes('.', 1);
  return isFolder || fault.path.endsWith('-shm');
};

/** At some moments between the failure and the end of the process, and when it has ended. */
const wrongAfterPowerCuts = async (aftermath: Aftermath): Promise<string[]> => {
  const { lived, at, story, folder, dice } = aftermath;
  const answer = lived.findIndex(({ kind }, n) => n > at && kind === 'told');
  const moments = new Set([
    lived.length - 1,
    // Right after the next answer, if one still came.
    answer,
    ...Array.from({ length: MOMENTS }, () => dice.whole(at, lived.length - 1)),
  ]);
  const problems: string[] = [];
  const told = new Told();
  const disk = new Disk();
  for (const [n, call] of lived.entries()) {
    if (call.kind === 'told') told.hear(call.text);
    else disk.take(call);
    if (!moments.has(n)) continue;
    for (const fate of ['none is there', 'torn by sectors'] as const) {
      const root = join(folder, 'left');
      writeImage(root, disk.afterPowerCut(fate, dice));
      const { problems: found } = await examine(root, story, told);
      problems.push(...found.map((one) => `after a power cut, ${fate}: ${one}`));
    }
  }
  return problems;
};
