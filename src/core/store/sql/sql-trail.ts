import type { TallyLine } from '../store-tally.ts';
import type { StoredBody } from '../stored-body.ts';
import { FORGOTTEN_ID } from './customer-erasure.ts';
import type { PaymentColumns } from './prepared-change.ts';
import type { Sql } from './sql.ts';

/** A row as it is stored, with its detail unless that was deleted. */
export type StoredAuditRow = {
  readonly kind: string;
  readonly id: string;
  readonly seq: number;
  readonly entry: string;
  readonly hash: Uint8Array;
  /** Grows with each row that is written. */
  readonly position: number;
  readonly salt: Uint8Array | null;
  readonly detail: string | null;
};

export type StoredPaymentRow = PaymentColumns & {
  readonly id: string;
  readonly version: number;
  readonly body: string;
  readonly salt: Uint8Array;
};

/** A number that JavaScript reads by itself. */
const numeric = (column: string, name = column): string =>
  `CAST(${column} AS double precision) AS ${name}`;

const COLUMNS = new Map(
  [
    'id version salt state customer_number requester currency flag',
    'network payment_option place merchant searched run',
  ].flatMap((names) => names.split(' ').map((name): [string, string] => [name, name])),
);
for (const name of ['amount_minor', 'given_minor', 'confirmed_ms', 'ended_ms', 'settled_ms'])
  COLUMNS.set(name, numeric(name));
COLUMNS.set('body', 'CAST(body AS text) AS body');

export type Trail = ReturnType<typeof trailIn>;

/** What is to be checked, as the connection sees it. */
export const trailIn = (sql: Sql) => {
  const ofPayments = sql.dialect.byId.map((condition) => `${condition} AND `).join('');
  // A store is verified as it is: earlier versions had fewer columns, and the next start adds them.
  const columns = async (): Promise<string> => {
    const query = { text: sql.dialect.columnNames, values: [] };
    const names = await sql.rows<{ name: string }>(query);
    return names.flatMap(({ name }) => COLUMNS.get(name) ?? []).join(', ');
  };
  return {
    /** Record by record, each from its first row on. */
    rows: () =>
      sql.stream<StoredAuditRow>({
        text: `SELECT kind, id, seq, entry, hash, ${numeric('position')}, salt, detail
          FROM audit LEFT JOIN audit_details USING (position) ORDER BY id, kind, seq`,
        values: [],
      }),
    /** Every record that is no payment. */
    others: () =>
      sql.stream<StoredBody>({
        text: "SELECT kind, id, CAST(body AS text) AS body FROM records WHERE kind <> 'payment'",
        values: [],
      }),
    payments: async (ids: readonly string[]) =>
      ids.length === 0
        ? []
        : sql.rows<StoredPaymentRow>({
            text: `SELECT ${await columns()} FROM payments WHERE ${ofPayments}id IN (${ids.map(() => '?').join(', ')})`,
            values: ids,
          }),
    /** Ids of payments without any audit row. */
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
    /** The position of the last row about a forgotten customer; 0: none was forgotten. */
    forgottenPosition: async () => {
      const [last] = await sql.rows<{ position: number | null }>({
        text: `SELECT ${numeric('max(position)', 'position')} FROM audit WHERE kind = 'setting' AND id = ?`,
        values: [FORGOTTEN_ID],
      });
      return last?.position ?? 0;
    },
  };
};
