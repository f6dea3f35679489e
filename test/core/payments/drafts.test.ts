import { describe, expect, it } from 'vitest';
import { Drafts } from '../../../src/core/payments/drafts.ts';
import { aCharge, ama, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { testDraftSeal } from '../../support/test-seal.ts';

const open = async () => {
  const clock = new ManualClock();
  const store = await openStore();
  const alerts = noOperators({ store, clock });
  const drafts = new Drafts({
    store,
    clock,
    alerts,
    seal: testDraftSeal,
    confirmWithinMs: 600_000,
  });
  return { clock, store, drafts };
};

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
});
