import { describe, expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { openTelegramShop } from '../../support/telegram-shop.ts';
import { together } from '../../support/together.ts';

const it = together();

const ACCESS = `
roles: { sales: { commands: [charge, lookup, sms] }, reader: { commands: [lookup] } }
members: { sales: [telegram:1001], reader: [telegram:1002] }
`;

const openShop = async (access = ACCESS) => {
  const shop = await openTelegramShop({
    people: { ama: 'Ama Mensah' },
    env: { SMS_SENDER_ID: 'SHOP' },
    access,
  });
  return { ...shop, own: shop.telegram.privateChat(shop.ama) };
};

const kofi = { phone_number: '233244123456', first_name: 'Kofi' };

describe('an answered question in a private chat of Telegram', () => {
  it('becomes one line without buttons, also after a restart', async () => {
    const { ama, own, restart } = await openShop();
    const number = await ama.ask(own, '/charge', /Customer number\?/);
    await restart();
    ama.type(own, '0244 123 456');
    const amount = await own.waitFor(/Amount\?/, { after: number });
    await eventually(() => expect(number.text).toBe('TEST · Customer number: 024 412 3456'));
    expect(number.buttons).toEqual([]);
    expect(amount.buttons.flat().slice(0, 5)).toEqual(
      [10, 20, 50, 100, 200].map((whole) => `GHS ${whole}.00`),
    );
    const question = await ama.choose(own, amount, 'GHS 50.00', /Charge GHS 50\.00\?/);
    await eventually(() => expect(amount.text).toBe('TEST · Amount: GHS 50.00'));
    expect(amount.buttons).toEqual([]);
    expect(own.fromBot).toEqual([number, amount, question]);
  });

  it('has no buttons either when it was answered wrongly, cancelled or left', async () => {
    const { ama, own } = await openShop();
    const wrong = await ama.ask(own, '/charge', /Customer number\?/);
    ama.type(own, '12');
    const again = await own.waitFor(/Customer number\?/, { after: wrong });
    await ama.ask(own, 'cancel', /Cancelled/);
    ama.type(own, '/lookup');
    const left = await own.waitFor(/Customer number\?/, { after: again });
    await ama.ask(own, '/whoami', /You: /);
    for (const question of [wrong, again, left])
      await eventually(() => expect(question.text).toMatch(/Customer number: not answered$/));
    expect([wrong, again, left].flatMap(({ buttons }) => buttons)).toEqual([]);
  });
});

describe('the question for the amount', () => {
  it('offers what the person asks for most first, and no amount twice', async () => {
    const { ama, own } = await openShop();
    for (const [number, amount] of [
      ['0244123411', 35],
      ['0244123412', 20],
      ['0244123413', 35],
    ]) {
      ama.type(own, `/charge ${number} ${amount}`);
      const question = await own.waitFor(
        ({ text, buttons }) =>
          text.includes(`Charge GHS ${amount}.00?`) &&
          text.includes(String(number).slice(-4)) &&
          buttons.length > 0,
      );
      ama.press(question, `Charge GHS ${amount}.00`);
      await eventually(() => expect(question.text).not.toContain('?'));
    }
    const amount = await ama.ask(own, '/charge 0244123456', /Amount\?/);
    const offered = amount.buttons.flat().filter((label) => label.startsWith('GHS'));
    expect(offered).toEqual([35, 20, 10, 50, 100, 200].map((whole) => `GHS ${whole}.00`));
  });

  it('asks for network and reference after More alone', async () => {
    const { ama, own } = await openShop();
    const amount = await ama.ask(own, '/charge 0244123456', /Amount\?/);
    ama.press(amount, 'More');
    await eventually(() => expect(amount.buttons.flat()).not.toContain('More'));
    ama.press(amount, 'GHS 20.00');
    ama.press(await own.waitFor(/Paid by\?/), 'Checkout link');
    const reference = await own.waitFor(/Reference\?/);
    const question = await ama.choose(own, reference, 'Skip', /Charge GHS 20\.00\?/);
    expect(question.text).toMatch(/Checkout link/);
    await eventually(() => expect(reference.text).toMatch(/Reference: none$/));
  });
});

describe('a command without its slash while a form is open', () => {
  it.each(['help', 'balance', 'payments today', 'report', 'whoami', 'lookup 0244123456'])(
    '%s is that command and no wrong answer',
    async (typed) => {
      const { ama, own } = await openShop(
        ACCESS.replace('[charge, lookup, sms]', '[charge, lookup, balance, payments, report]'),
      );
      const number = await ama.ask(own, '/charge', /Customer number\?/);
      ama.type(own, typed);
      const said = await own.waitFor(/\S/, { after: number });
      expect(said.text).not.toMatch(/Customer number\?|Please check/);
      await eventually(() => expect(number.buttons).toEqual([]));
    },
  );
});

describe('a contact that is shared in a private chat', () => {
  it('answers the question for the number, also when it was forwarded', async () => {
    const { ama, own } = await openShop();
    ama.type(own, '/charge');
    const number = await own.waitFor(/Customer number\?[\s\S]*You can share a contact instead\./);
    const origin = { type: 'hidden_user', sender_user_name: 'Kofi', date: 1 };
    ama.shareContact(own, kofi, { extra: { forward_origin: origin } });
    await own.waitFor(/Amount\?/);
    await eventually(() => expect(number.text).toMatch(/Customer number: 024 412 3456$/));
  });

  it('begins a charge without an open question, which asks for the amount', async () => {
    const { ama, own, payments } = await openShop();
    ama.shareContact(own, { phone_number: '024 412 3456', first_name: 'Kofi' });
    ama.press(await own.waitFor(/Amount\?/), 'GHS 10.00');
    expect((await own.waitFor(/Charge GHS 10\.00\?/)).text).toContain('024 412 3456');
    expect(payments()).toEqual([]);
  });

  it('is no answer to another question, and never a reference', async () => {
    const { ama, own } = await openShop();
    const amount = await ama.ask(own, '/charge 0244123456', /Amount\?/);
    ama.shareContact(own, kofi);
    const again = await own.waitFor(/That is a contact\. This question is about: Amount\./);
    expect(again.id).toBeGreaterThan(amount.id);
  });

  it('with two numbers, without one or with a wrong one is answered with a sentence', async () => {
    const { ama, own } = await openShop();
    const vcard = 'BEGIN:VCARD\r\nTEL;CELL:+233 24 412 3456\r\nitem1.TEL:0201234567\r\nEND:VCARD';
    ama.shareContact(own, { ...kofi, vcard });
    await own.waitFor(/This contact has 2 numbers/);
    ama.shareContact(own, { phone_number: '', first_name: 'Kofi' });
    await own.waitFor(/This contact has no number/);
    ama.shareContact(own, { phone_number: '12', first_name: 'Kofi' });
    await own.waitFor(/Please check/, { after: await own.waitFor(/has no number/) });
    ama.shareContact(own, { ...kofi, vcard: 'TEL:0244123456' });
    await own.waitFor(/Amount\?/);
  });

  it('gives nobody a right: who may only look up gets the look-up, a stranger a refusal', async () => {
    const { telegram } = await openShop();
    const [reader, stranger] = [telegram.person('Efua', 1002), telegram.person('Yaw', 1003)];
    reader.shareContact(telegram.privateChat(reader), kofi);
    await telegram.privateChat(reader).waitFor(/Name: /);
    stranger.shareContact(telegram.privateChat(stranger), kofi);
    await telegram.privateChat(stranger).waitFor(/You cannot charge yet/);
  });
});
