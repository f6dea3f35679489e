import { expect } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';

/** What `commit-until-killed.ts` said was stored must be there. */
export const expectAcknowledged = async (store: Store, lines: readonly string[]): Promise<void> => {
  // The newest word about a record counts.
  const said = new Map<string, { kind: string; what: string }>();
  for (const line of lines) {
    const [kind = '', id, what = ''] = line.split(' ');
    if (id !== undefined) said.set(id, { kind, what });
  }
  for (const [id, { kind, what }] of said) await expectSaid(store, id, kind, what);
};

const expectSaid = async (store: Store, id: string, kind: string, what: string): Promise<void> => {
  const record = await store.get(kind === 'payment' ? 'payment' : 'setting', id);
  if (what === 'gone') expect(record, id).toBeUndefined();
  // A later commit may have become durable without anybody having been told.
  else if (!id.endsWith('removed'))
    expect(record?.version ?? 0, id).toBeGreaterThanOrEqual(Number(what));
};
