import type { Cluster } from '../../cluster/cluster.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Database } from './database.ts';
import type { Roles } from './roles.ts';
import { SharedPaces } from './shared-paces.ts';
import type { GivenTime } from './time-source.ts';

/** What the instances on one database agree on: the pace in a table, roles as locks. */
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
  const paces = new SharedPaces(database, givenMs);
  return {
    take: (limits, turn) => paces.take(limits, turn),
    spend: (limits) => paces.spend(limits),
    block: (key, ms) => paces.block(key, ms),
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
