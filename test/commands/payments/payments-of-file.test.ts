import { beforeEach, describe, expect, it } from 'vitest';
import { ama } from '../../support/a-payment.ts';
import { textOf } from '../../support/card-text.ts';
import type { Desk, DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import { fileOf, merchant, openFileDesk, passInSteps, sundayMorning } from '../bulk/file-desk.ts';

let { clock, store, desk } = {} as DeskInHand;

beforeEach(async () => {
  ({ clock, store } = await sundayMorning());
});

const openShop = async (...merchants: readonly ReturnType<typeof merchant>[]): Promise<Desk> => {
  const settings = { merchants };
  return openFileDesk(store, clock, () => allGrants(), { settings });
};

const listed = async (where?: { readonly platform: string; readonly channel: string }) =>
  textOf(await desk.type(ama, 'payments', 'dues.csv', undefined, where));

describe('the payments of a file, by its name', () => {
  it('are those of its run and of the one that asked its rest again', async () => {
    desk = await openShop();
    // The second one of all does not pay.
    desk.gateway.onStatus = (id) =>
      statusOf(id, desk.gateway.sent[1]?.transactionId === id ? 'failed' : 'completed');
    const [question] = await desk.send(ama, { name: 'dues.csv', bytes: fileOf(3) });
    await desk.press(ama, question, 'Charge');
    await passInSteps(clock, 30);
    expect(await listed()).toContain('2 completed · GHS 100.00 · 0 pending · 1 failed');
    const [rest] = await desk.press(ama, desk.posted.at(-1)?.card, 'Ask again');
    await desk.press(ama, rest, 'Charge');
    await passInSteps(clock, 30);
    expect(await listed()).toContain('3 completed · GHS 150.00 · 0 pending · 1 failed');
  });

  it('are those of the own merchant where two have a file of one name, and elsewhere of the newest', async () => {
    const there = { platform: 'slack', channel: 'C0TEMA' };
    const tema = { ...merchant('tema'), conversations: [`slack:${there.channel}`] };
    desk = await openShop(merchant('osu'), tema);
    const [question] = await desk.send(ama, { name: 'dues.csv', bytes: fileOf(3) });
    await desk.press(ama, question, 'Charge');
    await passInSteps(clock, 30);
    const [other] = await desk.send(ama, { name: 'dues.csv', bytes: fileOf(5) }, { where: there });
    await desk.press(ama, other, 'Charge', there);
    await passInSteps(clock, 30);
    expect(await listed()).toContain('3 completed');
    expect(await listed(there)).toContain('5 completed');
    expect(await listed({ platform: 'slack', channel: 'C0OFFICE' })).toContain('5 completed');
  });
});
