import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { runApp } from '../support/run-app.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

const ACCESS = `
roles:
  owner: {commands: '*', admin: true}
  sales: {commands: [charge]}
members: { owner: [<@ama>], sales: [<@efua>] }
`;

const ONE = /Today: [\s\S]*1 completed · GHS 50\.00/;

describe('the day of a shop', () => {
  it.each(['http', 'socket'] as const)(
    'is shown in Slack over %s, kept in the channel by an administrator, pinned, and shown on Home by a button',
    async (transport) => {
      const { slack, ama, efua } = await openSlackShop({
        transport,
        people: ['ama', 'efua'],
        access: ACCESS,
      });
      await chargeInSlack(efua, 'sales', '0244123456 50');
      await slack.message('sales', /: completed/);
      await efua.ask('sales', '/today', /Today, efua: [\s\S]*1 completed · GHS 50\.00/);
      await ama.slash('sales', '/today');
      const day = await ama.ephemeral(ONE);
      await ama.press(day, 'Keep here');
      await ama.ephemeral(/Kept here/);
      const kept = await slack.message('sales', ONE);
      await eventually(() => expect(slack.pins).toEqual([expect.stringContaining(kept.ts)]));
      await ama.press(day, 'My day');
      await ama.ephemeral(/Today, ama: [\s\S]*0 completed/);
    },
  );

  it.each(['polling', 'webhook'] as const)(
    'is kept in a Telegram group by %s, and says that it may not pin where the bot is no administrator',
    async (transport) => {
      const { telegram, ama, efua, group } = await openTelegramShop({
        transport,
        people: { ama: 'Ama', efua: 'Efua' },
        chats: ({ telegram: all, ama: one, efua: other }) => ({
          group: all.group('Sales', [one, other]),
        }),
        access: ACCESS,
      });
      const own = telegram.privateChat(ama);
      await ama.choose(
        own,
        await ama.ask(own, '/start', /Your shop/),
        'Today',
        /Today: [\s\S]*0 completed/,
      );
      await chargeInTelegram(efua, group, '0244123456 50');
      await group.waitFor(/: completed/);
      const day = await ama.ask(group, '/today', ONE);
      ama.press(day, 'Keep here');
      const kept = await group.waitFor(ONE, { after: day });
      await eventually(() => expect(kept.text).toMatch(/I may not pin here/));
      expect(kept.isPinned).toBe(false);
      await chargeInTelegram(efua, group, '0244123457 20');
      await eventually(() => expect(kept.text).toMatch(/2 completed · GHS 70\.00/));
    },
  );

  it('is pinned once in a Telegram group where the bot is an administrator: who takes the pin away keeps it so', async () => {
    const { ama, group } = await openTelegramShop({
      people: { ama: 'Ama' },
      chats: ({ telegram: all, ama: one }) => ({ group: all.group('Sales', [one]) }),
      access: "{roles: {owner: {commands: '*', admin: true}}, members: {owner: [<@ama>]}}",
    });
    group.promoteBot(ama.account);
    const day = await ama.ask(group, '/today', /Today: /);
    ama.press(day, 'Keep here');
    const kept = await group.waitFor(/Today: /, { after: day });
    await eventually(() => expect(kept.isPinned).toBe(true));
    kept.isPinned = false;
    for (const [words, figures] of [
      ['0244123456 50', /1 completed · GHS 50\.00/],
      ['0244123457 20', /2 completed · GHS 70\.00/],
    ] as const) {
      await chargeInTelegram(ama, group, words);
      await eventually(() => expect(kept.text).toMatch(figures));
    }
    expect(kept.isPinned).toBe(false);
    expect(group.fromBot.filter(({ text }) => /Today: /.test(text))).toEqual([day, kept]);
  });

  it('is shown in the terminal', async () => {
    const shop = await runApp();
    await shop.ask('/charge 0244123456 50 GHS', 'Charge GHS 50.00?');
    await shop.ask('yes', ': completed');
    await shop.ask('/today', ONE);
    await shop.ask('today me', /Today, ama: [\s\S]*1 completed/);
  });
});
