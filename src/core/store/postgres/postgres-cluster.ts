import type { Clock } from '../../clock.ts';
import type { Cluster } from '../../cluster.ts';
import type { PaceLimit } from '../../pacer.ts';
import type { Database } from './database.ts';
import type { GivenTime } from './given-time.ts';
import type { Roles } from './roles.ts';

/** What the instances on one database agree on: token buckets in a table, roles as locks. */
export const postgresCluster = ({
  database,
  time,
  clock,
  roles,
}: {
  database: Database;
  time: GivenTime;
  clock: Clock;
  roles: Roles;
}): Cluster => {
  const givenMs = () => time(clock.now());
  return {
    take: async (limits) => {
      const { keys, bursts, perMs } = inOrder(limits);
      const [row] = await database.rows<{ wait_ms: number }>({
        name: 'take',
        text: 'SELECT take_paces($1, $2, $3, $4) AS wait_ms',
        values: [givenMs(), keys, bursts, perMs],
      });
      return Math.ceil(row?.wait_ms ?? 0);
    },
    spend: async (limits) => {
      const { keys, perMs } = inOrder(limits);
      await database.rows({
        text: 'SELECT spend_paces(now_ms($1), $2, $3)',
        values: [givenMs(), keys, perMs],
      });
    },
    block: async (key, ms) => {
      await database.rows({
        text: `INSERT INTO paces (key, blocked_until_ms) VALUES ($2, now_ms($1) + $3)
          ON CONFLICT (key) DO UPDATE SET blocked_until_ms = excluded.blocked_until_ms`,
        values: [givenMs(), key, ms],
      });
    },
    reserve: async (key, perMs) => {
      const [row] = await database.rows<{ wait_ms: number }>({
        name: 'reserve',
        text: `WITH here AS MATERIALIZED (SELECT now_ms($1)::double precision AS ms)
          INSERT INTO paces AS pace (key, full_at_ms) SELECT $2, ms + $3 FROM here
          ON CONFLICT (key) DO UPDATE SET
            full_at_ms = greatest(pace.full_at_ms, excluded.full_at_ms - $3) + $3
          RETURNING full_at_ms - $3 - (SELECT ms FROM here) AS wait_ms`,
        values: [givenMs(), key, perMs],
      });
      return Math.ceil(row?.wait_ms ?? 0);
    },
    lead: (role, work, stop) => roles.lead(role, work, stop),
  };
};

/** All instances lock in the same order, so that no two wait for each other. */
const inOrder = (limits: readonly PaceLimit[]) => {
  const sorted = limits.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    keys: sorted.map(({ key }) => key),
    bursts: sorted.map(({ burst }) => burst),
    perMs: sorted.map(({ perMs }) => perMs),
  };
};
