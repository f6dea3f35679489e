import type { Client } from 'pg';
import type { Payment } from '../../records/payment.ts';
import { paymentColumns } from '../sql/prepared-change.ts';
import { recordIn } from '../stored-body.ts';
import { rowsInBatches } from './database.ts';

const FILL = `UPDATE payments SET searched = each.searched, run = each.run,
    settled_ms = coalesce(payments.settled_ms, each.settled_ms), network = coalesce(payments.network, each.network),
    payment_option = coalesce(payments.payment_option, each.payment_option), place = coalesce(payments.place, each.place)
  FROM json_to_recordset($1) AS each (id text, searched text, run text, settled_ms bigint, network text,
    payment_option text, place text)
  WHERE payments.kind = 'payment' AND payments.id = each.id`;

/**
 * Gives the payments of earlier versions what they are searched by, and summed by where that version had no reports, in
 * the transaction of the caller. The program reads the bodies, because the server refuses some that hold what people
 * typed. A payment that cannot be read is left as it is: the audit tells of it, and it stops no start.
 */
export const fillColumns = async (client: Client): Promise<void> => {
  await client.query("SET LOCAL maintenance_work_mem = '256MB'");
  const text = "SELECT id, body::text AS body FROM payments WHERE kind = 'payment'";
  for await (const rows of rowsInBatches<{ id: string; body: string }>(client, { text })) {
    const columns = rows.flatMap((row) => {
      const put = recordIn({ kind: 'payment', ...row });
      // A body of the kind that was asked for; the compiler cannot know.
      return put === undefined ? [] : [{ id: row.id, ...paymentColumns(put.record as Payment) }];
    });
    await client.query(FILL, [JSON.stringify(columns)]);
  }
  // The index is made afterwards, in one sort.
  await client.query(`ALTER TABLE payments ALTER network SET NOT NULL, ALTER payment_option SET NOT NULL, ALTER place SET NOT NULL;
    CREATE INDEX ON payments (confirmed_ms, id)
      INCLUDE (searched, state, currency, amount_minor) WHERE searched IS NOT NULL`);
};
