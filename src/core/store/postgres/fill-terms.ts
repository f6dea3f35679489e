import type { Client } from 'pg';
import type { Payment } from '../../records/payment.ts';
import { type TermRow, termRows } from '../sql/payment-terms.ts';
import { rowsInBatches } from './database.ts';

/** Rows of `payment_terms` from the JSON of `TermRow`s. */
export const TERM_ROWS = `json_to_recordset($1) AS each (term text, "confirmedMs" bigint, id text)`;

/** Stores by what payments are found. */
export const insertTerms = (client: Client, rows: readonly TermRow[]): Promise<unknown> =>
  client.query(
    `INSERT INTO payment_terms (term, confirmed_ms, id) SELECT term, "confirmedMs", id FROM ${TERM_ROWS}`,
    [JSON.stringify(rows)],
  );

/**
 * The same for all payments, in the transaction of the caller: those of a version that had no search. The key is made
 * afterwards, in one sort: kept row by row, in the order of the payments, it took most of the time.
 */
export const fillTerms = async (client: Client): Promise<void> => {
  await client.query(`ALTER TABLE payment_terms DROP CONSTRAINT payment_terms_pkey;
    SET LOCAL maintenance_work_mem = '256MB'`);
  for await (const rows of rowsInBatches<{ body: Payment }>(client, EVERY_PAYMENT))
    await insertTerms(
      client,
      rows.flatMap(({ body }) => termRows(body)),
    );
  await client.query('ALTER TABLE payment_terms ADD PRIMARY KEY (term, confirmed_ms, id)');
};

export const EVERY_PAYMENT = "SELECT body FROM payments WHERE kind = 'payment'";
