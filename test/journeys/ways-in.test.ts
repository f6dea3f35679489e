import { describe, expect } from 'vitest';
import { defined } from '../../src/core/runtime/defined.ts';
import { eventually } from '../support/eventually.ts';
import { runApp } from '../support/run-app.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

const openShop = (transport?: 'polling' | 'webhook') =>
  openTelegramShop({
    ...defined({ transport }),
    people: { ama: 'Ama Mensah', kojo: 'Kojo Boateng' },
    access: "{roles: {all: {commands: '*'}}, members: {all: [<@ama>, <@kojo>]}}",
  });

describe('a mistake in Slack', () => {
  it('costs one press and the wrong part: the form opens with everything else in it', async () => {
    const { ama, slack } = await openSlackShop({ people: ['ama'] });
    await ama.slash('sales', '/charge', '0244123456 5o telecel Invoice 17');
    const wrong = await ama.ephemeral(/Please check/);
    await ama.press(wrong, 'Correct it');
    const modal = await ama.modal();
    const shown = JSON.stringify(modal.view.blocks);
    expect(shown).toMatch(/"initial_value":"5o"/);
    expect(shown).toMatch(/"hint":\{[^}]*letter o/);
    await ama.submit(modal, { Amount: '50' });
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    expect(JSON.stringify(question.blocks)).toMatch(/Telecel Cash.*Invoice 17/s);
    await ama.press(question, 'Charge GHS 50.00');
    await slack.message('sales', /completed/);
  });

  it('in a mention is corrected the same way, and so is a command with a letter wrong', async () => {
    const { ama } = await openSlackShop({ people: ['ama'] });
    await ama.mention('sales', 'chrage 0244123456 50');
    await ama.press(await ama.ephemeral(/Did you mean \/charge\?/), 'Correct it');
    await ama.submit(await ama.modal());
    await ama.ephemeral(/Charge GHS 50\.00\?/);
  });
});

describe('a long SMS in Slack', () => {
  it('is whole in the form of Correct it', async () => {
    const { ama } = await openSlackShop({ people: ['ama'], env: { SMS_SENDER_ID: 'SHOP' } });
    const text = 'Your order is ready, please come by. '.repeat(90).trim();
    await ama.press(await ama.ask('sales', `/sms 02441 ${text}`, /Please check/), 'Correct it');
    const modal = await ama.modal();
    const shown = modal.view.blocks.flatMap((block) =>
      block.type === 'input' && block.element.type === 'plain_text_input'
        ? (block.element.initial_value ?? '')
        : [],
    );
    expect(shown.slice(1).join('')).toBe(text);
  });
});

describe('recent customers in Slack', () => {
  it('are a list in the form, and are found by a part of their name', async () => {
    const { ama, slack } = await openSlackShop({ people: ['ama'] });
    const first = await ama.ask('sales', '/charge 0244123456 50', /Charge GHS 50\.00\?/);
    const name = /Customer:\s*(\S+) (\S+)/.exec(first.text ?? '')?.[2] ?? '';
    expect(name).not.toBe('');
    await ama.press(first, 'Charge GHS 50.00');
    await slack.message('sales', /completed/);
    await ama.slash('sales', '/charge', '');
    const modal = await ama.modal();
    const list = modal.view.blocks.find((block) => block.block_id === 'number~suggested');
    if (list?.type !== 'input' || list.element.type !== 'static_select')
      throw new Error('there is no list of customers');
    const [recent] = list.element.options;
    expect(recent?.text.text).toMatch(/\S+ \w\. 024 \*{3} 3456$/);
    await ama.submit(modal, { 'Or a recent customer': recent?.text.text ?? '', Amount: '70' });
    await ama.ephemeral(/Charge GHS 70\.00\?[\s\S]*024 412 3456/);
    await ama.slash('sales', '/charge', `${name.toLowerCase()} 80`);
    await ama.ephemeral(/Charge GHS 80\.00\?[\s\S]*024 412 3456/);
    await ama.shortcut('Charge a customer');
    const anywhere = JSON.stringify((await ama.modal()).view.blocks);
    expect(anywhere).toContain('Or a recent customer');
  });
});

