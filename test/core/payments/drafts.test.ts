import { describe, expect, it } from 'vitest';
import { Drafts } from '../../../src/core/payments/drafts.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { observedStore } from '../../../src/core/telemetry/observer.ts';
import { aCharge, ama, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { testDraftSeal } from '../../support/test-seal.ts';

const open = async () => {
  const clock = new ManualClock();
  const store = await openStore();
  const alerts = noOperators({ store, clock });
  const options = { clock, alerts, seal: testDraftSeal, confirmWithinMs: 600_000 };
  const draftsIn = (used: Store) => new Drafts({ ...options, store: used });
  return { clock, store, drafts: draftsIn(store), draftsIn };
};

const efua = { platform: 'slack', id: 'U0EFUA', name: 'Efua' };

describe('a draft', () => {
  it('is made once for one event, however often the platform delivers it', {
    tags: ['F56'],
  }, async () => {
    const { drafts } = await open();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => drafts.create('slack:1.2.3', aCharge(), ama, shop)),
    );
    expect(made.filter((draft) => draft !== undefined)).toHaveLength(1);
    expect(await drafts.create('slack:1.2.4', aCharge(), ama, shop)).toBeDefined();
  });

  it('expires when its time has come, not before', { tags: ['F19'] }, async () => {
    const { clock, drafts } = await open();
    const draft = await drafts.create('slack:1', aCharge(), ama, shop);
    if (draft === undefined) throw new Error('no draft');
    clock.jump(599_999);
    expect(drafts.expired(draft)).toBe(false);
    clock.jump(1);
    expect(drafts.expired(draft)).toBe(true);
  });

  it('is closed by one press alone', { tags: ['F56'] }, async () => {
    const { drafts } = await open();
    const draft = await drafts.create('slack:1', aCharge(), ama, shop);
    if (draft === undefined) throw new Error('no draft');
    const closed = await Promise.all([
      drafts.cancel(draft, ama),
      drafts.awaitApproval(draft, {}),
      drafts.cancel(draft, ama),
    ]);
    expect(closed.filter(Boolean)).toHaveLength(1);
  });

  it('keeps the reason of its refusal, said while another process changes it', async () => {
    const { store, drafts, draftsIn } = await open();
    const draft = await drafts.create('slack:1', aCharge(), ama, shop);
    const waiting = draft && (await drafts.awaitApproval(draft, {}));
    const refused = waiting && (await drafts.refuse(waiting, efua));
    if (refused === undefined) throw new Error('no refused draft');
    const record = { ...refused, version: refused.version + 1 };
    const changes = [{ put: [{ kind: 'draft', record }] as const }];
    const slow = draftsIn({
      ...observedStore(store, () => () => {}),
      commit: async (change) => {
        for (const other of changes.splice(0)) await store.commit(other);
        return store.commit(change);
      },
    });
    expect(await slow.explainRefusal(refused.id, 'Too much.', efua)).toBe(true);
    expect(await drafts.get(refused.id)).toMatchObject({ refusal: 'Too much.' });
  });
});
