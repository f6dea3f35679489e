import { FORGOTTEN_ID } from '../customer-erasure.ts';
import type { TallyLine } from '../store-tally.ts';
import type { StoredBody } from '../stored-body.ts';
import type { Sql } from './sql.ts';
import type { StoredAuditRow, StoredPaymentRow, Trail } from './verify-audit.ts';

/** A number that JavaScript reads by itself. */
const numeric = (column: string, name = column): string =>
  `CAST(${column} AS double precision) AS ${name}`;

const COLUMNS = new Map(
  [
    ...['id', 'version', 'salt', 'state', 'customer_number', 'requester', 'currency', 'flag'],
    ...['network', 'payment_option', 'place', 'merchant', 'searched', 'run'],
  ].map((name): [string, string] => [name, name]),
);
for (const name of ['amount_minor', 'confirmed_ms', 'ended_ms', 'settled_ms'])
  COLUMNS.set(name, numeric(name));
COLUMNS.set('body', 'CAST(body AS text) AS body');

/** As the connection sees it. `placeOf`: as in `Trail`. */
export const trailIn = (sql: Sql, placeOf: Trail['placeOf']): Trail => {
  const ofPayments = sql.dialect.planning.byId.map((condition) => `${condition} AND `).join('');
  // A store is verified as it is: earlier versions had fewer columns, and the next start adds them.
  const columns = async (): Promise<string> => {
    const query = { text: sql.dialect.columnNames, values: [] };
    const names = await sql.rows<{ name: string }>(query);
    return names.flatMap(({ name }) => COLUMNS.get(name) ?? []).join(', ');
  };
  return {
    rows: () =>
      sql.stream<StoredAuditRow>({
        text: `SELECT kind, id, seq, entry, hash, ${numeric('position')}, salt, detail
          FROM audit LEFT JOIN audit_details USING (position) ORDER BY id, kind, seq`,
        values: [],
      }),
    others: () =>
      sql.stream<StoredBody>({
        text: "SELECT kind, id, CAST(body AS text) AS body FROM records WHERE kind <> 'payment'",
        values: [],
      }),
    payments: async (ids) =>
      ids.length === 0
        ? []
        : sql.rows<StoredPaymentRow>({
            text: `SELECT ${await columns()} FROM payments WHERE ${ofPayments}id IN (${ids.map(() => '?').join(', ')})`,
            values: ids,
          }),
    unaudited: async () => {
      const text = `SELECT id FROM payments p WHERE ${ofPayments}NOT EXISTS
        (SELECT 1 FROM audit a WHERE a.id = p.id AND a.kind = 'payment') ORDER BY id`;
      return (await sql.rows<{ id: string }>({ text, values: [] })).map(({ id }) => id);
    },
    tally: () =>
      sql.rows<TallyLine>({
        text: `SELECT 'payment ' || state AS what, currency, ${numeric('count(*)', 'count')},
            ${numeric('sum(amount_minor)', '"amountMinor"')} FROM payments WHERE ${ofPayments}true GROUP BY 1, 2`,
        values: [],
      }),
    forgottenPosition: async () => {
      const [last] = await sql.rows<{ position: number | null }>({
        text: `SELECT ${numeric('max(position)', 'position')} FROM audit WHERE kind = 'setting' AND id = ?`,
        values: [FORGOTTEN_ID],
      });
      return last?.position ?? 0;
    },
    placeOf,
  };
};
