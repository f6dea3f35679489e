import { type Bench, Load, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { type CallbackTarget, fillFolder } from '../history.ts';
import { callbackRequests } from '../load/requests.ts';
import { copiesOf, fillBusyDay, fillMany, LIVED } from '../many-payments.ts';
import { BenchPostgres } from '../postgres.ts';
import type { ReportsTask, Work } from '../programs/beside-reports.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

const PER_SECOND = 500;
const WINDOW_MS = 3_000;
const IN_A_WINDOW = (PER_SECOND * WINDOW_MS) / 1_000;
/** Enough for callbacks that are kept waiting for a second. */
const CONNECTIONS = 512;
const MOST_P99_MS = 300;
/** A search is typed by anybody, and often. */
const MOST_P99_BESIDE_SEARCH_MS = 100;
/** Of all payments, on the last day. */
const BUSY_DAY = 0.1;

const WORKS: Readonly<Record<Exclude<Work, 'none'>, string>> = {
  report: '/report of 30 days, with its picture',
  digest: "the day's digest",
  close: '/close',
  search: 'a search without a hit',
};

/** Callbacks at a steady pace while finance reads figures again and again. */
export const besideReports = async (bench: Bench): Promise<Figure[]> => [
  ...(await embedded(bench)),
  ...(await inTheDatabase(bench)),
];

/** One window of each kind of work a round, and one before them. */
const openFor = (bench: Bench): number => IN_A_WINDOW * 5 * (bench.rounds + 1);

const embedded = (bench: Bench): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const services = await Child.fork('bench/stub/services.ts');
    try {
      const env = await paythreadEnv({ folder, servicesPort: services.port, chats: false });
      await fillMany(env.DATA_DIR, bench.foundPayments);
      await fillBusyDay(env.DATA_DIR, bench.foundPayments * BUSY_DAY);
      const open = await fillFolder(env.DATA_DIR, { past: 0, open: openFor(bench) });
      return await measured(bench, { folder, env, open, store: 'embedded' });
    } finally {
      await services.stop();
    }
  });

const inTheDatabase = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const postgres = keep(await BenchPostgres.start());
      const env = await paythreadEnv({ folder, servicesPort: services.port, chats: false });
      const fill = { past: LIVED, open: openFor(bench) };
      const { url, open } = await postgres.database('reports', fill);
      const { copies, stepMs } = copiesOf(bench.foundPayments);
      await postgres.multiplyHistory(url, copies, stepMs);
      const withUrl = { ...env, DATABASE_URL: url };
      return measured(bench, { folder, env: withUrl, open, store: 'PostgreSQL' });
    }),
  );

type Side = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly open: readonly CallbackTarget[];
  readonly store: string;
};

const measured = (bench: Bench, { folder, env, open, store }: Side): Promise<Figure[]> =>
  withStops(async (keep) => {
    const paythread = keep(await Child.fork('bench/programs/beside-reports.ts', env));
    const load = keep(await Load.start(folder));
    // A payment's first callback is stored whatever comes after it, so each one gets no more than that.
    const requests = callbackRequests(open);
    const plan = {
      port: paythread.port,
      connections: CONNECTIONS,
      durationMs: WINDOW_MS,
      perSecond: PER_SECOND,
    };
    const p99Ms = async (work: Work): Promise<number> => {
      const task: ReportsTask = { work, durationMs: WINDOW_MS };
      const worked = paythread.ask<number>(task);
      const { answers, p99Ms } = await load.run(requests.splice(0, IN_A_WINDOW), plan);
      const times = await worked;
      bench.log(`${store}, ${work} ${times} times: ${answers} answers, p99 ${p99Ms.toFixed(1)} ms`);
      return p99Ms;
    };
    for (const work of ['none', ...Object.keys(WORKS)] as Work[]) await p99Ms(work);
    const rounds = await interleaved(bench.rounds, {
      none: () => p99Ms('none'),
      report: () => p99Ms('report'),
      digest: () => p99Ms('digest'),
      close: () => p99Ms('close'),
      search: () => p99Ms('search'),
    });
    return Object.entries(WORKS).map(([work, words]) =>
      figureOf(
        rounds,
        { ours: work as keyof typeof WORKS, base: 'none' },
        {
          what: `callbacks at ${PER_SECOND} a second beside ${words}, ${bench.foundPayments} payments, ${store}, p99 (baseline: nothing beside)`,
          unit: 'ms',
          goal: { valueAtMost: work === 'search' ? MOST_P99_BESIDE_SEARCH_MS : MOST_P99_MS },
        },
      ),
    );
  });
