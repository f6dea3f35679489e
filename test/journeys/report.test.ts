import { describe, expect } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import { eventually } from '../support/eventually.ts';
import { runApp } from '../support/run-app.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { storePayments } from '../support/stored-payments.ts';
import { fileOf, sentFile } from '../support/telegram/sent-file.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** Two completed and one failed, just now, by the two people who were named. */
const fill = (store: Store): Promise<void> => {
  const confirmedAtMs = Date.now() - 60_000;
  return storePayments(
    store,
    (['completed', 'completed', 'failed'] as const).map((state, at) => ({
      id: `P${at}`,
      state,
      confirmedAtMs,
      settledAtMs: confirmedAtMs + 14_000,
      requester: { platform: 'slack', id: `U${at % 2}`, name: at % 2 === 0 ? 'Ama' : 'Kojo' },
    })),
  );
};

const ACCESS = `
roles: { finance: {commands: [report, export]}, sales: {commands: [charge]} }
members: { finance: [<@ama>, <@kojo>], sales: [<@yaw>] }
`;

const FIGURES = /2 completed · GHS 100\.00[\s\S]*67 % \(2 of 3 with an outcome\)[\s\S]*about 14 s/;

describe('what payments add up to is reported', () => {
  it.each(['http', 'socket'] as const)(
    'in Slack over %s: to the person alone, with `here` to the channel, and its CSV to the direct chat',
    async (transport) => {
      const { slack, ama, yaw, app } = await openSlackShop({
        transport,
        people: ['ama', 'kojo', 'yaw'],
        channels: ['finance'],
        access: ACCESS,
      });
      await fill(app.store);
      await ama.ask('finance', '/report week by person', FIGURES);
      expect(await slack.transcript('finance')).toBe('');
      const picture = await slack.file('@ama', /^test-report-.*-by-person\.png$/);
      expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
      expect(picture.altText).toMatch(
        /: GHS 100\.00\. 2 completed[\s\S]*Ama GHS 50\.00, Kojo GHS 50\.00$/,
      );
      await yaw.ask('finance', '/report here', /You cannot see reports yet/);
      await ama.slash('finance', '/report', 'week by person here');
      const posted = await slack.message('finance', FIGURES);
      expect(posted.text).toMatch(/Report/);
      await ama.press(posted, 'CSV');
      const shared = await slack.file('@ama', /^payments-\d+\.csv$/);
      expect(shared.bytes.toString().split('\r\n')).toHaveLength(5);
    },
  );

  it('in Telegram: to the private chat, also when it was typed in a group, with `here` to the group, refused to others', async () => {
    const { telegram, ama, kojo, yaw, app, stop } = await openTelegramShop({
      people: { ama: 'Ama Mensah', kojo: 'Kojo Boateng', yaw: 'Yaw Owusu' },
      access: ACCESS,
    });
    await fill(app.store);
    const own = telegram.privateChat(ama);
    const group = telegram.group('Finance', [ama]);
    ama.type(group, '/report week by person');
    const picture = await own.waitFor(FIGURES);
    await group.waitFor(/Sent to you privately/);
    expect((await fileOf(picture)).subarray(1, 4).toString()).toBe('PNG');
    expect(picture.text).toMatch(/^TEST · Report, this week/);
    expect(picture.marked('bold').join()).toContain('Success rate:');
    ama.press(picture, 'CSV');
    await sentFile(own, /^payments-\d+\.csv$/);
    // The figures are there once, above the file.
    expect(own.fromBot.map(({ content: { file } }) => file?.name)).toEqual([
      expect.stringMatching(/-by-person\.png$/),
      expect.stringMatching(/\.csv$/),
    ]);
    const posted = await ama.ask(group, '/report week by network here', FIGURES);
    const yaws = telegram.privateChat(yaw);
    await yaw.ask(yaws, '/report here', /You cannot see reports yet/);
    const refused = yaw.press(posted, 'CSV');
    // On a slow machine the spinner has ended before the refusal, which then comes in private.
    await eventually(() =>
      expect(`${refused.answer}${yaws.transcript()}`).toMatch(/You cannot export payments yet/),
    );
    ama.press(posted, 'CSV');
    const shared = await sentFile(own, /^payments-\d+\.csv$/);
    expect(shared.toString().split('\r\n')).toHaveLength(5);

    telegram.privateChat(kojo, { started: false });
    const once = await kojo.ask(group, '/report week', /press Start/);
    await stop();
    expect(group.fromBot.filter(({ text }) => /press Start/.test(text))).toEqual([once]);
  });

  it('in the terminal, where plain words do, and its CSV is saved', async () => {
    const shop = await runApp();
    await fill(shop.app.store);
    await shop.ask('/report week by person', 'Kojo · GHS 50.00 · 1 of 1 completed');
    await shop.shows(/The picture is saved[\s\S]*by-person.*\.png/);
    await shop.ask('csv', 'The file is saved');
    await shop.ask('report yesteryear', 'I do not know "yesteryear"');
  });
});
