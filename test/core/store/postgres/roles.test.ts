import { describe, expect } from 'vitest';
import type { Cluster } from '../../../../src/core/cluster/cluster.ts';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { eventually } from '../../../support/eventually.ts';
import { openInstance, startPostgres } from '../../../support/postgres.ts';
import { PostgresProxy } from '../../../support/postgres-proxy.ts';
import { together } from '../../../support/together.ts';

const postgres = await startPostgres();

const twoInstances = () =>
  Promise.all([openInstance(postgres.url()), openInstance(postgres.url())]);

/** One whose connections can be swallowed, and one beside it. */
const oneBehindProxy = async () => {
  const proxy = await PostgresProxy.start(postgres.port);
  const a = await openInstance(postgres.url({ port: proxy.port }));
  return { proxy, a, b: await openInstance(postgres.url()) };
};

let roles = 0;

/** A role that no other test wants. */
const aRole = () => {
  const role = `poll ${roles++}`;

  /** Wants the role, and notes who has it when. */
  const candidate = (cluster: Cluster, name: string, holders: string[]) => {
    const stop = new AbortController();
    let before: readonly string[] = [];
    const ended = cluster.lead(
      role,
      async (signal) => {
        before = [...holders];
        holders.push(name);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        holders.splice(holders.indexOf(name), 1);
      },
      stop.signal,
    );
    /** `beside`: who had it as well when this one got it. */
    return { stop: () => stop.abort(), ended, beside: () => before };
  };

  /** It is a's. */
  const held = async (cluster: Cluster) => {
    const holders: string[] = [];
    const holder = candidate(cluster, 'a', holders);
    await expect.poll(() => holders).toEqual(['a']);
    return { holders, holder };
  };

  /** How long after now the lease of the role ends, and whose it is. */
  const lease = (holder: string, inMs: number) =>
    postgres.query(
      `INSERT INTO paces (key, state, full_at_ms) VALUES ('role: ' || $3, $1, now_ms(NULL) + $2)
        ON CONFLICT (key) DO UPDATE SET state = excluded.state, full_at_ms = excluded.full_at_ms`,
      [holder, inMs, role],
    );

  const leaseEndsMs = async (): Promise<number> => {
    const [row] = await postgres.query<{ full_at_ms: number }>(
      "SELECT full_at_ms FROM paces WHERE key = 'role: ' || $1",
      [role],
    );
    return row?.full_at_ms ?? 0;
  };

  return { candidate, held, lease, leaseEndsMs };
};

describe('a role', () => {
  const it = together();

  it('is one instance’s alone, and the other’s when the first cannot renew it', {
    tags: ['F36'],
  }, async () => {
    const { candidate, held, leaseEndsMs } = aRole();
    const { proxy, a, b } = await oneBehindProxy();
    const { holders, holder: first } = await held(a.cluster);
    const second = candidate(b.cluster, 'b', holders);
    const endsMs = await leaseEndsMs();
    // Meanwhile the other has sought it several times.
    await eventually(async () => expect(await leaseEndsMs()).toBeGreaterThan(endsMs + 2_000));
    expect(holders).toEqual(['a']);
    // It would come back by a new connection, on a slow machine before the other.
    proxy.swallow({ newToo: true });
    // The first has ended its work before the lease ends, so never both have it.
    await eventually(() => expect(holders).toEqual(['b']));
    expect(first.beside()).toEqual([]);
    expect(second.beside()).toEqual([]);
    first.stop();
    second.stop();
    await Promise.all([first.ended, second.ended]);
    expect(holders).toEqual([]);
  });

  it('ends when another has it, whatever the reason', async () => {
    const { held, lease } = aRole();
    const [{ cluster }] = await twoInstances();
    const { holders, holder: only } = await held(cluster);
    await lease('another', 3_000);
    await eventually(() => expect(holders).toEqual([]));
    await eventually(() => expect(holders).toEqual(['a']));
    only.stop();
    await only.ended;
  });

  it('is had once the lease of one that died has run out, and no later for a clock that was ahead', {
    tags: ['F77'],
  }, async () => {
    const { candidate, lease, leaseEndsMs } = aRole();
    const [{ cluster }] = await twoInstances();
    for (const [inMs, hasRunOut] of [
      [2_000, true],
      [24 * 3_600_000, false],
    ] as const) {
      await lease('one that died', inMs);
      const endsMs = await leaseEndsMs();
      const holders: string[] = [];
      const only = candidate(cluster, 'a', holders);
      await eventually(() => expect(holders).toEqual(['a']));
      expect(systemClock.now() >= endsMs).toBe(hasRunOut);
      only.stop();
      await only.ended;
    }
  });

  it('keeps nobody from stopping when the database has gone silent', {
    tags: ['F36'],
  }, async () => {
    const { candidate, held, lease } = aRole();
    const { proxy, a, b } = await oneBehindProxy();
    const { holders, holder } = await held(a.cluster);
    await lease('another', 60_000);
    proxy.swallow();
    const seeker = candidate(a.cluster, 'a', holders);
    const stoppedMs = systemClock.now();
    for (const each of [holder, seeker]) each.stop();
    await Promise.all([holder.ended, seeker.ended]);
    expect(systemClock.now() - stoppedMs).toBeLessThan(15_000);
    await b.store.close();
  });

  it('goes to the other at once when its holder stops, and ends with the store', async () => {
    const { candidate, held } = aRole();
    const [a, b] = await twoInstances();
    const { holders, holder: first } = await held(a.cluster);
    const second = candidate(b.cluster, 'b', holders);
    first.stop();
    await first.ended;
    await expect.poll(() => holders).toEqual(['b']);
    await b.store.close();
    expect(holders).toEqual([]);
    await second.ended;
  });

  it('ends with what its work throws', async () => {
    const [{ cluster }] = await twoInstances();
    const never = new AbortController().signal;
    await expect(
      cluster.lead('poll', () => Promise.reject(new Error('no')), never),
    ).rejects.toThrow('no');
  });

  it('does not begin work that is to stop already', async () => {
    const [{ cluster }] = await twoInstances();
    const begun: string[] = [];
    const stop = new AbortController();
    const leading = [1, 2, 3].map((n) =>
      cluster.lead(
        `role ${n}`,
        async (signal) => void begun.push(`${signal.aborted}`),
        stop.signal,
      ),
    );
    stop.abort();
    await Promise.all(leading);
    expect(begun).toEqual([]);
  });

  it('has nothing to do with other roles', async () => {
    const [a, b] = await twoInstances();
    const stop = new AbortController();
    const led: string[] = [];
    const lead = (cluster: Cluster, role: string) =>
      cluster.lead(role, async () => void led.push(role), stop.signal);
    const both = [lead(a.cluster, 'one'), lead(b.cluster, 'other')];
    await expect.poll(() => new Set(led).size).toBe(2);
    stop.abort();
    await Promise.all(both);
  });
});
