import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, withStops } from '../bench.ts';
import { Child, THIS_CHECKOUT } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { LIVED, typed } from '../many-payments.ts';
import { BenchPostgres } from '../postgres.ts';
import type { FindTask } from '../programs/find.ts';
import { interleaved } from '../rounds.ts';
import { withFolder } from '../settings.ts';

/** The database's own shell, where the machine has it. */
const SHELL = ['/usr/bin/sqlite3', '/usr/local/bin/sqlite3'].find(existsSync) ?? 'sqlite3';

/** The columns of an export, as far as SQL makes them; what it leaves out is empty there as well. */
const COLUMNS = (
  time: (name: string) => string,
  of: (...path: string[]) => string,
  amount: string,
) => `
  ${time('confirmedAtMs')}, ${time('settledAtMs')}, id, state, ${amount}, currency,
  ${of('terms', 'option')}, ${of('terms', 'network')}, customer_number, ${of('terms', 'customerName')},
  ${of('terms', 'reference')}, ${of('requester', 'name')}, ${of('approver', 'name')},
  ${of('conversation', 'platform')} || ':' || ${of('conversation', 'channel')}, '', 'Ama Ventures', ${of('reason')}`;

const inSqlite = (...path: string[]) => `json_extract(body, '$.${path.join('.')}')`;
const SQLITE = `SELECT ${COLUMNS(
  (name) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${inSqlite(name)} / 1000.0, 'unixepoch')`,
  inSqlite,
  "printf('%.2f', amount_minor / 100.0)",
)} FROM payments ORDER BY confirmed_ms DESC, id DESC`;

const inPostgres = (...path: string[]) => `(body #>> '{${path.join(',')}}')`;
const POSTGRES = `SELECT ${COLUMNS(
  (name) =>
    `to_char(to_timestamp((${inPostgres(name)})::float8 / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  inPostgres,
  "to_char(amount_minor / 100.0, 'FM999999990.00')",
)} FROM paythread.payments WHERE kind = 'payment' ORDER BY confirmed_ms DESC, id DESC`;

/** `paythread export` as it is started at a shell, its start included. */
const inShell = (env: Readonly<Record<string, string>>): Promise<number> =>
  typed(process.execPath, [fileURLToPath(new URL('src/main.js', THIS_CHECKOUT)), 'export'], {
    PATH: process.env['PATH'] ?? '',
    PAYMENTS_BASE_URL: 'sandbox',
    ...env,
  });

/** Exported payments a second against the same columns from the shell of SQLite, and from COPY. */
export const exported = async (bench: Bench): Promise<Figure[]> => [
  ...(await embedded(bench)),
  await inTheDatabase(bench),
];

const embedded = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const all = bench.foundPayments;
      const child = keep(await Child.fork('bench/programs/find.ts'));
      await child.ask<number>({ fill: folder, payments: all } satisfies FindTask);
      const database = join(folder, 'paythread.db');
      // What the program does when it has a moment: the log of the filling would be read by all.
      await typed(SHELL, [database, 'PRAGMA wal_checkpoint(TRUNCATE)']);
      const perSecond = async (ms: Promise<number>) => all / ((await ms) / 1_000);
      const rounds = await interleaved(bench.rounds, {
        chat: () => perSecond(child.ask<number>({ exported: true } satisfies FindTask)),
        shell: () => perSecond(inShell({ DATA_DIR: folder })),
        sqlite: () => perSecond(typed(SHELL, ['-readonly', '-csv', '-header', database, SQLITE])),
      });
      const goal = { atLeast: 0.5 };
      return [
        figureOf(rounds, { ours: 'chat', base: 'sqlite' } as const, {
          what: `payments that /export writes to its file, of ${all} (baseline: sqlite3 -csv)`,
          unit: 'per second',
          goal,
        }),
        figureOf(rounds, { ours: 'shell', base: 'sqlite' } as const, {
          what: `payments that paythread export writes, of ${all} (baseline: sqlite3 -csv)`,
          unit: 'per second',
          goal,
        }),
      ];
    }),
  );

const inTheDatabase = (bench: Bench): Promise<Figure> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const all = Math.round(bench.foundPayments / LIVED) * LIVED;
      const postgres = keep(await BenchPostgres.start());
      const { url } = await postgres.database('export', { past: LIVED });
      await postgres.multiplyHistory(url, all / LIVED);
      const perSecond = async (ms: Promise<number>) => all / ((await ms) / 1_000);
      const rounds = await interleaved(bench.rounds, {
        shell: () => perSecond(inShell({ DATABASE_URL: url, DATA_DIR: folder })),
        copy: () => perSecond(postgres.copies(url, POSTGRES)),
      });
      return figureOf(rounds, { ours: 'shell', base: 'copy' } as const, {
        what: `payments that paythread export writes, of ${all}, PostgreSQL (baseline: COPY to /dev/null in the server)`,
        unit: 'per second',
        goal: { atLeast: 0.5 },
      });
    }),
  );
