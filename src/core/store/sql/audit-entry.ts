import { createHash, hash } from 'node:crypto';
import { z } from 'zod';
import type { AuditRow } from '../../records/records.ts';
import { defined } from '../../runtime/defined.ts';
import type { Random } from '../../runtime/random.ts';
import { jsonOf } from '../../values/json-of.ts';

/** The part of an audit row that may be about a customer. It is in a table of its own and can be deleted. */
export type AuditDetail = { readonly salt: Uint8Array; readonly text: string };

/** A payment's body as it is stored with the row, and the salt of its digest. */
export type SaltedBody = { readonly salt: Uint8Array; readonly body: string };

/** An audit row in its two parts. Only `entry` is hashed into the chain, so `detail` may go without breaking it. */
type StoredEntry = { readonly entry: string; readonly detail?: AuditDetail };

/** Digests in an entry: of the deleted or present detail, and of the payment's body after the change. */
type EntryDigests = { readonly detail?: string; readonly record?: string };

type EntryJson = Omit<AuditRow, 'detail'> & EntryDigests;

/** @param payment the payment stored by the same change; its salted digest shows later whether it was changed by hand. */
export const storedEntry = (
  { detail, ...row }: AuditRow,
  random: Random,
  payment?: SaltedBody,
): StoredEntry => {
  const salted = detail && { salt: newSalt(random), text: JSON.stringify(detail) };
  const json: EntryJson = {
    ...row,
    ...defined({
      detail: salted && saltedDigest(salted.salt, salted.text),
      record: payment && saltedDigest(payment.salt, payment.body),
    }),
  };
  return { entry: JSON.stringify(json), ...defined({ detail: salted }) };
};

/** The audit row as it was committed, without its detail once that was deleted. */
export const auditRowOf = (entry: string, detail: string | null): AuditRow => {
  const { detail: _, record: __, ...row } = JSON.parse(entry) as EntryJson;
  return detail === null ? row : { ...row, detail: JSON.parse(detail) as Record<string, unknown> };
};

const entryShape = z.looseObject({ kind: z.string(), id: z.string(), atMs: z.number() });

/** The same of texts that another hand may have written, where the rest is compared and never believed; undefined: it is no entry. */
export const entryIn = (entry: string, detail: string | null) => {
  const read = entryShape.safeParse(jsonOf(entry)).data as EntryJson | undefined;
  return read && { row: { ...read, detail: jsonOf(detail ?? '') } as AuditRow, digests: read };
};

/** The hash that chains a record's rows: of the hash before it, its number from 1 on, and its entry. */
export const chainHash = (before: Uint8Array | undefined, seq: number, entry: string): Buffer =>
  createHash('sha256')
    .update(before ?? '')
    .update(`${seq} ${entry}`)
    .digest();

const SALT_BYTES = 16;

export const newSalt = (random: Random): Uint8Array => random.bytes(SALT_BYTES);

/**
 * SHA-256 over a salt and a text, in hex. Stored where the text itself must not be: once the salt is deleted with
 * the text, trying all phone numbers does not lead back to it.
 */
export const saltedDigest = (salt: Uint8Array, text: string): string =>
  hash('sha256', Buffer.concat([salt, Buffer.from(text)]));
