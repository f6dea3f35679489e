import type { Client } from 'pg';
import type { Payment } from '../../records/payment.ts';
import { paymentColumns } from '../sql/prepared-change.ts';
import { recordIn } from '../stored-body.ts';
import { rowsInBatches } from './database.ts';

/**
 * Gives the payments of a version that had no reports what they are summed by, in the transaction of the caller. The
 * program reads the bodies, because the server refuses some that hold what people typed. The indexes are made afterwards,
 * in one sort each.
 */
export const fillReportColumns = async (client: Client): Promise<void> => {
  await client.query('DROP INDEX payments_confirmed_ms_id_state_currency_amount_minor_idx');
  await fill(
    client,
    `UPDATE payments SET settled_ms = each.settled_ms, network = each.network,
      payment_option = each.payment_option, place = each.place
    FROM json_to_recordset($1) AS each (id text, settled_ms bigint, network text, payment_option text, place text)
    WHERE payments.kind = 'payment' AND payments.id = each.id`,
  );
  await client.query(`ALTER TABLE payments ALTER network SET NOT NULL, ALTER payment_option SET NOT NULL, ALTER place SET NOT NULL;
    CREATE INDEX ON payments (confirmed_ms, id) INCLUDE (state, currency, amount_minor, flag, settled_ms, network,
      payment_option, place, merchant, requester);
    CREATE INDEX ON payments (settled_ms, state, currency, amount_minor, flag) WHERE settled_ms IS NOT NULL`);
};

/** The same of what they are searched by. */
export const fillSearched = async (client: Client): Promise<void> => {
  await fill(
    client,
    `UPDATE payments SET searched = each.searched, run = each.run
    FROM json_to_recordset($1) AS each (id text, searched text, run text)
    WHERE payments.kind = 'payment' AND payments.id = each.id`,
  );
  await client.query(`CREATE INDEX ON payments (confirmed_ms, id)
    INCLUDE (searched, state, currency, amount_minor) WHERE searched IS NOT NULL`);
};

/** A payment that cannot be read is left as it is: the audit tells of it, and it stops no start. */
const fill = async (client: Client, update: string): Promise<void> => {
  await client.query("SET LOCAL maintenance_work_mem = '256MB'");
  const text = "SELECT id, body::text AS body FROM payments WHERE kind = 'payment'";
  for await (const rows of rowsInBatches<{ id: string; body: string }>(client, { text })) {
    const columns = rows.flatMap((row) => {
      const put = recordIn({ kind: 'payment', ...row });
      // A body of the kind that was asked for; the compiler cannot know.
      return put === undefined ? [] : [{ id: row.id, ...paymentColumns(put.record as Payment) }];
    });
    await client.query(update, [JSON.stringify(columns)]);
  }
};
