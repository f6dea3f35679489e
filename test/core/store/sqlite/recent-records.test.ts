import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareDatabase } from '../../../../src/core/store/sqlite/database-file.ts';
import { SqliteStore } from '../../../../src/core/store/sqlite/sqlite-store.ts';
import { aSetting, setting } from '../../../contracts/store/records.ts';
import { aPayment } from '../../../support/a-payment.ts';
import { silentLog } from '../../../support/silent-log.ts';

const aStore = () => {
  const database = new DatabaseSync(':memory:');
  prepareDatabase(database);
  const onFatal = (error: Error) => {
    throw error;
  };
  const store = new SqliteStore({ database, log: silentLog, onFatal });
  onTestFinished(async () => {
    await store.close();
    database.close();
  });
  return { database, store };
};

describe('records that the SQLite store remembers', () => {
  it('a change that was rolled back is not read, and the next one is measured by what is stored', async () => {
    const { store } = aStore();
    await store.commit({ put: [setting()] });
    const failing = store.commit({ put: [setting({ version: 2, value: 'b' })] }, [
      { text: 'INSERT INTO audit_details VALUES (NULL, NULL, NULL)', values: [] },
    ]);
    await expect(failing).rejects.toThrow(/constraint/);
    expect(await store.get('setting', 'secret')).toEqual(aSetting());
    expect(await store.commit({ put: [setting({ version: 3, value: 'c' })] })).toBe(false);
    expect(await store.commit({ put: [setting({ version: 2, value: 'c' })] })).toBe(true);
    expect(await store.get('setting', 'secret')).toMatchObject({ value: 'c' });
  });

  it('a removed record is not read, and one with its id begins at version 1', async () => {
    const { store } = aStore();
    await store.commit({ put: [setting()] });
    await store.commit({ remove: [{ kind: 'setting', id: 'secret', version: 1 }] });
    expect(await store.get('setting', 'secret')).toBeUndefined();
    expect(await store.commit({ put: [setting({ version: 2 })] })).toBe(false);
    expect(await store.commit({ put: [setting({ value: 'b' })] })).toBe(true);
  });

  it('a record that was looked for in vain is read once it is stored, and not when its change was rolled back', async () => {
    const { store } = aStore();
    expect(await store.get('setting', 'secret')).toBeUndefined();
    const failing = store.commit({ put: [setting()] }, [
      { text: 'INSERT INTO audit_details VALUES (NULL, NULL, NULL)', values: [] },
    ]);
    await expect(failing).rejects.toThrow(/constraint/);
    expect(await store.get('setting', 'secret')).toBeUndefined();
    expect(await store.commit({ put: [setting({ version: 2 })] })).toBe(false);
    expect(await store.commit({ put: [setting()] })).toBe(true);
    expect(await store.get('setting', 'secret')).toEqual(aSetting());
  });

  it('a caller cannot change what the next one reads', async () => {
    const { store } = aStore();
    const payment = aPayment();
    await store.commit({ put: [{ kind: 'payment', record: payment }] });
    const read = await store.get('payment', payment.id);
    expect(() => Object.assign(read?.terms.amount ?? {}, { amountMinor: 1 })).toThrow(TypeError);
    expect(await store.get('payment', payment.id)).toEqual(payment);
  });

  it('a row that was changed by hand is not written over', async () => {
    const { database, store } = aStore();
    await store.commit({ put: [setting()] });
    database.exec(`UPDATE records SET version = 7 WHERE id = 'secret'`);
    const late = store.commit({ put: [setting({ version: 2, value: 'b' })] });
    await expect(late).rejects.toThrow('changed outside of the store');
    expect(database.prepare('SELECT version FROM records').get()).toEqual({ version: 7 });
  });

  it('more records than are remembered are read as they are stored', async () => {
    const { store } = aStore();
    const ids = Array.from({ length: 4_100 }, (_, n) => `s${n}`);
    await store.commit({ put: ids.map((id) => setting({ id, value: id })) });
    for (const id of [...ids.slice(0, 5), ...ids.slice(-5)]) {
      expect(await store.get('setting', id)).toMatchObject({ value: id });
      expect(await store.commit({ put: [setting({ id, version: 2, value: 'b' })] })).toBe(true);
    }
  });
});
