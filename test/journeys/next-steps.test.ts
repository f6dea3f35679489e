import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

const ACCESS =
  '{roles: {sales: {commands: [charge, status, payments]}}, members: {sales: [<@ama>, <@kojo>]}}';

describe.each(['socket', 'http'] as const)('the next step on Slack by %s', (transport) => {
  const openShop = () => openSlackShop({ transport, people: ['ama', 'kojo'], access: ACCESS });

  it('after a failure is Ask again: a second try, and both cards name each other', async () => {
    const { slack, ama, payments } = await openShop();
    await chargeInSlack(ama, 'sales', '0244123401 50');
    const failed = await slack.message('sales', /GHS 50\.00 failed/);
    const question = await ama.choose(failed, 'Ask again', /Second try\. The first failed:/);
    expect(payments()).toHaveLength(1);
    await ama.press(question, 'Charge GHS 50.00');
    const [first, second] = await eventually(() => {
      const ids = payments().map(({ transactionId }) => transactionId);
      expect(ids).toHaveLength(2);
      return ids;
    });
    await slack.message('sales', new RegExp(`Asked again: ${second}`));
    // It fails as well.
    await slack.message('sales', new RegExp(`Another try of ${first}`));
    expect(slack.acks.every(({ ok }) => ok)).toBe(true);
  });

  it('of a question is Change: the form filled in, and the question takes no press any more', async () => {
    const { ama, payments } = await openShop();
    await ama.slash('sales', '/charge', '0244123456 50 Invoice 17');
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    await ama.press(question, 'Change');
    const modal = await ama.modal();
    expect(JSON.stringify(modal)).toMatch(/024 412 3456.*GHS 50\.00.*Invoice 17/);
    await ama.choose(question, 'Charge GHS 50.00', /Already changed/);
    await ama.submit(modal, { Amount: '60' });
    await ama.ephemeral(/Charge GHS 60\.00\?/);
    expect(payments()).toEqual([]);
  });

  it('of a completed one is Charge again, with the number masked for a colleague', async () => {
    const { slack, ama, kojo, payments } = await openShop();
    await chargeInSlack(ama, 'sales', '0244123456 50');
    const card = await slack.message('sales', /GHS 50\.00 completed/);
    await kojo.press(card, 'Charge again');
    const modal = await kojo.modal();
    expect(JSON.stringify(modal)).toMatch(/024 \*\*\* 3456.*Last time GHS 50\.00/);
    await kojo.submit(modal, { Amount: '20' });
    const question = await kojo.ephemeral(/Charge GHS 20\.00\?/);
    expect(kojo.ephemerals().join()).not.toMatch(/412 ?3456/);
    await kojo.press(question, 'Charge GHS 20.00');
    await eventually(() => expect(payments()).toHaveLength(2));
    await ama.choose(card, 'Details', /completed · today[\s\S]*Transaction:/);
  });

  it('of a pending one is Check now, which answers in private', async () => {
    const { slack, ama, kojo } = await openShop();
    await chargeInSlack(ama, 'sales', '0244123406 50');
    const card = await slack.message('sales', /GHS 50\.00 pending/);
    await kojo.choose(card, 'Check now', /GHS 50\.00: still pending/);
    expect(ama.ephemerals().join()).not.toContain('still pending');
  });
});

describe('the next step on Telegram', () => {
  const openShop = () =>
    openTelegramShop({
      people: { ama: 'Ama Mensah', kojo: 'Kojo' },
      chats: ({ telegram, ama, kojo }) => ({ group: telegram.group('Sales', [ama, kojo]) }),
      access: ACCESS,
    });

  it('after a failure is Ask again: a second try, and both cards name each other', async () => {
    const { ama, group, payments } = await openShop();
    const card = await chargeInTelegram(ama, group, '0244123401 50');
    await eventually(() => expect(card.text).toMatch(/GHS 50\.00 failed/));
    ama.press(card, 'Ask again');
    const question = await group.waitFor(/Second try\. The first failed:/);
    ama.press(question, 'Charge GHS 50.00');
    await eventually(() => expect(payments()).toHaveLength(2));
    const [first, second] = payments().map(({ transactionId }) => transactionId);
    await eventually(() => expect(card.text).toContain(`Asked again: ${second}`));
    await eventually(() => expect(question.text).toContain(`Another try of ${first}`));
  });

  it('of a question is Change: it asks what should change, and the question takes no press any more', async () => {
    const { telegram, ama, group, payments } = await openShop();
    const question = await ama.ask(group, '/charge 0244123456 50', /Charge GHS 50\.00\?/);
    ama.press(question, 'Change');
    ama.press(await group.waitFor(/What should change\?/), 'Amount');
    await eventually(() => expect(question.text).toContain('Changed'));
    const press = ama.press(question, 'Charge GHS 50.00', { version: 0 });
    expect(await refusalOf(press, telegram.privateChat(ama))).toMatch(
      /This button is no longer there/,
    );
    expect(payments()).toEqual([]);
  });

  it('of a pending one is Check now, answered in the press', async () => {
    const { telegram, ama, kojo, group } = await openShop();
    const card = await chargeInTelegram(ama, group, '0244123406 50');
    await eventually(() => expect(card.text).toMatch(/GHS 50\.00 pending/));
    const press = kojo.press(card, 'Check now');
    expect(await refusalOf(press, telegram.privateChat(kojo))).toMatch(/still pending/);
    expect(group.fromBot).toEqual([card]);
  });
});
