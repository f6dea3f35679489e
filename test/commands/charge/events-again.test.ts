import { expect, it } from 'vitest';
import { ama } from '../../support/a-payment.ts';
import { deskInHand } from '../../support/desk.ts';
import { removeDue } from '../../support/remove-due.ts';
import { storedPayments } from '../../support/stored-payments.ts';

const DAY_MS = 24 * 3_600_000;

it.each([
  ['charge', '0244123456 50', 'Charge'],
  ['sms', '0244123456 Your order is ready', 'Send'],
] as const)(
  'a /%s and its press that come once more, after a clock that was ahead had their question removed, ask again and do no more',
  { tags: ['F77'] },
  async (command, words, label) => {
    const { clock, store, desk } = await deskInHand();
    const type = async () => (await desk.type(ama, command, words, 'typed'))[0];
    const question = await type();
    await desk.press(ama, question, label, undefined, 'pressed');
    const made = async () => [
      ...(await storedPayments(store)),
      ...(await store.claim('sms', { nowMs: clock.now(), leaseMs: 0, limit: 10 })),
    ];
    expect(await made()).toHaveLength(1);
    clock.jump(20 * DAY_MS);
    const removed = await removeDue(store, clock);
    expect(removed.filter(({ kind }) => kind === 'draft')).toHaveLength(1);
    clock.jump(-20 * DAY_MS + 60_000);

    const again = await type();
    const answer = await desk.press(ama, question, label, undefined, 'pressed');
    expect(answer).toEqual([again]);
    expect(await made()).toHaveLength(1);
    await desk.press(ama, again, label, undefined, 'pressed again');
    expect(await made()).toHaveLength(2);
  },
);
