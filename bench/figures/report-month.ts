import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Card } from '../../src/commands/cards/card.ts';
import type { Context } from '../../src/commands/command.ts';
import type { Surface } from '../../src/commands/inbound.ts';
import { readReport } from '../../src/commands/report/read-report.ts';
import { reportCommand } from '../../src/commands/report/report.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { openPostgresStore } from '../../src/core/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { type Bench, withStops } from '../bench.ts';
import { type Figure, figureOf } from '../figure.ts';
import { fillFolder } from '../history.ts';
import { BenchPostgres } from '../postgres.ts';
import { interleaved } from '../rounds.ts';
import { withFolder } from '../settings.ts';
import { silentLog } from '../silent-log.ts';

/** Lived through within a day, then copied into the days before. */
const LIVED = 1_000;
const DAY_MS = 24 * 3_600_000;
const TIME_ZONE = 'UTC';
/** A month, and the one that it is compared with. */
const DAYS = 30;

const typedDays = (): string => {
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return `${dateOf(Date.now() - (DAYS - 1) * DAY_MS)}..${dateOf(Date.now())}`;
};

const wish = () => {
  const read = readReport(typedDays(), { nowMs: Date.now(), timeZone: TIME_ZONE });
  if (!read.ok) throw new Error(read.problem.message);
  return read.value;
};

/** How often what was lived is copied, and how far one copy is from the next: over all the days. */
const copiesOf = (payments: number) => {
  const copies = Math.round(payments / LIVED);
  return { copies, stepMs: Math.floor((2 * DAYS * DAY_MS) / copies) };
};

/** What a report asks, typed as one statement each: days, times to pay, and the month before. */
const statements = (payments: string): string => {
  const { period, before } = wish();
  const columns = 'count(*), sum(amount_minor)';
  const of = ({ fromMs, untilMs }: typeof period, groups: string) =>
    `SELECT ${groups}, ${columns} FROM ${payments} WHERE confirmed_ms >= ${fromMs} AND confirmed_ms < ${untilMs} GROUP BY ${groups};`;
  return [
    of(period, `confirmed_ms / ${DAY_MS}, state, currency, flag`),
    of(period, 'state, currency, flag, (settled_ms - confirmed_ms) / 1000'),
    of(before, 'state, currency, flag'),
  ].join(' ');
};

const typed = async (file: string, args: readonly string[]): Promise<number> => {
  const startedAtMs = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return performance.now() - startedAtMs;
};

/** Until the figures are said; the picture comes after them. */
const reported = async (store: Store): Promise<number> => {
  // Nothing else of the services is read without a `by`.
  const settings = { timeZone: TIME_ZONE, currency: 'GHS' };
  const services = { store, settings, clock: systemClock } as Parameters<typeof reportCommand>[0];
  const startedAtMs = performance.now();
  let tookMs = 0;
  const whisper = async ({ parts }: Card) => {
    tookMs ||= performance.now() - startedAtMs;
    if (JSON.stringify(parts).includes('"0 completed')) throw new Error('the month is empty');
  };
  const surface = { whisper, sendFile: async () => ({ ok: true }) } as unknown as Surface;
  await reportCommand(services).run(typedDays(), { surface } as Context);
  return tookMs;
};

/** A report of a month against the same SQL in the shell of each database. */
export const reportMonth = async (bench: Bench): Promise<Figure[]> => [
  await embedded(bench),
  await inTheDatabase(bench),
];

const figure = (rounds: Parameters<typeof figureOf>[0], bench: Bench, shell: string): Figure =>
  figureOf(
    rounds,
    { ours: 'report', base: 'shell' },
    {
      what: `/report of 30 days and the 30 before, ${bench.foundPayments} payments (baseline: ${shell})`,
      unit: 'ms',
      goal: { atMost: 3 },
    },
  );

const embedded = (bench: Bench): Promise<Figure> =>
  withFolder(async (folder) => {
    await fillFolder(folder, { past: LIVED });
    const database = join(folder, 'paythread.db');
    const { copies, stepMs } = copiesOf(bench.foundPayments);
    const same =
      'version, body, salt, state, customer_number, requester, currency, amount_minor, flag, network, payment_option, place, is_due';
    const multiply = `WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${copies - 1}),
      moved AS (SELECT n, n * ${stepMs} AS ms FROM copy)
      INSERT INTO payments (id, confirmed_ms, ended_ms, settled_ms, ${same})
      SELECT id || '-' || n, confirmed_ms - ms, ended_ms - ms, settled_ms - ms, ${same}
      FROM moved CROSS JOIN payments;
      PRAGMA wal_checkpoint(TRUNCATE);`;
    bench.log(`filled in ${Math.round((await typed('sqlite3', [database, multiply])) / 1_000)} s`);
    const { store } = await openSqliteStore({
      dir: folder,
      log: silentLog,
      onFatal: (error) => {
        throw error;
      },
    });
    try {
      const rounds = await interleaved(bench.rounds, {
        report: () => reported(store),
        shell: () => typed('sqlite3', ['-readonly', database, statements('payments')]),
      });
      return figure(rounds, bench, 'sqlite3');
    } finally {
      await store.close();
    }
  });

const inTheDatabase = (bench: Bench): Promise<Figure> =>
  withStops(async (keep) => {
    const postgres = keep(await BenchPostgres.start());
    const { url } = await postgres.database('report', { past: LIVED });
    const { copies, stepMs } = copiesOf(bench.foundPayments);
    await postgres.multiplyHistory(url, copies, stepMs);
    const { store } = await openPostgresStore({ url, clock: systemClock, log: silentLog });
    try {
      const rounds = await interleaved(bench.rounds, {
        report: () => reported(store),
        shell: () => typed('psql', [url, '-qAt', '-c', statements('paythread.payments')]),
      });
      return figure(rounds, bench, 'psql');
    } finally {
      await store.close();
    }
  });
