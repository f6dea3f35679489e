import { randomBytes } from 'node:crypto';
import type { Store } from '../core/store/store.ts';

/** Made once and kept with the payments whose addresses it signed. */
export const keptSecret = async (store: Store): Promise<string> => {
  const id = 'callback-secret';
  const kept = await store.get('setting', id);
  if (kept !== undefined) return kept.value;
  const value = randomBytes(32).toString('base64url');
  const stored = await store.commit({
    put: [{ kind: 'setting', record: { id, version: 1, value } }],
  });
  return stored ? value : keptSecret(store);
};
