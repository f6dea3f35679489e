import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChatGrants } from '../../../src/core/guards/chat-grants.ts';
import { Alerts } from '../../../src/core/notices/alerts.ts';
import { NotifyRules } from '../../../src/core/notices/notify-rules.ts';
import { forget } from '../../../src/core/privacy/forget.ts';
import { NO_RULES } from '../../../src/core/records/notify-rules.ts';
import { chatGrantSeal } from '../../../src/core/records/seals.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { systemRandom } from '../../../src/core/runtime/random.ts';
import { SmsSender } from '../../../src/core/sms/sms-sender.ts';
import { moveStore } from '../../../src/core/store/postgres/move-store.ts';
import { eraseInFolder } from '../../../src/core/store/sqlite/open-sqlite-store.ts';
import { restoreBackup } from '../../../src/core/store/sqlite/restore-backup.ts';
import { takeBackup } from '../../../src/core/store/sqlite/take-backup.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama, anSms, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openInstance, startPostgres } from '../../support/postgres.ts';
import { silentLog } from '../../support/silent-log.ts';
import { openStoreIn } from '../../support/store-folder.ts';
import { StubGateway } from '../../support/stub-gateway.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { testSmsSeal } from '../../support/test-seal.ts';

const postgres = await startPostgres();
const NUMBER = '+233244100000';
const kojo = { platform: 'slack', id: 'U0KOJO', name: 'kojo' };

/** What writes and reads what chats store, on any store. */
const around = (store: Store, clock = new ManualClock()) => {
  const gateway = new StubGateway();
  gateway.onSms = () => ({ kind: 'sent', messageId: 'm', status: 'sent', answer: {} });
  const parts = { store, clock, log: silentLog, gateway, operators: [shop], random: systemRandom };
  const alerts = new Alerts(parts);
  return {
    store,
    gateway,
    grants: new ChatGrants({ ...parts, seal: chatGrantSeal('a key') }),
    levels: new NotifyRules({ ...parts, inFile: () => NO_RULES, merchants: [] }),
    sender: new SmsSender({
      ...parts,
      alerts,
      seal: testSmsSeal,
      requestTimeoutMs: 30_000,
      onUnsent: async () => false,
    }),
  };
};

type Around = ReturnType<typeof around>;

const confirmedIn = async ({ store, sender }: Around) => {
  const draft = anSms({ senderId: 'Shop', text: 'We open at 8.', recipients: [NUMBER] });
  const earlier = await store.get('draft', draft.id);
  const version = (earlier?.version ?? 0) + 1;
  await store.commit({ put: [{ kind: 'draft', record: { ...draft, version } }] });
  const batch = await sender.confirm({ ...draft, version }, ama);
  if (batch === undefined) throw new Error('not confirmed');
  return batch;
};

/** A folder with a role given in the chat, a level set there, and an SMS confirmed and not yet sent. */
const aFolder = async () => {
  const base = await tempFolder();
  const dir = join(base, 'data');
  const shopNow = around(await openStoreIn(dir));
  const { grants, levels } = shopNow;
  const asked = await grants.ask({ by: kojo, conversation: shop, tried: '/charge' }, 'UTC');
  await grants.answer(asked?.request.id ?? '', { role: 'sales', by: ama, at: shop });
  await levels.set(shop, 'problems', ama);
  const batch = await confirmedIn(shopNow);
  return { base, dir, shopNow, batch };
};

const expectTheSame = async ({ grants, levels }: Around): Promise<void> => {
  expect(await grants.of(kojo)).toMatchObject([{ role: 'sales', by: { id: ama.id } }]);
  expect(await levels.inForce(shop)).toMatchObject({ level: 'problems', by: { id: ama.id } });
};

const sentBy = async ({ store, sender, gateway }: Around, id: string) => {
  const batch = await store.get('sms', id);
  if (batch?.due?.queue === 'sms') await sender.serve(batch);
  return { texts: gateway.texted.length, chunks: (await store.get('sms', id))?.chunks };
};

describe('roles given in the chat, what conversations are told, and an SMS on its way', () => {
  it('come back with a backup, and the SMS that went out after it is not sent again', async () => {
    const { base, dir, shopNow, batch } = await aFolder();
    await takeBackup({ dir, to: join(base, 'backup'), clock: systemClock });
    expect((await sentBy(shopNow, batch.id)).texts).toBe(1);
    await shopNow.store.close();
    const back = join(base, 'back');
    const clock = systemClock;
    await restoreBackup({ from: join(base, 'backup'), dir: back, clock, log: silentLog });
    const restored = around(await openStoreIn(back), new ManualClock(systemClock.now() + 1_000));
    await expectTheSame(restored);
    const { texts, chunks } = await sentBy(restored, batch.id);
    expect(texts).toBe(0);
    expect(chunks).toMatchObject([
      { state: 'unknown', reason: expect.stringContaining('restored from a backup') },
    ]);
    expect((await sentBy(restored, (await confirmedIn(restored)).id)).texts).toBe(1);
  });

  it('go on in PostgreSQL, where the SMS is sent once', async () => {
    const { dir, shopNow, batch } = await aFolder();
    await shopNow.store.close();
    await postgres.emptyTables();
    await moveStore({ dir, url: postgres.url(), clock: systemClock });
    const moved = around((await openInstance(postgres.url())).store);
    await expectTheSame(moved);
    expect(await sentBy(moved, batch.id)).toMatchObject({ texts: 1, chunks: [{ state: 'sent' }] });
  });

  it('stay when the only customer of the SMS is forgotten, without the number', async () => {
    const { dir, shopNow, batch } = await aFolder();
    await sentBy(shopNow, batch.id);
    await shopNow.store.close();
    const ask = { number: NUMBER, who: ama, isSure: true };
    const answer = await forget(eraseInFolder({ dir, log: silentLog }), ask, new ManualClock());
    expect(answer).toMatchObject({ kind: 'forgotten' });
    const after = around(await openStoreIn(dir));
    await expectTheSame(after);
    expect(JSON.stringify(await after.store.get('sms', batch.id))).not.toContain('244100000');
  });
});
