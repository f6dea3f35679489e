import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FastClock } from '../support/fast-clock.ts';
import { runApp } from '../support/run-app.ts';
import { startSlackWorkspace } from '../support/slack/workspace.ts';
import { slackSettings } from '../support/slack-shop.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';

/** Osu has a place, Kasoa a person. What is typed in Osu belongs to it, whoever typed it. */
const accessOf = (
  ids: Readonly<Record<'osu' | 'finance' | 'efua' | 'kojo' | 'yaw', string>>,
): string => `
roles:
  finance: {commands: [charge, report, export]}
  sales: {commands: [charge]}
members:
  finance: ['${ids.efua}']
  sales: ['${ids.kojo}', '${ids.yaw}']
branches:
  Osu: {conversations: ['${ids.osu}']}
  Kasoa: {members: ['${ids.kojo}']}
notify:
  ${ids.finance}: {completed: from 70 GHS, branch: Osu}
`;

/** 50 and 70 in Osu, one of them by the person of Kasoa; 80 by that person, and 90 by nobody's, elsewhere. */
const BY_BRANCH =
  /by branch[\s\S]*Osu · GHS 120\.00 · 2 of 2[\s\S]*No branch · GHS 90\.00 · 1 of 1[\s\S]*Kasoa · GHS 80\.00 · 1 of 1/;
const ALL_TOLD =
  /Day so far, [\s\S]*4 completed · GHS 290\.00[\s\S]*Branches: ?\s*Osu GHS 120\.00, No branch GHS 90\.00, Kasoa GHS 80\.00/;
const OSU_TOLD = /Day so far of Osu, [\s\S]*2 completed · GHS 120\.00/;
const MIRRORED = /completed · GHS 70\.00/;

/** Amount and branch of each line, the largest amount first. */
const branchesIn = (file: Buffer): string[] => {
  const rows: Record<string, string>[] = parse(file, { bom: true, columns: true });
  return rows
    .toSorted((a, b) => Number(b['amount']) - Number(a['amount']))
    .map(({ amount, branch }) => `${amount} ${branch}`);
};
const LINES = ['90.00 ', '80.00 Kasoa', '70.00 Osu', '50.00 Osu'];

describe('branches', () => {
  it.each(['http', 'socket'] as const)(
    'are told apart in Slack over %s: in a report, a file, the day and what a conversation is told',
    async (transport) => {
      const clock = new FastClock();
      const slack = await startSlackWorkspace({
        transport,
        people: ['efua', 'kojo', 'yaw'],
        channels: ['osu', 'market', 'finance'].map((name) => ({ name })),
      });
      onTestFinished(() => slack.stop());
      const [efua, kojo, yaw] = [slack.person('efua'), slack.person('kojo'), slack.person('yaw')];
      const finance = `slack:${await slack.channelId('finance')}`;
      const osu = `slack:${await slack.channelId('osu')}`;
      const people = { efua: `slack:${efua.id}`, kojo: `slack:${kojo.id}`, yaw: `slack:${yaw.id}` };
      const access = accessOf({ osu, finance, ...people });
      const settings = await slackSettings(slack, transport);
      const shop = await runApp(settings, { clock, access });
      const sell = async (who: typeof efua, channel: string, amount: string) => {
        await who.slash(channel, '/charge', `0244123450 ${amount}`);
        const button = `Charge GHS ${amount}.00`;
        await who.press(await who.ephemeral(new RegExp(`${button}\\?`)), button);
        await slack.message(channel, new RegExp(`GHS ${amount}\\.00[\\s\\S]*completed`));
      };
      await sell(kojo, 'market', '80');
      await sell(yaw, 'market', '90');
      await sell(yaw, 'osu', '50');
      await sell(kojo, 'osu', '70');
      await slack.message('finance', MIRRORED);
      await efua.slash('finance', '/report', 'today by branch');
      await efua.ephemeral(BY_BRANCH);
      await yaw.slash('osu', '/report', 'today by branch');
      await yaw.ephemeral(/You cannot see reports yet/);
      await efua.slash('finance', '/export', 'today');
      const { bytes } = await slack.file('@efua', /\.csv$/);
      expect(branchesIn(bytes)).toEqual(LINES);
      await shop.stop();
      expect(await slack.messages('finance')).toHaveLength(1);

      const digest = { DIGEST: `${finance},${osu}`, DIGEST_AT: '00:00' };
      await runApp({ ...settings, ...digest }, { clock, dir: shop.dir });
      await slack.message('finance', ALL_TOLD);
      const { text } = await slack.message('osu', OSU_TOLD);
      expect(text).not.toMatch(/Branches|Kasoa|GHS [89]0/);
    },
  );

  it('are told apart in Telegram: in a report, a file, the day and what a conversation is told', async () => {
    const clock = new FastClock();
    const telegram = await TelegramSimulator.start({ now: () => clock.now() });
    onTestFinished(() => telegram.stop());
    const efua = telegram.person('Efua Owusu', 1001);
    const kojo = telegram.person('Kojo Boateng', 1002);
    const yaw = telegram.person('Yaw Darko', 1003);
    const everyone = [efua, kojo, yaw];
    const [osu, market] = [telegram.group('Osu', everyone), telegram.group('Market', everyone)];
    const finance = telegram.group('Finance', everyone);
    const own = telegram.privateChat(efua);
    const access = accessOf({
      osu: `telegram:${osu.id}`,
      finance: `telegram:${finance.id}`,
      efua: 'telegram:1001',
      kojo: 'telegram:1002',
      yaw: 'telegram:1003',
    });
    const settings = {
      PAYMENTS_BASE_URL: 'sandbox',
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
    };
    const shop = await runApp(settings, { clock, access });
    const sell = async (who: typeof efua, group: typeof osu, amount: string) => {
      who.type(group, `/charge 0244123450 ${amount}`);
      const button = `Charge GHS ${amount}.00`;
      who.press(await group.waitFor(new RegExp(`${button}\\?`)), button);
      await group.waitFor(new RegExp(`GHS ${amount}\\.00[\\s\\S]*completed`));
    };
    await sell(kojo, market, '80');
    await sell(yaw, market, '90');
    await sell(yaw, osu, '50');
    await sell(kojo, osu, '70');
    await finance.waitFor(MIRRORED);
    efua.type(own, '/report today by branch');
    await own.waitFor(BY_BRANCH);
    efua.type(own, '/export today');
    const sent = await own.waitFor(/· Payments: \d/);
    const bytes = (await sent.content.file?.arrayBuffer()) ?? new ArrayBuffer();
    expect(branchesIn(Buffer.from(bytes))).toEqual(LINES);
    await shop.stop();
    expect(finance.fromBot).toHaveLength(1);

    const digest = { DIGEST: `telegram:${finance.id},telegram:${osu.id}`, DIGEST_AT: '00:00' };
    await runApp({ ...settings, ...digest }, { clock, dir: shop.dir });
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
    shop.type('/charge 0244123450 70');
    await shop.shows('Charge GHS 70.00?');
    shop.type('yes');
    await shop.shows(': completed');
    shop.type('/report today by branch');
    await shop.shows('Osu · GHS 70.00 · 1 of 1 completed');
    shop.type('/export today');
    await shop.shows(/The file is saved[\s\S]*File: +\S+\.csv/);
    const path = /File: +(\S+\.csv)/.exec(shop.screen())?.[1] ?? '';
    expect(branchesIn(await readFile(path))).toEqual(['70.00 Osu']);
    shop.type('/notify test');
    await shop.shows('slack:C0FINANCE, completed: from GHS 70.00, branch Osu: 1 message');
  });
});
