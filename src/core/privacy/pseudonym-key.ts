import { randomBytes } from 'node:crypto';
import type { Put } from '../records/records.ts';
import { pseudonymKey } from '../records/settings.ts';
import type { CustomerErasure } from '../store/customer-erasure.ts';

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
  const kept = pseudonymKey.read(await store.get('setting', pseudonymKey.id));
  if (kept !== undefined) return { key: kept };
  const key = randomBytes(32).toString('base64url');
  return { key, put: pseudonymKey.put(key, undefined) };
};
