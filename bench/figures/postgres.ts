import { type Bench, Load, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { callbackRequests, statusRequests } from '../load/requests.ts';
import { BenchPostgres } from '../postgres.ts';
import type { Drained } from '../programs/drain.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';
import { growthOf } from './growth.ts';

const OPEN_PAYMENTS = 500;
const WARM_UPS = 3;
/** Ten times as long a history as the embedded store's: it is made by copying. */
const LONGER = 10;

/** Callbacks into the real program with its state in PostgreSQL, against one INSERT for each. */
export const postgresIngest = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const postgres = keep(await BenchPostgres.start());
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const env = await paythreadEnv({ folder, servicesPort: services.port });
      const { url, open } = await postgres.database('ingest', { past: 0, open: OPEN_PAYMENTS });
      const { url: bareUrl } = await postgres.database('bare');
      const paythread = keep(await Child.startPaythread({ ...env, DATABASE_URL: url }));
      const insert = keep(await Child.fork('bench/baselines/insert.ts', { DATABASE_URL: bareUrl }));
      const load = keep(await Load.start(folder));
      const requests = callbackRequests(open);
      const slice = async (port: number) =>
        (await load.run(requests, { port, connections: 64, durationMs: bench.sliceMs })).perSecond;
      for (let warmUp = 0; warmUp < WARM_UPS; warmUp++)
        for (const { port } of [paythread, insert]) await slice(port);
      const rounds = await interleaved(bench.rounds, {
        paythread: () => slice(paythread.port),
        insert: () => slice(insert.port),
      });
      return [
        figureOf(
          rounds,
          { ours: 'paythread', base: 'insert' },
          {
            what: 'durable callback ingest, 64 connections, PostgreSQL, 500 open payments',
            unit: 'per second',
            goal: { atLeast: 0.8 },
          },
        ),
      ];
    }),
  );

/** What a command and a callback cost with a long history in PostgreSQL. */
export const postgresGrowth = (bench: Bench): Promise<Figure[]> =>
  withStops(async (keep) => {
    const postgres = keep(await BenchPostgres.start());
    const many = bench.manyPayments * LONGER;
    const figures = await growthOf(bench, { many, store: 'PostgreSQL' }, async (past) => {
      const lived = Math.min(past, 1_000);
      const { url, open } = await postgres.database(`past${past}`, { past: lived, open: 100 });
      if (past > lived) await postgres.multiplyHistory(url, past / lived);
      return { env: { DATABASE_URL: url }, open };
    });
    return figures;
  });

const PROCESSES = [1, 2, 4] as const;

/** Due checks claimed by processes that share a database. */
export const postgresDueChecks = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const postgres = keep(await BenchPostgres.start());
      const services = keep(await Child.fork('bench/stub/services.ts', { STATUS: 'completed' }));
      // Enough for all slices; how many a second are claimed does not hang on how many are left.
      const fill = { past: 0, open: bench.manyPayments / 2, due: true };
      const { url } = await postgres.database('drain', fill);
      const drainers: Child[] = [];
      for (let count = 0; count < Math.max(...PROCESSES); count++)
        drainers.push(
          keep(
            await Child.fork('bench/programs/drain.ts', {
              DATABASE_URL: url,
              PAYMENTS_BASE_URL: `http://127.0.0.1:${services.port}/gateway`,
            }),
          ),
        );
      const load = keep(await Load.start(folder));
      const fresh = async () => {
        const plan = { port: services.port, connections: 32, durationMs: bench.sliceMs };
        return (await load.run(statusRequests(200, true), { ...plan, reconnect: true })).perSecond;
      };
      const drain = (processes: number) => async () => {
        const task = { workers: 1, ms: bench.sliceMs };
        const parts = drainers.slice(0, processes).map((child) => child.ask<Drained>(task));
        return (await Promise.all(parts)).reduce((sum, part) => sum + part.perSecond, 0);
      };
      await drain(4)();
      const rounds = await interleaved(bench.rounds, {
        fresh,
        with1: drain(1),
        with2: drain(2),
        with4: drain(4),
      });
      return PROCESSES.map((count) =>
        figureOf(
          rounds,
          { ours: `with${count}`, base: 'fresh' },
          {
            what: `due checks drained by ${count} process${count > 1 ? 'es' : ''} on PostgreSQL, against the stub over fresh connections`,
            unit: 'per second',
            goal: { atLeast: 0.6 },
          },
        ),
      );
    }),
  );
