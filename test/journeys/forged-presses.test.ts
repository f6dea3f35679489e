import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { SimMessage } from '../support/telegram/message.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** Messages of every kind: a question, one for approvers, cards of every end, of a file, of who asks for access. */
const busyGroup = async () => {
  const shop = await openTelegramShop({
    people: { ama: 'Ama', yaw: 'Yaw', efua: 'Efua', kofi: 'Kofi', mallory: 'Mallory' },
    chats: ({ telegram, ama, yaw, efua, kofi, mallory }) => ({
      group: telegram.supergroup('Sales', [ama, yaw, efua, kofi, mallory], { privacy: false }),
    }),
    env: { OPERATORS: '<#group>' },
    access: `
roles:
  sales: {commands: [charge, lookup, bulk, payments], maxCharge: 500 GHS}
  owner: {commands: [balance, close], approve: true, admin: true}
members: { sales: [<@ama>, <@yaw>, <@kofi>], owner: [<@efua>] }
`,
  });
  const { ama, yaw, efua, kofi, mallory, group, payments } = shop;
  await efua.ask(group, '/suspend telegram:1004', /Kofi|1004/);
  // While charges come fast there is no room for her.
  await mallory.ask(group, '/balance', /You cannot/);
  const ask = async (words: string, amount: string) => {
    ama.type(group, `/charge ${words}`);
    return group.waitFor(new RegExp(`Charge GHS ${amount}\\?`));
  };
  ama.press(await ask('0244123456 51', '51\\.00'), 'Charge GHS 51.00');
  await group.waitFor(/: completed/);
  ama.press(await ask('0244123401 52', '52\\.00'), 'Charge GHS 52.00');
  await group.waitFor(/GHS 52\.00 failed/);
  ama.press(await ask('0244123456 600', '600\\.00'), 'Charge GHS 600.00');
  await group.waitFor(/asks to charge GHS 600\.00/);
  ama.sendDocument(group, 'dues.csv', 'number,amount\n0244123451,70\n0244123452,71\n', '/bulk');
  await group.waitFor(/Charge 2 customers/);
  await ask('0244123457 53', '53\\.00');
  // Nothing may change by itself any more.
  await group.waitFor(/Waiting for approval/);
  return { group, payments, people: { yaw, kofi, mallory } };
};

const dataOf = (message: SimMessage): string[] =>
  message.content.buttons.flat().flatMap(({ callback_data }) => callback_data ?? []);

it('a press that no button of the message makes is answered to the presser, and changes nothing', {
  tags: ['T67'],
}, async () => {
  const { group, payments, people } = await busyGroup();
  const messages = group.fromBot;
  const known = [...new Set(messages.flatMap(dataOf))];
  expect(known.length).toBeGreaterThan(12);
  const before = [group.transcript(), payments()];
  for (const person of Object.values(people))
    for (const message of messages) {
      const mine = new Set(dataOf(message));
      const presses = known
        .filter((data) => !mine.has(data))
        .map((data) => person.pressData(message, data));
      await eventually(() => {
        for (const { answer } of presses) expect(answer).toMatch(/^This button is no longer there/);
      });
    }
  expect([group.transcript(), payments()]).toEqual(before);
});

it('a button that is there does nothing for a stranger or a stopped person, and takes no place in the group', {
  tags: ['T67'],
}, async () => {
  const { group, payments, people } = await busyGroup();
  const before = [group.transcript(), payments()];
  for (const person of [people.kofi, people.mallory])
    for (const message of group.fromBot)
      for (const data of dataOf(message)) {
        // Everybody may ask for access.
        if (person === people.mallory && data.startsWith('ask-access:')) continue;
        const press = person.pressData(message, data);
        await eventually(() => expect(press.answer).toMatch(/\S/));
      }
  expect([group.transcript(), payments()]).toEqual(before);
});
