import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { mustBeWhole } from '../../support/whole-numbers.ts';
import { Dice } from '../storm/dice.ts';
import { type ErrorReport, replayDiskErrors } from './disk-errors.ts';
import { replayLocks } from './locks.ts';
import { type CutReport, replayPowerCuts } from './power-cuts.ts';
import { NO_COMPILER, withRecorder } from './recorder.ts';

/**
 * `node test/proof/power-cuts/run.ts --rounds 2000 --errors 200 --seed 7`: records what the embedded store writes,
 * replays so many power cuts in it, and lets so many calls fail (`all`: each one of a story). Leaves with 0 when nothing
 * that was acknowledged was lost, or where there is no compiler to build the recorder with.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    errors: { type: 'string', default: '60' },
    seed: { type: 'string' },
  },
});

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const MOST_SHOWN = 20;

const table = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([what, count]) => `  ${String(count).padStart(6)}  ${what}`)
    .join('\n');

const sayCuts = (report: CutReport): void => {
  say(
    `power cuts   ${report.replayed} replayed in ${report.recordings} recordings, ` +
      `${report.acknowledged} acknowledgements compared, ${report.unflushed} writes not flushed`,
  );
  say(`what became of writes that were not flushed\n${table(report.fates)}`);
  say(`the call before which the power went\n${table(report.before)}`);
};

const sayErrors = ({ lives, calls, failed }: ErrorReport): void => {
  say(`disk errors  ${lives} lives with one failed call each, of ${calls} calls in the story`);
  say(`what failed\n${table(failed)}`);
};

const prove = async (library: string, folder: string): Promise<boolean> => {
  mustBeWhole(values, 'rounds', 'seed', ...(values.errors === 'all' ? [] : ['errors']));
  const seed = Number(values.seed ?? randomInt(1_000_000));
  const most = values.errors === 'all' ? 'all' : Number(values.errors);
  say(`Power cuts and disk errors with seed ${seed}`);
  const startedMs = Date.now();
  const dice = new Dice(seed);
  const given = { library, folder, signal: stopping.signal };
  const cuts = await replayPowerCuts({
    ...given,
    dice: dice.fork(),
    rounds: Number(values.rounds),
  });
  sayCuts(cuts);
  const errors = await replayDiskErrors({ ...given, dice: dice.fork(), most });
  sayErrors(errors);
  const locks = await replayLocks({ library, folder, seed });
  const failures = [...cuts.failures, ...errors.failures, ...locks];
  for (const failure of failures.slice(0, MOST_SHOWN)) say(`  ${failure}`);
  const isClean = failures.length === 0 && !stopping.signal.aborted;
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  say(
    `verdict      ${isClean ? 'nothing acknowledged lost' : `${failures.length} failures`}, in ${seconds} s`,
  );
  return isClean;
};

const isClean = await withRecorder(prove);
if (isClean === undefined) say(NO_COMPILER);
process.exit(isClean === false ? 1 : 0);
