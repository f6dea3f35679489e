import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { runApp } from '../support/run-app.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

const openShop = () =>
  openTelegramShop({
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
