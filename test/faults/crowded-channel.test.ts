import { expect, it } from 'vitest';
import { Outbox } from '../../src/core/notices/outbox.ts';
import { isOwed, type Notice } from '../../src/core/records/notice.ts';
import type { Put } from '../../src/core/records/records.ts';
import { Worker } from '../../src/core/work/worker.ts';
import { startedBot } from '../bots/telegram/started-bot.ts';
import { MemoryMachine } from '../support/memory-machine.ts';
import { noOperators } from '../support/no-operators.ts';
import { silentLog } from '../support/silent-log.ts';

/** Each tells two things, one after the other. */
const PAYMENTS = 250;
/** Of a group, the strictest conversation there is: 20 a minute. */
const ONE_MESSAGE_PER_MS = 3_025;

/** Settles after what follows from it in this process, and in the simulated Telegram, has happened. */
const turns = async (isBusy: () => boolean): Promise<void> => {
  for (let idle = 0; idle < 4; idle++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isBusy()) idle = 0;
  }
};

it('500 notices in one group are paced without a 429; none is lost, and those of one payment keep their order', {
  tags: ['F52'],
}, async () => {
  const machine = new MemoryMachine();
  const { clock } = machine;
  const store = await machine.start();
  const { telegram, bot } = await startedBot({ clock, simulator: { now: () => clock.now() } });
  const group = telegram.group('Sales', [telegram.person('Ama')]);
  const notice = (paymentId: string, of: string, version = 1): Put => ({
    kind: 'notice',
    record: {
      id: `${paymentId}.outcome`,
      version,
      due: { queue: 'notice', atMs: clock.now() },
      about: { kind: 'outcome', paymentId, of },
      conversation: { platform: 'telegram', channel: group.id },
      createdAtMs: clock.now(),
      attempts: 0,
      mayStand: false,
    },
  });
  const send = ({ about, conversation, mayStand }: Notice) => {
    const title = about.kind === 'outcome' ? `${about.paymentId} ${about.of}` : '';
    return bot.post({ conversation, card: { title, parts: [] }, key: title, mayStand });
  };
  const alerts = noOperators({ store, clock });
  const sender = { send, postCard: async () => ({ kind: 'gone', reason: 'no card' }) as const };
  const outbox = new Outbox({ store, clock, log: silentLog, alerts, sender });
  let inHand = 0;
  const serve = async ({ kind, record }: Put): Promise<void> => {
    if (kind !== 'notice' || record.about.kind !== 'outcome') return;
    inHand++;
    await outbox.serve(record);
    const { paymentId, of } = record.about;
    // The payment goes on once its first word stands.
    const told = await store.get('notice', record.id);
    if (of === 'unknown' && told !== undefined && !isOwed(told))
      await store.commit({ put: [notice(paymentId, 'failed', told.version + 1)] });
    inHand--;
  };
  const worker = new Worker({ queue: 'notice', store, clock, log: silentLog, atOnce: 16, serve });
  const ids = Array.from({ length: PAYMENTS }, (_, n) => `P${n}`);
  await store.commit({ put: ids.map((id) => notice(id, 'unknown')) });
  worker.start();
  for (let tries = 0; group.fromBot.length < 2 * PAYMENTS && tries < 8 * PAYMENTS; tries++) {
    await clock.advance(ONE_MESSAGE_PER_MS);
    await turns(() => inHand > 0);
  }
  await worker.stop();
  await store.close();

  expect(telegram.calls('sendMessage').filter(({ status }) => status === 429)).toEqual([]);
  const told = group.fromBot.map(({ text }) => text);
  expect(told).toHaveLength(2 * PAYMENTS);
  for (const id of ids)
    expect(told.filter((text) => text.startsWith(`${id} `))).toEqual([
      `${id} unknown`,
      `${id} failed`,
    ]);
});
