import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { csvRows } from '../support/csv-rows.ts';
import { runApp } from '../support/run-app.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { fileOf } from '../support/telegram/sent-file.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

/** Osu has a place, Kasoa a person. What is typed in Osu belongs to it, whoever typed it. */
const ACCESS = `
roles: { finance: {commands: [charge, report, export]}, sales: {commands: [charge]} }
members: { finance: [<@efua>], sales: [<@kojo>, <@yaw>] }
branches:
  Osu: {conversations: ['<#osu>']}
  Kasoa: {members: ['<@kojo>']}
notify:
  '<#finance>': {completed: from 70 GHS, branch: Osu}
`;
const DIGEST = { DIGEST: '<#finance>,<#osu>', DIGEST_AT: '00:00' };

/** 50 and 70 in Osu, one of them by the person of Kasoa; 80 by that person, and 90 by nobody's, elsewhere. */
const BY_BRANCH =
  /by branch[\s\S]*Osu · GHS 120\.00 · 2 of 2[\s\S]*No branch · GHS 90\.00 · 1 of 1[\s\S]*Kasoa · GHS 80\.00 · 1 of 1/;
const ALL_TOLD =
  /Day so far, [\s\S]*4 completed · GHS 290\.00[\s\S]*Branches: ?\s*Osu GHS 120\.00, No branch GHS 90\.00, Kasoa GHS 80\.00/;
const OSU_TOLD = /Day so far of Osu, [\s\S]*2 completed · GHS 120\.00/;
const MIRRORED = /GHS 70\.00 completed/;

/** Amount and branch of each line, the largest amount first. */
const branchesIn = (file: Buffer): string[] =>
  csvRows(file)
    .toSorted((a, b) => Number(b['amount']) - Number(a['amount']))
    .map(({ amount, branch }) => `${amount} ${branch}`);
const LINES = ['90.00 ', '80.00 Kasoa', '70.00 Osu', '50.00 Osu'];

describe('branches', () => {
  const it = together();

  it.each(['http', 'socket'])(
    'are told apart in Slack over %s: in a report, a file, the day and what a conversation is told',
    async (transport) => {
      const { slack, efua, kojo, yaw, stop, restart } = await openSlackShop({
        transport,
        people: ['efua', 'kojo', 'yaw'],
        channels: ['osu', 'market', 'finance'],
        access: ACCESS,
      });
      const sell = async (who: typeof efua, channel: string, amount: string) => {
        await chargeInSlack(who, channel, `0244123450 ${amount}`);
        await slack.message(channel, new RegExp(`GHS ${amount}\\.00[\\s\\S]*completed`));
      };
      await sell(kojo, 'market', '80');
      await sell(yaw, 'market', '90');
      await sell(yaw, 'osu', '50');
      await sell(kojo, 'osu', '70');
      await slack.message('finance', MIRRORED);
      await efua.ask('finance', '/report today by branch', BY_BRANCH);
      await yaw.ask('osu', '/report today by branch', /You cannot see reports yet/);
      await efua.slash('finance', '/export', 'today');
      const { bytes } = await slack.file('@efua', /\.csv$/);
      expect(branchesIn(bytes)).toEqual(LINES);
      await stop();
      expect(await slack.messages('finance')).toHaveLength(1);

      await restart(DIGEST);
      await slack.message('finance', ALL_TOLD);
      const { text } = await slack.message('osu', OSU_TOLD);
      expect(text).not.toMatch(/Branches|Kasoa|GHS [89]0/);
    },
  );

  it('are told apart in Telegram: in a report, a file, the day and what a conversation is told', async () => {
    const { telegram, efua, kojo, yaw, osu, market, finance, stop, restart } =
      await openTelegramShop({
        people: { efua: 'Efua Owusu', kojo: 'Kojo Boateng', yaw: 'Yaw Darko' },
        chats: ({ telegram, efua, kojo, yaw }) => ({
          osu: telegram.group('Osu', [efua, kojo, yaw]),
          market: telegram.group('Market', [efua, kojo, yaw]),
          finance: telegram.group('Finance', [efua, kojo, yaw]),
        }),
        access: ACCESS,
      });
    const own = telegram.privateChat(efua);
    const sell = async (who: typeof efua, group: typeof osu, amount: string) => {
      await chargeInTelegram(who, group, `0244123450 ${amount}`);
      await group.waitFor(new RegExp(`GHS ${amount}\\.00[\\s\\S]*completed`));
    };
    await sell(kojo, market, '80');
    await sell(yaw, market, '90');
    await sell(yaw, osu, '50');
    await sell(kojo, osu, '70');
    await finance.waitFor(MIRRORED);
    await efua.ask(own, '/report today by branch', BY_BRANCH);
    const sent = await efua.ask(own, '/export today', /· Payments: \d/);
    expect(branchesIn(await fileOf(sent))).toEqual(LINES);
    await stop();
    expect(finance.fromBot).toHaveLength(1);

    await restart(DIGEST);
    await finance.waitFor(ALL_TOLD);
    const { text } = await osu.waitFor(OSU_TOLD);
    expect(text).not.toMatch(/Branches|Kasoa|GHS [89]0/);
  });

  it('are in reports, files and rules of the terminal, which is one conversation of one branch', async () => {
    const access = `
roles: {all: {commands: '*', admin: true}}
members: {all: ['terminal:local']}
branches: {Osu: {conversations: ['terminal:local']}}
notify: {'slack:C0FINANCE': {completed: from 70 GHS, branch: Osu}}
`;
    const shop = await runApp({}, { access });
    await shop.charge('0244123450 70');
    await shop.shows(': completed');
    await shop.ask('/report today by branch', 'Osu · GHS 70.00 · 1 of 1 completed');
    await shop.ask('/export today', /The file is saved[\s\S]*File: +\S+\.csv/);
    const path = /File: +(\S+\.csv)/.exec(shop.screen())?.[1] ?? '';
    expect(branchesIn(await readFile(path))).toEqual(['70.00 Osu']);
    shop.type('/notify test');
    await shop.shows('slack:C0FINANCE, completed: from GHS 70.00, branch Osu: 1 message');
  });
});