describe('a mistake in Telegram', () => {
  it('asks the one question that is open, in the place of the message, also after a restart', async () => {
    const { telegram, ama, kojo, restart } = await openShop();
    const group = telegram.group('Sales', [ama, kojo]);
    const wrong = await ama.ask(group, '/charge 0244123456 5o telecel Invoice 17', /Please check/);
    const other = kojo.press(wrong, 'Correct it');
    expect(await refusalOf(other, telegram.privateChat(kojo))).toMatch(/Only Ama Mensah/);
    await restart();
    ama.press(wrong, 'Correct it');
    await eventually(() => expect(wrong.text).toMatch(/letter o[\s\S]*Amount\?/));
    ama.type(group, '50', { replyTo: wrong });
    const question = await group.waitFor(/Charge GHS 50\.00\?/);
    expect(question.text).toMatch(/Telecel Cash[\s\S]*Invoice 17/);
  });
});

describe('recent customers in Telegram', () => {
  it('are buttons under /charge alone, with one for another number', async () => {
    const { telegram, ama, kojo } = await openShop();
    const chat = telegram.privateChat(ama);
    await chargeInTelegram(ama, chat, '0244123456 50');
    await chat.waitFor(/: completed/);
    const asked = await ama.ask(chat, '/charge', /Customer number\?/);
    const labels = asked.buttons.flat();
    expect(labels).toEqual([
      expect.stringMatching(/^\S+ \w\. 024 \*{3} 3456$/),
      'Another number',
      'Cancel',
    ]);
    await ama.choose(chat, asked, labels[0] ?? '', /Amount\?/);
    const others = telegram.privateChat(kojo);
    const theirs = await kojo.ask(others, '/charge', /Customer number\?/);
    expect(theirs.buttons.flat()).toEqual(['Cancel']);
  });
});

describe('a number and an amount in a private chat', () => {
  it.each(['polling', 'webhook'] as const)(
    'are a charge in Telegram by %s, but not forwarded or edited in',
    async (transport) => {
      const { telegram, ama, payments } = await openShop(transport);
      const chat = telegram.privateChat(ama);
      ama.forward(chat, '0244123456 50');
      await chat.waitFor(/forwarded/);
      const typed = ama.type(chat, 'hello');
      await chat.waitFor(/^(TEST · )?Hello/);
      ama.edit(chat, typed, '0244123456 50');
      ama.press(await ama.ask(chat, '0244123456 50', /Charge GHS 50\.00\?/), 'Charge GHS 50.00');
      await chat.waitFor(/: completed/);
      await ama.ask(chat, 'who paid today?', /Payments, today, completed/);
      expect(chat.fromBot.filter(({ text }) => text.includes('Charge GHS'))).toHaveLength(0);
      expect(payments()).toHaveLength(1);
    },
  );

  it('answer the open question of a form there, and are no charge', async () => {
    const { telegram, ama } = await openShop();
    const chat = telegram.privateChat(ama);
    await ama.ask(chat, '/lookup', /number\?/i);
    await ama.ask(chat, '0244123456 50', /Please check|not|space/i);
    expect(chat.fromBot.some(({ text }) => text.includes('Charge GHS'))).toBe(false);
  });

  it.each(['http', 'socket'] as const)(
    'are a charge in a direct message of Slack by %s, but not in a channel',
    async (transport) => {
      const { ama, slack } = await openSlackShop({ people: ['ama'], transport });
      await ama.mention('sales', '0244123456 50');
      await ama.ephemeral(/I did not understand that/);
      await ama.directMessage('0244123456 50');
      await slack.message('@ama', /Charge GHS 50\.00\?/);
    },
  );

  it('are a charge in the terminal, and words without a meaning leave an open question open', async () => {
    const shop = await runApp();
    await shop.ask('0244123456 50', 'Charge GHS 50.00?');
    await shop.ask('blue shoes', 'I did not understand that');
    await shop.ask('yes', ': completed');
    await shop.ask('today', 'Today: ');
  });
});

describe('the terminal', () => {
  it('corrects a mistake with one answer and finds recent customers by number and name', async () => {
    const shop = await runApp();
    await shop.ask('/charge 0244123456 5o', '[1] Correct it');
    await shop.ask('1', 'Amount?');
    await shop.ask('50', 'Charge GHS 50.00?');
    const name = /Customer: +\S+ (\S+)/.exec(shop.screen())?.[1] ?? '';
    await shop.ask('yes', ': completed');
    await shop.ask('/charge', /\[1\] \S+ \w\. 024 \*{3} 3456/);
    await shop.shows('[2] Another number');
    shop.type('2');
    shop.type('0244123457');
    shop.type('60');
    await shop.ask('skip', 'Charge GHS 60.00?');
    shop.type('no');
    await shop.ask(`/charge ${name} 70`, 'Charge GHS 70.00?');
    await shop.ask('/charge Nobody 70', 'I found no "Nobody" among your recent customers.');
  });
});
