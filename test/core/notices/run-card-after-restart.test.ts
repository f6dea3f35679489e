import { expect, it } from 'vitest';
import { Outbox } from '../../../src/core/notices/outbox.ts';
import { type Notice, newNotice } from '../../../src/core/records/notice.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';

it('the card of a run is searched for where a process that ended may have posted it, and only there', async () => {
  const clock = new ManualClock();
  const store = await openStore();
  const notices = ['bulk', 'bulk end'].map((kind) => {
    const about = { kind, runId: 'r' } as Notice['about'];
    return newNotice({ id: `r.${kind}`, about, conversation: shop, to: ama }, clock.now());
  });
  await store.commit({ put: notices.map((record) => ({ kind: 'notice', record })) });
  const mayStand = async (): Promise<Record<string, boolean>> => {
    const sent: Notice[] = [];
    const sender = {
      send: async (notice: Notice) => {
        sent.push(notice);
        return { kind: 'late' } as const;
      },
      postCard: async () => ({ kind: 'unclear', reason: '' }) as const,
    };
    const outbox = new Outbox({
      ...{ alerts: noOperators({ store, clock }), store, clock, log: silentLog, sender },
    });
    for (const notice of notices) await outbox.serve(notice);
    return Object.fromEntries(sent.map((notice) => [notice.id, notice.mayStand]));
  };
  expect(await mayStand()).toEqual({ 'r.bulk': false, 'r.bulk end': false });
  clock.jump(1_000);
  expect(await mayStand()).toEqual({ 'r.bulk': true, 'r.bulk end': false });
});
