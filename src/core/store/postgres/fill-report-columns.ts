import type { Client } from 'pg';
import type { Payment } from '../../records/payment.ts';
import { paymentColumns } from '../sql/prepared-change.ts';
import { rowsInBatches } from './database.ts';
import { EVERY_PAYMENT } from './fill-terms.ts';

/**
 * Gives the payments of a version that had no reports what they are summed by, in the transaction of the caller. The
 * program reads the bodies, because the server refuses some that hold what people typed. The indexes are made afterwards,
 * in one sort each.
 */
export const fillReportColumns = async (client: Client): Promise<void> => {
  await client.query(`DROP INDEX payments_confirmed_ms_id_state_currency_amount_minor_idx;
    SET LOCAL maintenance_work_mem = '256MB'`);
  for await (const rows of rowsInBatches<{ body: Payment }>(client, EVERY_PAYMENT))
    await client.query(FILL, [
      JSON.stringify(rows.map(({ body }) => ({ id: body.id, ...paymentColumns(body) }))),
    ]);
  await client.query(`ALTER TABLE payments ALTER network SET NOT NULL, ALTER payment_option SET NOT NULL, ALTER place SET NOT NULL;
    CREATE INDEX ON payments (confirmed_ms, id) INCLUDE (state, currency, amount_minor, flag, settled_ms, network,
      payment_option, place, merchant, requester);
    CREATE INDEX ON payments (settled_ms, state, currency, amount_minor, flag) WHERE settled_ms IS NOT NULL`);
};

const FILL = `
  UPDATE payments SET settled_ms = each.settled_ms, network = each.network,
    payment_option = each.payment_option, place = each.place
  FROM json_to_recordset($1) AS each (id text, settled_ms bigint, network text, payment_option text, place text)
  WHERE payments.kind = 'payment' AND payments.id = each.id`;
