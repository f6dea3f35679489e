import { expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { ama } from '../../support/a-payment.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const openWith = async (grants: Grants = allGrants()): Promise<Desk> => {
  const desk = openDesk(await openStore(), new ManualClock(), () => grants);
  const found = { kind: 'found', name: 'KOFI MENSAH', status: 'active', type: '', answer: {} };
  desk.gateway.lookUpAccount = (async () => found) as never;
  return desk;
};

it.each([
  ['0244123456', { number: '024 412 3456', pay: 'MTN' }],
  ['0244123456 telecel', { number: '024 412 3456', pay: 'VOD' }],
])('what was found by /lookup %s is charged with one press', async (words, answers) => {
  const desk = await openWith();
  const [card] = await desk.type(ama, 'lookup', words);
  expect(card?.buttons?.map(({ label }) => label)).toEqual(['Charge']);
  expect(await desk.press(ama, card, 'Charge')).toEqual([]);
  expect(desk.asked.at(-1)).toMatchObject({ form: { command: 'charge' }, answers });
  expect((await desk.submit(ama, { amount: '50' }))[0]?.title).toBe('Charge GHS 50.00?');
});

it('there is no button for people who may not charge, and a forged one opens nothing', async () => {
  const desk = await openWith(allGrants({ may: (name) => name === 'lookup' }));
  const [card] = await desk.type(ama, 'lookup', '0244123456');
  expect(card?.buttons).toBeUndefined();
  const forged = (id: string) =>
    ({ ...card, buttons: [{ kind: 'press', label: 'x', verb: 'charge-found', id }] }) as never;
  const [denied] = await desk.press(ama, forged('0244123456 MTN'), 'x');
  expect(denied?.title).toBe('You cannot charge yet');
  const all = await openWith();
  const said = await all.press(ama, forged('4111111111111111 50'), 'x');
  expect(said.map(({ title }) => title)).toEqual(['This button is too old']);
  expect([...desk.asked, ...all.asked]).toEqual([]);
});
