import { join } from 'node:path';
import type { Card } from '../../src/commands/cards/card.ts';
import { noLabel } from '../../src/commands/cards/sandbox-label.ts';
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
import { copiesOf, DAY_MS, fillMany, LIVED, typed, typedDays } from '../many-payments.ts';
import { BenchPostgres } from '../postgres.ts';
import { interleaved } from '../rounds.ts';
import { withFolder } from '../settings.ts';
import { silentLog } from '../silent-log.ts';

const TIME_ZONE = 'UTC';

const wish = () => {
  const read = readReport(typedDays(), { nowMs: Date.now(), timeZone: TIME_ZONE });
  if (!read.ok) throw new Error(read.problem.message);
  return read.value;
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

/** Until the figures are said; the picture comes after them. */
const reported = async (store: Store): Promise<number> => {
  // Nothing else of the services is read without a `by`.
  const settings = { timeZone: TIME_ZONE, currency: 'GHS' };
  const services = { store, settings, clock: systemClock, mark: noLabel } as Parameters<
    typeof reportCommand
  >[0];
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
    await fillMany(folder, bench.foundPayments);
    const database = join(folder, 'paythread.db');
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
