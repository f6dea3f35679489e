import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../src/core/cluster/cluster.ts';
import type { Put } from '../../../../src/core/records/records.ts';
import { verifyDatabase } from '../../../../src/core/store/postgres/verify-database.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import { newTransactionId } from '../../../../src/core/values/transaction-id.ts';
import { aPayment } from '../../../support/a-payment.ts';
import { eventually } from '../../../support/eventually.ts';
import { FastClock } from '../../../support/fast-clock.ts';
import { openInstance, startOwnPostgres } from '../../../support/postgres.ts';

const postgres = await startOwnPostgres();

/** Payments made and settled, several at once, as long as it is told to; knows what was acknowledged. */
class Stream {
  readonly acknowledged = new Map<string, number>();
  readonly #store: Store;
  #running = true;
  readonly #loops: Promise<void>[];

  constructor(store: Store) {
    this.#store = store;
    this.#loops = Array.from({ length: 16 }, () => this.#loop());
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops);
  }

  async #loop(): Promise<void> {
    while (this.#running) {
      const id = newTransactionId(Date.now());
      try {
        await this.#commit(id, 1);
        await this.#commit(id, 2);
      } catch {
        // Nothing was promised. A server that is away refuses at once, so it is not asked all the time.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  async #commit(id: string, version: number): Promise<void> {
    const record = aPayment({ id, version });
    const after = record.state;
    const before = version === 1 ? null : after;
    const detail = { version };
    const stored = await this.#store.commit({
      put: [{ kind: 'payment', record }],
      audit: [
        { atMs: 0, kind: 'payment', id, what: `v${version}`, before, after, version, detail },
      ],
    });
    // Nobody else has this payment, so a refusal could only mean that it was stored unnoticed.
    if (!stored) throw new Error(`payment ${id} was refused`);
    this.acknowledged.set(id, version);
  }
}

const expectAllStored = async (stream: Stream): Promise<void> => {
  const rows = await postgres.query<{ id: string; version: number; entries: string }>(
    `SELECT id, version, (SELECT count(*) FROM audit WHERE audit.id = payments.id) AS entries FROM payments`,
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const [id, version] of stream.acknowledged)
    expect(stored.get(id)?.version, id).toBeGreaterThanOrEqual(version);
  // State and audit came together or not at all.
  for (const { id, version, entries } of rows) expect(Number(entries), id).toBe(version);
  expect((await verifyDatabase(postgres.url(), { nowMs: 0 })).places).toEqual([]);
};

const leadUntil = (cluster: Cluster, stop: AbortSignal, turns: number[]): Promise<void> =>
  cluster.lead(
    'poll',
    async (signal) => {
      turns.push(turns.length + 1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    stop,
  );

const setting = (version: number): Put => ({
  kind: 'setting',
  record: { id: 's', version, value: '' },
});

describe('a server that dies in the middle of it', () => {
  it.each(['SIGQUIT', 'SIGKILL'] as const)(
    'by %s has everything that was acknowledged, and the store works again',
    { tags: ['F34', 'F39'] },
    async (signal) => {
      await postgres.emptyTables();
      const { store, cluster } = await openInstance(postgres.url());
      const stop = new AbortController();
      const turns: number[] = [];
      const leading = leadUntil(cluster, stop.signal, turns);
      const stream = new Stream(store);
      await eventually(() => expect(stream.acknowledged.size).toBeGreaterThan(100));
      await eventually(() => expect(turns).toEqual([1]));

      await postgres.crash(signal);
      await expect(store.get('payment', 'x')).rejects.toThrow(/cannot be reached|terminat|reset/);
      const before = stream.acknowledged.size;
      await postgres.restart();
      await eventually(() => expect(stream.acknowledged.size).toBeGreaterThan(before + 50));
      // A crash forgets the lease; the role is had again, by its holder or anew.
      await eventually(async () =>
        expect(await postgres.query("SELECT FROM paces WHERE key = 'role: poll'")).toHaveLength(1),
      );
      expect(turns.length).toBeLessThanOrEqual(2);

      await stream.stop();
      stop.abort();
      await leading;
      await expectAllStored(stream);
    },
  );

  it('and does not come back lets the caller wait for some seconds, then says that nobody knows', {
    tags: ['F35'],
  }, async () => {
    await postgres.empty();
    const clock = new FastClock(10);
    const { store } = await openInstance(postgres.url(), { clock });
    const blocker = await postgres.connect();
    await store.commit({ put: [setting(1)] });
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM records FOR UPDATE');
    const commit = store.commit({ put: [setting(2)] }).catch((error: unknown) => error);
    await eventually(async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      expect(await postgres.query(waiting)).toHaveLength(1);
    });
    await postgres.crash('SIGQUIT');
    expect(await commit).toMatchObject({ name: 'OutcomeUnknownError' });
    await postgres.restart();
    expect((await eventually(() => store.get('setting', 's')))?.version).toBe(1);
  });
});
