import { randomBytes } from 'node:crypto';
import type { Put } from '../records/records.ts';
import type { CustomerErasure } from '../store/customer-erasure.ts';

/** The key of pseudonyms that nobody has set: made once and kept with what it was used for. */
const PSEUDONYM_KEY_ID = 'pseudonym-key';

export type PseudonymKey = {
  readonly key: string;
  /** To be stored with what it was used for, if it is new. */
  readonly put?: Put;
};

export const pseudonymKeyIn = async (
  store: Pick<CustomerErasure, 'get'>,
  given: string | undefined,
): Promise<PseudonymKey> => {
  if (given !== undefined) return { key: given };
  const kept = await store.get('setting', PSEUDONYM_KEY_ID);
  if (kept !== undefined) return { key: kept.value };
  const key = randomBytes(32).toString('base64url');
  return {
    key,
    put: { kind: 'setting', record: { id: PSEUDONYM_KEY_ID, version: 1, value: key } },
  };
};
