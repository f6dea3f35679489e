import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fillFolder } from './history.ts';

/** Lived through within a day, then copied into the days before. */
export const LIVED = 1_000;
export const DAY_MS = 24 * 3_600_000;
/** A month, and the one that it is compared with. */
export const DAYS = 30;

/** How often what was lived is copied, and how far one copy is from the next: over all the days. */
export const copiesOf = (payments: number) => {
  const copies = Math.round(payments / LIVED);
  return { copies, stepMs: Math.floor((2 * DAYS * DAY_MS) / copies) };
};

/** The last `DAYS` days as they are typed. */
export const typedDays = (): string => {
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return `${dateOf(Date.now() - (DAYS - 1) * DAY_MS)}..${dateOf(Date.now())}`;
};

/** Runs a program whose output is thrown away; resolves with how long it took, in ms. `env` is its whole environment. */
export const typed = async (
  file: string,
  args: readonly string[],
  env = process.env,
): Promise<number> => {
  const startedAtMs = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return performance.now() - startedAtMs;
};

const SAME =
  'version, body, salt, state, customer_number, requester, currency, amount_minor, flag, network, payment_option, place, is_due';

/** Fills a folder with so many payments over two months. */
export const fillMany = async (folder: string, payments: number): Promise<void> => {
  await fillFolder(folder, { past: LIVED });
  await copyBack(folder, copiesOf(payments));
};

/** Adds so many payments to the last day. */
export const fillBusyDay = (folder: string, payments: number): Promise<void> =>
  copyBack(folder, { copies: Math.round(payments / LIVED), stepMs: 1 }, 'busy');

const copyBack = async (
  folder: string,
  { copies, stepMs }: { readonly copies: number; readonly stepMs: number },
  name = 'copy',
): Promise<void> => {
  const sql = `WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${copies - 1}),
      moved AS (SELECT n, n * ${stepMs} AS ms FROM copy)
      INSERT INTO payments (id, confirmed_ms, ended_ms, settled_ms, ${SAME})
      SELECT id || '-${name}-' || n, confirmed_ms - ms, ended_ms - ms, settled_ms - ms, ${SAME}
      FROM moved CROSS JOIN payments WHERE id NOT LIKE '%-%' AND state IN ('completed', 'failed');
      PRAGMA wal_checkpoint(TRUNCATE);`;
  await typed('sqlite3', [join(folder, 'paythread.db'), sql]);
};
