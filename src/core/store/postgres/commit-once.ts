import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Change } from '../../records/records.ts';
import { systemRandom } from '../../runtime/random.ts';
import { preparedChange } from '../sql/prepared-change.ts';
import { commitStatement } from './change-statement.ts';

/** Stores a change within a transaction of the caller's. `false`: a record had another version than expected. */
export const commitOn = async (
  client: ClientBase,
  change: Change,
  nowMs: number,
): Promise<boolean> => {
  const { rows } = await client.query<{ stored: boolean }>(
    commitStatement(
      [preparedChange(change, systemRandom)],
      { connection: randomUUID(), serial: 1 },
      { nowMs, givenMs: null },
    ),
  );
  return rows[0]?.stored === true;
};
