import { beforeEach, describe, expect, it } from 'vitest';
import { Alerts } from '../../../src/core/notices/alerts.ts';
import type { SmsBatch } from '../../../src/core/records/sms-batch.ts';
import type { Random } from '../../../src/core/runtime/random.ts';
import { SmsSender } from '../../../src/core/sms/sms-sender.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama, anSms, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { StubGateway } from '../../support/stub-gateway.ts';
import { testSmsSeal } from '../../support/test-seal.ts';

const DAY_MS = 24 * 3_600_000;

let clock: ManualClock;
let store: Store;
let gateway: StubGateway;
let sender: SmsSender;

let bytes: number;
/** Dice that fall the same way after each `bytes = 0`. */
const dice: Random = {
  fraction: () => 0,
  bytes: (count) => Uint8Array.from({ length: count }, () => bytes++ % 256),
};

const newSender = () =>
  new SmsSender({
    onUnsent: async () => false,
    ...{ store, gateway, clock, log: silentLog, random: dice },
    ...{ seal: testSmsSeal, requestTimeoutMs: 30_000 },
    alerts: new Alerts({ store, clock, log: silentLog, operators: [shop] }),
  });

beforeEach(async () => {
  bytes = 0;
  clock = new ManualClock();
  store = await openStore();
  gateway = new StubGateway();
  gateway.onSms = () => ({ kind: 'sent', messageId: 'm', status: 'sent', answer: {} });
  sender = newSender();
});

const confirmed = async (): Promise<SmsBatch> => {
  const recipients = Array.from({ length: 60 }, (_, at) => `+233244${String(100_000 + at)}`);
  const terms = { senderId: 'Shop', text: 'We open at 8.', recipients };
  const draft = anSms(terms);
  await store.commit({ put: [{ kind: 'draft', record: draft }] });
  const batch = await sender.confirm(draft, ama);
  if (batch === undefined) throw new Error('not confirmed');
  return batch;
};
const states = async ({ id }: SmsBatch) =>
  (await store.get('sms', id))?.chunks.map(({ state }) => state);
const changedChunks = ({ chunks }: SmsBatch, changes: Partial<SmsBatch['chunks'][number]>) => ({
  chunks: chunks.map((chunk, at) => (at === 1 ? { ...chunk, ...changes } : chunk)),
});

describe('an SMS in the store', () => {
  const changes: [string, (batch: SmsBatch) => Partial<SmsBatch>][] = [
    ['without a seal', () => ({ seal: '' })],
    ['with another text', ({ terms }) => ({ terms: { ...terms, text: 'Pay me instead' } })],
    ['from another sender', ({ terms }) => ({ terms: { ...terms, senderId: 'Bank' } })],
    ['to somebody else', (batch) => changedChunks(batch, { recipients: ['+233201234567'] })],
    ['under another id of a request', (batch) => changedChunks(batch, { uniqueId: 'other' })],
    ['of somebody else', ({ requester }) => ({ requester: { ...requester, id: 'U0KOJO' } })],
    ['of another time', ({ confirmedAtMs }) => ({ confirmedAtMs: confirmedAtMs + 1 })],
  ];
  it.each(changes)(
    '%s is not sent, and the operators are told',
    { tags: ['T28'] },
    async (_, change) => {
      const batch = await confirmed();
      const written = { ...batch, ...change(batch), version: batch.version + 1 };
      await store.commit({ put: [{ kind: 'sms', record: written }] });
      await sender.serve(written);
      expect(gateway.texted).toEqual([]);
      expect(await states(batch)).toEqual(['not sent', 'not sent']);
      expect(await store.get('notice', `seal.${batch.id}.alert`)).toMatchObject({
        about: { alert: { kind: 'seal broken', paymentId: batch.id, of: 'SMS' } },
      });
    },
  );

  it('written into it under an id of its own is not sent', async () => {
    const forged = { ...(await confirmed()), id: '01JD2M4X9QK7T3VC', version: 1 };
    await store.commit({ put: [{ kind: 'sms', record: forged }] });
    await sender.serve(forged);
    expect(gateway.texted).toEqual([]);
  });

  it('is sent as it was confirmed', async () => {
    const batch = await confirmed();
    await sender.serve(batch);
    expect(await states(batch)).toEqual(['sent', 'sent']);
    expect(gateway.texted.flatMap(({ recipients }) => recipients)).toEqual(batch.terms.recipients);
  });

  it('counts for a day: a copy that is written back later is not sent again', async () => {
    const batch = await confirmed();
    clock.jump(DAY_MS + 1);
    await sender.serve(batch);
    expect(gateway.texted).toEqual([]);
    expect(await states(batch)).toEqual(['not sent', 'not sent']);
  });
});

it('an SMS confirmed at the same time with the same dice has the same ids, so that a seed repeats it', async () => {
  const idsOf = ({ id, chunks }: SmsBatch) => [id, ...chunks.map(({ uniqueId }) => uniqueId)];
  const first = idsOf(await confirmed());
  store = await openStore();
  bytes = 0;
  sender = newSender();
  expect(idsOf(await confirmed())).toEqual(first);
});
