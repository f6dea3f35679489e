import { writeSync } from 'node:fs';
import type { Payment } from '../../src/core/records/payment.ts';
import type { AuditRow, Put } from '../../src/core/records/records.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { aPayment } from './a-payment.ts';
import { silentLog } from './silent-log.ts';

/**
 * A process of its own: commits to the store in the folder named by its first argument, in several
 * loops at once, and writes a line for each commit once it is acknowledged, until somebody kills it.
 *
 *     open                    the store is open
 *     <kind> <id> <version>   is stored
 *     setting <id> gone       is removed
 *     fatal <message>         nothing can be stored any more
 */
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

const STATES = [null, 'confirmed', 'pending', 'completed'];

const rowOf = ({ id, version, state }: Payment): AuditRow => ({
  ...{ atMs: systemClock.now(), kind: 'payment', id, what: state, version },
  ...{ before: STATES[version - 1] ?? null, after: state },
  detail: { words: 'x'.repeat(200) },
});

const put = async (store: Store, one: Put): Promise<void> => {
  const audit = one.kind === 'payment' ? [rowOf(one.record)] : [];
  if (await store.commit({ put: [one], audit }))
    say(`${one.kind} ${one.record.id} ${one.record.version}`);
};

/** A payment that lives for some versions and is history at once, so that it goes to the archive. */
const livePayment = async (store: Store): Promise<void> => {
  const confirmedAtMs = systemClock.now() - 3_600_000;
  const base = aPayment({ id: newTransactionId(confirmedAtMs), confirmedAtMs });
  await put(store, { kind: 'payment', record: base });
  await put(store, { kind: 'payment', record: { ...base, version: 2, state: 'pending' } });
  const { due: _, ...settled } = base;
  const state = 'completed';
  await put(store, { kind: 'payment', record: { ...settled, version: 3, state } });
};

const settingId = (loop: number, n: number): string =>
  `${process.pid}-${loop}-${n}-${n % 2 === 0 ? 'kept' : 'removed'}`;

/** Every other one is removed again. */
const liveSetting = async (store: Store, id: string): Promise<void> => {
  const version = 1;
  await put(store, { kind: 'setting', record: { id, version, value: 'x'.repeat(3000) } });
  if (id.endsWith('kept')) return;
  if (await store.commit({ remove: [{ kind: 'setting', id, version }] })) say(`setting ${id} gone`);
};

const run = async (dir: string): Promise<void> => {
  const onFatal = (error: Error) => {
    say(`fatal ${error.message} ${error.cause}`);
    process.exit(3);
  };
  const { store } = await openSqliteStore({ dir, log: silentLog, onFatal });
  say('open');
  const loop = async (name: number): Promise<never> => {
    for (let n = 0; ; n++) {
      await livePayment(store);
      await liveSetting(store, settingId(name, n));
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(loop));
};

const [dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('Name the folder of the store.');
await run(dir);
