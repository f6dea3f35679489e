import { type Bench, Load, withStops } from '../bench.ts';
import { Child, THIS_CHECKOUT } from '../child.ts';
import { fillWith, type Measure, type Side } from '../comparison.ts';
import { type Figure, figureOf } from '../figure.ts';
import { callbackRequests } from '../load/requests.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

const OPEN_PAYMENTS = 500;
/** Both run for weeks: what the first seconds cost is not the question here. */
const WARM_UPS = 3;

const CROWD = 'durable callback ingest, 64 connections, embedded, 500 open payments';
const ALONE = 'durable callback ingest, 1 connection, p50';

type Slice = (port: number, connections: number) => ReturnType<Load['run']>;

/** Callbacks into the real program with 500 open payments, against a bare appender. */
export const callbackIngest = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const { paythread, slice } = await warmPaythread({
        bench,
        folder,
        checkout: THIS_CHECKOUT,
        keep,
      });
      const append = keep(await Child.fork('bench/baselines/append.ts', { FOLDER: folder }));
      await warmUp(slice, append);
      const crowd = await interleaved(bench.rounds, {
        paythread: async () => (await slice(paythread.port, 64)).perSecond,
        append: async () => (await slice(append.port, 64)).perSecond,
      });
      const alone = await interleaved(bench.rounds, {
        paythread: async () => (await slice(paythread.port, 1)).p50Ms,
        append: async () => (await slice(append.port, 1)).p50Ms,
      });
      const names = { ours: 'paythread', base: 'append' } as const;
      return [
        figureOf(crowd, names, { what: CROWD, unit: 'per second', goal: { atLeast: 0.5 } }),
        figureOf(alone, names, { what: ALONE, unit: 'ms', goal: { atMost: 1.5 } }),
      ];
    }),
  );

/** The same of one checkout, with the CPU time that a callback takes: other work on the machine moves that least. */
export const ingestMeasures = async (side: Side): Promise<Measure[]> => {
  const { paythread, slice } = await warmPaythread(side);
  const cpuMicros = async (connections: number): Promise<number> => {
    const beforeMs = paythread.cpuMs;
    const { answers } = await slice(paythread.port, connections);
    return ((paythread.cpuMs - beforeMs) * 1000) / answers;
  };
  return [
    {
      what: CROWD,
      unit: 'per second',
      goal: { atLeast: 0.95 },
      once: async () => (await slice(paythread.port, 64)).perSecond,
    },
    {
      what: 'CPU time of a callback, 64 connections',
      unit: 'µs',
      goal: { atMost: 1.05 },
      once: () => cpuMicros(64),
    },
    {
      what: ALONE,
      unit: 'ms',
      goal: { atMost: 1.1 },
      once: async () => (await slice(paythread.port, 1)).p50Ms,
    },
    {
      what: 'CPU time of a callback, 1 connection',
      unit: 'µs',
      goal: { atMost: 1.1 },
      once: () => cpuMicros(1),
    },
  ];
};

const warmPaythread = async (side: Side): Promise<{ paythread: Child; slice: Slice }> => {
  const { bench, folder, checkout, keep } = side;
  const services = keep(await Child.fork('bench/stub/services.ts'));
  const env = await paythreadEnv({ folder, servicesPort: services.port });
  const targets = await fillWith(side, env.DATA_DIR, { past: 0, open: OPEN_PAYMENTS });
  const paythread = keep(await Child.startPaythread(env, checkout));
  const load = keep(await Load.start(folder));
  const requests = callbackRequests(targets);
  const slice: Slice = (port, connections) =>
    load.run(requests, { port, connections, durationMs: bench.sliceMs });
  await warmUp(slice, paythread);
  return { paythread, slice };
};

const warmUp = async (slice: Slice, { port }: Child): Promise<void> => {
  for (let times = 0; times < WARM_UPS; times++) await slice(port, 64);
};
