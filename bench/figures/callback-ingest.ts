import { type Bench, Load, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { fillFolder } from '../history.ts';
import { callbackRequests } from '../load/requests.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

const OPEN_PAYMENTS = 500;
/** Both run for weeks: what the first seconds cost is not the question here. */
const WARM_UPS = 3;

/** Callbacks into the real program with 500 open payments, against a bare appender. */
export const callbackIngest = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const env = await paythreadEnv({ folder, servicesPort: services.port });
      const targets = await fillFolder(env.DATA_DIR, { past: 0, open: OPEN_PAYMENTS });
      const paythread = keep(await Child.startPaythread(env));
      const append = keep(await Child.fork('bench/baselines/append.ts', { FOLDER: folder }));
      const load = keep(await Load.start(folder));
      const requests = callbackRequests(targets);
      const slice = (port: number, connections: number) =>
        load.run(requests, { port, connections, durationMs: bench.sliceMs });

      for (let warmUp = 0; warmUp < WARM_UPS; warmUp++)
        for (const { port } of [paythread, append]) await slice(port, 64);
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
        figureOf(crowd, names, {
          what: 'durable callback ingest, 64 connections, embedded, 500 open payments',
          unit: 'per second',
          goal: { atLeast: 0.5 },
        }),
        figureOf(alone, names, {
          what: 'durable callback ingest, 1 connection, p50',
          unit: 'ms',
          goal: { atMost: 1.5 },
        }),
      ];
    }),
  );
