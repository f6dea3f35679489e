import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { AuditRow, Kind } from '../../records/records.ts';
import { numberParts } from '../../values/customer-number.ts';

/** The record that audit rows are about. */
export type Chain = { readonly kind: Kind; readonly id: string };

type StoredRow = { readonly seq: number; readonly entry: string; readonly hash: Buffer };
type NewRow = Chain & StoredRow;

/**
 * What the server looks for in a text: the digits of a number in their order, close to each other. It finds more
 * than there is, and the rest is decided here.
 */
export const roughPattern = (number: string): string =>
  [...numberParts(number).nationalNumber].join('.{0,9}');

/** The records of which some row may say something about a customer. */
export const chainsAbout = async (
  client: Client,
  ids: ReadonlySet<string>,
  number: string,
): Promise<Chain[]> => {
  const { rows } = await client.query<Chain>(
    `SELECT DISTINCT kind, id FROM audit
      WHERE id = ANY ($1) OR split_part(id, '.', 1) = ANY ($1) OR entry::text ~ $2
        OR (kind = 'setting' AND id LIKE 'stray-callbacks.%')`,
    [[...ids], roughPattern(number)],
  );
  return rows;
};

/** The records of payments: each payment itself, its question, and what was told of it. */
export const chainsOf = async (client: Client, paymentIds: readonly string[]): Promise<Chain[]> => {
  // Right behind the dot comes the slash, so all that begins with the id and a dot is a stretch of the key.
  const { rows } = await client.query<Chain>(
    `SELECT DISTINCT audit.kind, audit.id FROM unnest($1::text[]) AS payment (id)
      CROSS JOIN unnest(ARRAY['draft', 'payment', 'notice']) AS each (kind)
      JOIN audit ON audit.kind = each.kind AND audit.id >= payment.id AND audit.id < payment.id || '/'`,
    [paymentIds],
  );
  return rows;
};

/**
 * The rows of a record as they shall be, from the first that changes on: each behind it is sealed with the hash of
 * the one before.
 */
export const rowsAnew = async (
  client: Client,
  { kind, id }: Chain,
  erased: (row: AuditRow) => AuditRow,
): Promise<NewRow[]> => {
  const { rows } = await client.query<StoredRow>(
    'SELECT seq, entry::text AS entry, hash FROM audit WHERE kind = $1 AND id = $2 ORDER BY seq',
    [kind, id],
  );
  const anew: NewRow[] = [];
  let before: Buffer | undefined;
  for (const row of rows) {
    const parsed = JSON.parse(row.entry) as AuditRow;
    const changed = erased(parsed);
    const isSame = changed === parsed && anew.length === 0;
    if (isSame) {
      before = row.hash;
      continue;
    }
    // What says nothing of the customer stays, character by character.
    const entry = changed === parsed ? row.entry : JSON.stringify(changed);
    before = hashOf(before, row.seq, entry);
    anew.push({ kind, id, seq: row.seq, entry, hash: before });
  }
  return anew;
};

/** As `append_audit` seals them. */
const hashOf = (before: Buffer | undefined, seq: number, entry: string): Buffer =>
  createHash('sha256')
    .update(before ?? '')
    .update(`${seq} ${entry}`)
    .digest();

/**
 * Puts the rows of records in the place of those that stand. Only the owner of the table can lift what guards it, in this
 * transaction alone: nobody else sees it lifted, and whoever writes meanwhile waits.
 */
export const replaceRows = async (
  client: Client,
  chains: readonly Chain[],
  erased: (row: AuditRow) => AuditRow,
): Promise<void> => {
  await client.query('ALTER TABLE audit DISABLE TRIGGER audit_stays');
  const rows: NewRow[] = [];
  // Read behind the lock, because rows may have come since they were looked for.
  for (const chain of chains) rows.push(...(await rowsAnew(client, chain, erased)));
  await client.query(
    `UPDATE audit SET entry = anew.entry::json, hash = anew.hash
      FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::bytea[])
        AS anew (kind, id, seq, entry, hash)
      WHERE audit.kind = anew.kind AND audit.id = anew.id AND audit.seq = anew.seq`,
    [
      rows.map(({ kind }) => kind),
      rows.map(({ id }) => id),
      rows.map(({ seq }) => seq),
      rows.map(({ entry }) => entry),
      rows.map(({ hash }) => hash),
    ],
  );
  await client.query('ALTER TABLE audit ENABLE TRIGGER audit_stays');
};
