import { randomBytes } from 'node:crypto';
import type { Put, Setting } from '../records/records.ts';

/** The key of pseudonyms that nobody has set: made once and kept with what it was used for. */
export const PSEUDONYM_KEY_ID = 'pseudonym-key';

export type PseudonymKey = {
  readonly key: string;
  /** To be stored with what it was used for, if it is new. */
  readonly put?: Put;
};

export const pseudonymKey = (
  given: string | undefined,
  kept: Setting | undefined,
): PseudonymKey => {
  if (given !== undefined) return { key: given };
  if (kept !== undefined) return { key: kept.value };
  const key = randomBytes(32).toString('base64url');
  return {
    key,
    put: { kind: 'setting', record: { id: PSEUDONYM_KEY_ID, version: 1, value: key } },
  };
};
