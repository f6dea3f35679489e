import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Fatal, GroupCommit } from '../../../../src/core/store/sqlite/group-commit.ts';
import { failingDatabase } from '../../../support/failing-database.ts';

/** An engine over a database in memory with a table that takes one row for each number. */
const anEngine = (database = new DatabaseSync(':memory:')) => {
  database.exec(`PRAGMA foreign_keys = ON;
    CREATE TABLE numbers (n INTEGER PRIMARY KEY, long TEXT) STRICT;
    CREATE TABLE followers (of INTEGER REFERENCES numbers (n) DEFERRABLE INITIALLY DEFERRED)`);
  const groups: number[] = [];
  const fatals: Error[] = [];
  let rollbacks = 0;
  const engine = new GroupCommit({
    database,
    fatal: new Fatal((error) => fatals.push(error)),
    onRollback: () => {
      rollbacks += 1;
    },
    onGroup: (jobs) => groups.push(jobs),
  });
  const add = (n: number) =>
    engine.run(() => database.prepare('INSERT INTO numbers (n) VALUES (?)').run(n) && n);
  const stored = () =>
    database
      .prepare('SELECT n FROM numbers ORDER BY n')
      .all()
      .map(({ n }) => Number(n));
  return { database, engine, groups, fatals, add, stored, rollbacks: () => rollbacks };
};

describe('the engine', () => {
  it('commits what arrives in one turn of the event loop in one transaction', async () => {
    const { add, groups, stored } = anEngine();
    const first = [1, 2, 3].map(add);
    expect(stored()).toEqual([]);
    expect(await Promise.all(first)).toEqual([1, 2, 3]);
    await add(4);
    expect(groups).toEqual([3, 1]);
    expect(stored()).toEqual([1, 2, 3, 4]);
  });

  it('tells the commit of every write before it answers the first caller', async () => {
    const { engine } = anEngine();
    const order: string[] = [];
    const run = (name: string) =>
      engine
        .run(
          () => order.push(`${name} written`),
          () => order.push(`${name} committed`),
        )
        .then(() => order.push(`${name} answered`));
    await Promise.all([run('a'), run('b')]);
    expect(order).toEqual([
      ...['a written', 'b written'],
      ...['a committed', 'b committed'],
      ...['a answered', 'b answered'],
    ]);
  });

  it('stores the neighbours of a write that fails, and nothing of that write', async () => {
    const { add, engine, database, stored, fatals, rollbacks } = anEngine();
    const broken = engine.run(() => {
      database.exec('INSERT INTO numbers (n) VALUES (99)');
      throw new Error('not today');
    });
    const results = await Promise.allSettled([add(1), broken, add(2), add(1)]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect(stored()).toEqual([1, 2]);
    expect(fatals).toEqual([]);
    // The group, and then each of the two alone.
    expect(rollbacks()).toBe(3);
  });

  it('stores nothing any more after a failed COMMIT, and reports that once', {
    tags: ['F39'],
  }, async () => {
    const { add, engine, database, fatals } = anEngine();
    const lost = engine.run(() => database.exec('INSERT INTO followers (of) VALUES (7)'));
    const beside = add(1);
    await expect(lost).rejects.toThrow(
      'The database could not be written, so Paythread has to stop.',
    );
    await expect(beside).rejects.toThrow('has to stop');
    await expect(add(2)).rejects.toThrow('has to stop');
    expect(fatals.map(({ cause }) => (cause as Error).message)).toEqual([
      'FOREIGN KEY constraint failed',
    ]);
  });

  it('stops at a full disk instead of trying each write by itself', { tags: ['F38'] }, async () => {
    const { add, engine, database, fatals, stored } = anEngine();
    await add(1);
    database.exec('PRAGMA max_page_count = 4');
    const filling = engine.run(() =>
      database.prepare('INSERT INTO numbers (n, long) VALUES (2, ?)').run('x'.repeat(100_000)),
    );
    const beside = add(3);
    await expect(filling).rejects.toThrow('has to stop');
    await expect(beside).rejects.toThrow('has to stop');
    expect(fatals.map(({ cause }) => (cause as Error).message)).toEqual([
      'database or disk is full',
    ]);
    expect(stored()).toEqual([1]);
  });

  it('tries a failed COMMIT no second time: what the system dropped would count as stored', {
    tags: ['F39'],
  }, async () => {
    let commits = 0;
    const failing = failingDatabase(
      new DatabaseSync(':memory:'),
      () => ++commits === 1,
      () => false,
    );
    const { add, fatals, stored } = anEngine(failing);
    await expect(add(1)).rejects.toThrow('has to stop');
    await expect(add(2)).rejects.toThrow('has to stop');
    expect(commits).toBe(1);
    expect(fatals.map(({ cause }) => (cause as Error).message)).toEqual(['disk I/O error']);
    expect(stored()).toEqual([]);
  });
});
