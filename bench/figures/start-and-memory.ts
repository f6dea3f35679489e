import { type Bench, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { fillWith, type Measure, type Side } from '../comparison.ts';
import { type Figure, figureOf } from '../figure.ts';
import { fillFolder } from '../history.ts';
import { interleaved } from '../rounds.ts';
import { chatsEnv, paythreadEnv, withFolder } from '../settings.ts';

/** After this the start is over and nothing but the system's own work is left. */
const IDLE_MS = 1_500;

/** From the process's start until it says that it is ready, and the memory it then has. */
export const startAndMemory = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const env = await paythreadEnv({ folder, servicesPort: services.port });
      await fillFolder(env.DATA_DIR, { past: bench.manyPayments });
      const chats = chatsEnv(services.port);
      const starters = {
        paythread: () => Child.startPaythread(env),
        libraries: () => Child.fork('bench/baselines/bolt-and-grammy.ts', chats),
      };
      const memory = { paythread: [] as number[], libraries: [] as number[] };
      const startMs = (name: keyof typeof starters) => async () => {
        const { startMs, rssMb } = await startedOnce(starters[name]);
        memory[name].push(rssMb);
        return startMs;
      };
      // The first start of each reads from the disk what the others find in the cache.
      await startMs('paythread')();
      await startMs('libraries')();
      memory.paythread = [];
      memory.libraries = [];
      const starts = await interleaved(bench.rounds, {
        paythread: startMs('paythread'),
        libraries: startMs('libraries'),
      });
      const sizes = memory.paythread.map((paythread, round) => ({
        paythread,
        libraries: memory.libraries[round] ?? Number.NaN,
      }));
      const names = { ours: 'paythread', base: 'libraries' } as const;
      return [
        figureOf(starts, names, {
          what: `start to ready with ${bench.manyPayments} past payments`,
          unit: 'ms',
          goal: { atMost: 1.5 },
        }),
        figureOf(sizes, names, { what: 'idle memory', unit: 'MB', goal: { atMost: 1.4 } }),
      ];
    }),
  );

/** The same of one checkout. */
export const startMeasures = async (side: Side): Promise<Measure[]> => {
  const { bench, folder, checkout, keep } = side;
  const services = keep(await Child.fork('bench/stub/services.ts'));
  const env = await paythreadEnv({ folder, servicesPort: services.port });
  await fillWith(side, env.DATA_DIR, { past: bench.manyPayments });
  const start = () => startedOnce(() => Child.startPaythread(env, checkout));
  await start();
  return [
    {
      what: `start to ready with ${bench.manyPayments} past payments`,
      unit: 'ms',
      goal: { atMost: 1 },
      once: async () => (await start()).startMs,
    },
    {
      what: 'idle memory',
      unit: 'MB',
      goal: { atMost: 1.05 },
      once: async () => (await start()).rssMb,
    },
  ];
};

const startedOnce = async (
  start: () => Promise<Child>,
): Promise<{ startMs: number; rssMb: number }> => {
  const child = await start();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const { startMs, rssMb } = child;
  await child.stop();
  return { startMs, rssMb };
};
