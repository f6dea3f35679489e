import { describe, expect, it } from 'vitest';
import { ChargeFreeze } from '../../../../src/core/guards/charge-freeze.ts';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { setting } from '../../../contracts/store/records.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { openInstance, startOwnPostgres } from '../../../support/postgres.ts';
import { PASSWORD } from '../../../support/postgres-database.ts';

const postgres = await startOwnPostgres();

/** Opens an instance on it for a moment, and says whether charges are frozen then. */
const frozenIn = async (database: string): Promise<boolean> => {
  const { store } = await openInstance(postgres.url({ database }));
  const mark = await new ChargeFreeze(store).standing();
  await store.close();
  return mark !== undefined;
};

const copied = async (from: string, to: string): Promise<void> => {
  await postgres.query(`CREATE DATABASE ${to} TEMPLATE ${from}`);
};

const newDatabase = async (name: string): Promise<void> => {
  await postgres.query(`CREATE DATABASE ${name}`);
};

/** Changes what is stored of where the database was. */
const remember = async (database: string, part: string, value: string | null): Promise<void> => {
  const client = await postgres.connectTo(database);
  await client.query(
    `UPDATE records SET body = jsonb_set(body::jsonb, '{value}', to_jsonb(
      jsonb_set((body->>'value')::jsonb, $1, $2)::text))::json WHERE id = 'home'`,
    [[part], JSON.stringify(value)],
  );
};

describe('a database that came back', () => {
  it('is none at a first start, nor at any later one', async () => {
    await newDatabase('first');
    expect(await frozenIn('first')).toBe(false);
    expect(await frozenIn('first')).toBe(false);
  });

  it('is none when it was only brought up to date from a version that did not look', async () => {
    await newDatabase('older');
    await frozenIn('older');
    const client = await postgres.connectTo('older');
    await client.query(`DELETE FROM records WHERE id = 'home'`);
    expect(await frozenIn('older')).toBe(false);
  });

  it('is noticed as a copy under another name, once, and by one of several instances', async () => {
    await newDatabase('shop');
    const { store } = await openInstance(postgres.url({ database: 'shop' }));
    const beforeMs = systemClock.now();
    await store.commit({ put: [setting({ id: 'last', version: 1, value: 'x' })] });
    await store.close();
    await copied('shop', 'shop_copy');
    const { log, entries } = capturedLog();
    const instances = await Promise.all(
      [1, 2, 3].map(() => openInstance(postgres.url({ database: 'shop_copy' }), { log })),
    );
    const marks = await Promise.all(
      instances.map(({ store: each }) => new ChargeFreeze(each).standing()),
    );
    expect(new Set(marks.map((mark) => JSON.stringify(mark))).size).toBe(1);
    const [mark] = marks;
    expect(mark?.backupAtMs).toBeGreaterThan(beforeMs - 1_000);
    expect(mark?.backupAtMs).toBeLessThanOrEqual(mark?.sinceMs ?? 0);
    const told = entries.filter(({ message }) => /came back from a backup/.test(message));
    expect(told).toHaveLength(1);
    expect(JSON.stringify(told)).not.toContain(PASSWORD);

    const [first] = instances;
    if (first === undefined || mark === undefined) throw new Error('nothing was opened');
    expect(await new ChargeFreeze(first.store).lift(mark, systemClock.now(), {})).toBe(true);
    for (const { store: each } of instances) {
      expect(await new ChargeFreeze(each).standing()).toBeUndefined();
      await each.close();
    }
    expect(await frozenIn('shop_copy')).toBe(false);
    expect(await frozenIn('shop')).toBe(false);
  });

  it.each(['system', 'timeline', 'database', 'payments'])(
    'is noticed by its %s',
    { tags: ['F43'] },
    async (part) => {
      await newDatabase(`by_${part}`);
      await frozenIn(`by_${part}`);
      await remember(`by_${part}`, part, null);
      expect(await frozenIn(`by_${part}`), 'what is not known says nothing').toBe(false);
      await remember(`by_${part}`, part, '7');
      expect(await frozenIn(`by_${part}`)).toBe(true);
    },
  );

  it('can be seen by a role that is nobody special', async () => {
    await newDatabase('plain');
    await postgres.query(
      `CREATE ROLE plain LOGIN PASSWORD 'p'; ALTER DATABASE plain OWNER TO plain`,
    );
    const url = postgres.url({ database: 'plain', user: 'plain', password: 'p' });
    await (await openInstance(url)).store.close();
    const client = await postgres.connectTo('plain');
    const { rows } = await client.query<{ value: string }>(
      `SELECT body->>'value' AS value FROM records WHERE id = 'home'`,
    );
    const home = JSON.parse(rows[0]?.value ?? '{}') as Record<string, string | null>;
    expect(home).toEqual({
      system: expect.stringMatching(/^\d+$/),
      timeline: expect.stringMatching(/^[0-9A-F]{8}$/),
      database: expect.stringMatching(/^\d+$/),
      payments: expect.stringMatching(/^\d+$/),
    });
  });

  it('is noticed by an instance that runs while a replica takes the place of its server', async () => {
    await newDatabase('failover');
    const { store } = await openInstance(postgres.url({ database: 'failover' }));
    const freeze = new ChargeFreeze(store);
    expect(await freeze.standing()).toBeUndefined();
    await postgres.becomeReplica();
    await postgres.promote();
    await expect
      .poll(() => freeze.standing().catch(() => undefined))
      .toMatchObject({ sinceMs: expect.any(Number) });
  });
});
