import { type Bench, Load, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { fillFolder } from '../history.ts';
import { statusRequests } from '../load/requests.ts';
import type { Drained } from '../programs/drain.ts';
import { interleaved } from '../rounds.ts';
import { withFolder } from '../settings.ts';

const WORKERS = [1, 2, 4] as const;
/** The client's patience for one whole drain. */
const WHOLE_MS = 580_000;

/** A pile of due checks, drained by workers over the real client; the stub answers at once. */
export const dueChecks = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts', { STATUS: 'completed' }));
      await fillFolder(folder, { past: 0, open: bench.manyPayments, due: true });
      const drainer = keep(
        await Child.fork('bench/programs/drain.ts', {
          DATA_DIR: folder,
          PAYMENTS_BASE_URL: `http://127.0.0.1:${services.port}/gateway`,
        }),
      );
      const load = keep(await Load.start(folder));
      const limit = (close: boolean) => async () => {
        const slice = { port: services.port, connections: 32, durationMs: bench.sliceMs };
        return (await load.run(statusRequests(200, close), { ...slice, reconnect: close }))
          .perSecond;
      };
      const drain = (workers: number) => async () =>
        (await drainer.ask<Drained>({ workers, ms: bench.sliceMs })).perSecond;
      await drain(1)();
      const rounds = await interleaved(bench.rounds, {
        kept: limit(false),
        fresh: limit(true),
        with1: drain(1),
        with2: drain(2),
        with4: drain(4),
      });
      const rest = await drainer.ask<Drained>({ workers: 4, ms: WHOLE_MS });
      const missed = bench.manyPayments - rest.payments;
      const proof = `In all ${rest.payments} payments checked, ${rest.twice} of them twice, ${missed} missed.`;
      const words = (count: number) =>
        `due checks drained by ${count} worker${count > 1 ? 's' : ''}`;
      return WORKERS.flatMap((count) => [
        figureOf(
          rounds,
          { ours: `with${count}`, base: 'kept' },
          {
            what: `${words(count)}, against the stub over kept connections`,
            unit: 'per second',
            goal: { atLeast: 0.6 },
            note: proof,
          },
        ),
        figureOf(
          rounds,
          { ours: `with${count}`, base: 'fresh' },
          {
            what: `${words(count)}, against the stub over fresh connections`,
            unit: 'per second',
            goal: { atLeast: 0.6 },
            note: 'Checks go over kept connections; requests for money have one of their own.',
          },
        ),
      ]);
    }),
  );
