import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, Load, withStops } from '../bench.ts';
import { Child, THIS_CHECKOUT } from '../child.ts';
import { fillWith, type Measure, type Side } from '../comparison.ts';
import { type Figure, figureOf } from '../figure.ts';
import { callbackRequests } from '../load/requests.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

const PER_SECOND = 500;
/** Long enough for a checkpoint every 500 commits. */
const WINDOW_SECONDS = 3;
const IN_A_WINDOW = PER_SECOND * WINDOW_SECONDS;
/** Of the answers, in ms. */
const MOST_P99_MS = 50;
const WHAT = `callbacks at ${PER_SECOND} a second while checkpoints run, p99`;

/** Callbacks that are all stored, at a steady pace, and what a checkpoint adds to the slowest of them. */
export const steadyCallbacks = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const side = { bench, folder, checkout: THIS_CHECKOUT, keep };
      const { p99Ms, checkpoints, load, some } = await steadyPaythread(side);
      const append = keep(await Child.fork('bench/baselines/append.ts', { FOLDER: folder }));
      const rounds = await interleaved(bench.rounds, {
        paythread: p99Ms,
        append: async () => (await load.run(some, { ...PLAN, port: append.port })).p99Ms,
      });
      const least = Math.min(...checkpoints);
      if (least < 1) throw new Error('no checkpoint ran while the callbacks came');
      return [
        figureOf(rounds, { ours: 'paythread', base: 'append' } as const, {
          what: WHAT,
          unit: 'ms',
          goal: { valueAtMost: MOST_P99_MS },
          note: `${least} to ${Math.max(...checkpoints)} whole checkpoints in a window of ${WINDOW_SECONDS} s.`,
        }),
      ];
    }),
  );

/** The same of one checkout. */
export const steadyMeasures = async (side: Side): Promise<Measure[]> => {
  const { p99Ms } = await steadyPaythread(side);
  return [{ what: WHAT, unit: 'ms', goal: { valueAtMost: MOST_P99_MS }, once: p99Ms }];
};

const PLAN = { connections: 64, durationMs: WINDOW_SECONDS * 1000, perSecond: PER_SECOND };

const steadyPaythread = async (side: Side) => {
  const { bench, folder, checkout, keep } = side;
  const services = keep(await Child.fork('bench/stub/services.ts'));
  const env = await paythreadEnv({ folder, servicesPort: services.port });
  // A payment's first callback is stored whatever comes after it, so each one gets no more than that.
  const open = IN_A_WINDOW * (bench.rounds + 1);
  const targets = await fillWith(side, env.DATA_DIR, { past: 0, open });
  const paythread = keep(await Child.startPaythread(env, checkout));
  const load = keep(await Load.start(folder));
  const requests = callbackRequests(targets);
  const some = requests.slice(0, IN_A_WINDOW);
  const checkpoints: number[] = [];
  const p99Ms = async (): Promise<number> => {
    const before = checkpointsIn(env.DATA_DIR);
    const { answers, p99Ms } = await load.run(requests.splice(0, IN_A_WINDOW), {
      ...PLAN,
      port: paythread.port,
    });
    if (answers < 0.9 * IN_A_WINDOW) bench.log(`only ${answers} of ${IN_A_WINDOW} were taken`);
    checkpoints.push(checkpointsIn(env.DATA_DIR) - before);
    return p99Ms;
  };
  await p99Ms();
  checkpoints.pop();
  return { p99Ms, checkpoints, load, some };
};

/**
 * Checkpoints of a SQLite database so far, after which its log began again: bytes 12 to 15 of the log's header count
 * them. 0 for a store of another kind.
 */
const checkpointsIn = (dir: string): number => {
  const header = Buffer.alloc(16);
  try {
    const file = openSync(join(dir, 'paythread.db-wal'), 'r');
    readSync(file, header);
    closeSync(file);
  } catch {
    // No SQLite there.
  }
  return header.readUInt32BE(12);
};
