import { expect } from 'vitest';
import { balancesOf } from '../../src/core/records/balances.ts';
import { closedDayOf } from '../../src/core/records/closed-day.ts';
import { dayAt } from '../../src/core/values/calendar-day.ts';
import { EDGES, openEdge } from '../support/edges.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningApp, runApp } from '../support/run-app.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

const COLLECTED =
  /Day's end: \d+ \w+ 2\d{3}[\s\S]*Opening balance: ?\s*not available[\s\S]*Collected: ?\s*GHS 50\.00 \(1 payment\)/;
const CLOSED = /\(closed\)[\s\S]*closed this day today[\s\S]*There are no corrections\./;

const ACCESS = `
roles: { sales: { commands: [charge] }, finance: { commands: [charge, close, payments] } }
members: { sales: [<@ama>], finance: [<@efua>] }
`;

/** What the audit trail has of the day that was closed. */
const isClosed = (shop: RunningApp) =>
  eventually(async () => {
    const date = new Date(shop.clock.now()).toISOString().slice(0, 10);
    const rows = await shop.app.store.auditOf(`closed.${date}`);
    expect(rows.map(({ what }) => what)).toEqual(['closed']);
  });

it.each(['socket', 'http'] as const)(
  'in Slack by %s who may close sees the day in private and closes it, and others are refused',
  async (transport) => {
    const shop = await openSlackShop({ transport, people: ['ama', 'efua'], access: ACCESS });
    const { slack, ama, efua } = shop;
    await chargeInSlack(ama, 'sales', '0244123456 50');
    await slack.message('sales', /: completed/);
    await ama.ask('sales', '/close', /You cannot close days yet/);
    await efua.slash('sales', '/close', '');
    await efua.choose(await efua.ephemeral(COLLECTED), 'Close', CLOSED);
    await isClosed(shop);
    expect(await slack.transcript('sales')).not.toContain('Opening');
  },
);

it('in Telegram who may close gets the day in the private chat and closes it there, and others are refused', async () => {
  const shop = await openTelegramShop({
    people: { ama: 'Ama Mensah', efua: 'Efua Owusu' },
    access: ACCESS,
  });
  const { telegram, ama, efua } = shop;
  const own = telegram.privateChat(efua);
  const group = telegram.group('Sales', [efua]);
  await chargeInTelegram(efua, own, '0244123456 50');
  await own.waitFor(/: completed/);
  efua.type(group, '/close');
  const day = await own.waitFor(COLLECTED);
  const amas = telegram.privateChat(ama);
  const refusal = await ama.ask(amas, '/close', /You cannot close days yet/);
  const [button] = day.content.buttons.flat();
  const forged = ama.pressData(refusal, button?.callback_data ?? '');
  await eventually(() => {
    expect(forged.answer).toMatch(/This button is no longer there/);
  });
  await efua.choose(own, day, 'Close before the day is over', CLOSED);
  await isClosed(shop);
  expect(group.transcript()).not.toContain('Opening');
});

it('in the terminal the day is closed by its first word', async () => {
  const shop = await runApp();
  await shop.charge('0244123456 50');
  await shop.shows(': completed');
  await shop.ask('/close', COLLECTED);
  await shop.ask('close', CLOSED);
  await isClosed(shop);
});

/** The sandbox holds GHS 10,000.00 and what it collected. */
const YESTERDAY = '9970';

it.each(EDGES)(
  'in %s a day with both balances names the difference, is closed, and lists what changed since',
  async (name) => {
    const efua = await openEdge(name);
    const { store } = efua.shop.app;
    const today = dayAt(efua.shop.clock.now(), 'Africa/Accra');
    const atMs = efua.shop.clock.now() - 13 * 3_600_000;
    const ended = balancesOf(today - 1).put({ collection: YESTERDAY, atMs }, undefined);
    expect(await store.commit({ put: [ended] })).toBe(true);
    efua.type('/charge 0244123456 50');
    await efua.press(/Charge GHS 50\.00\?/, 'Charge GHS 50.00');
    await efua.customer('0244123456', 'approved');
    await efua.sees(/: completed/);
    efua.type('/charge 0244123450 20');
    await efua.press(/Charge GHS 20\.00\?/, 'Charge GHS 20.00');
    await efua.sees(/GHS 20\.00 pending/);
    efua.type('/close');
    const figures =
      /Day's end: [\s\S]*GHS 10\.00 too high[\s\S]*Opening balance: ?\s*GHS 9,970\.00 \(yesterday 23:\d\d\)[\s\S]*Collected: ?\s*GHS 50\.00 \(1 payment\)[\s\S]*Closing balance: ?\s*GHS 10,050\.00 \(today 12:\d\d\)[\s\S]*Difference: ?\s*GHS 30\.00[\s\S]*1 pending · GHS 20\.00/;
    await efua.press(figures, 'Close before the day is over');
    await efua.sees(/\(closed\)[\s\S]*Difference: ?\s*GHS 30\.00[\s\S]*There are no corrections\./);
    await efua.customer('0244123450', 'approved');
    await efua.sees(/GHS 20\.00[\s\S]*completed/);
    const { id } = closedDayOf({ day: today });
    await eventually(async () =>
      expect((await store.auditOf(id)).map(({ what, after }) => [what, after])).toEqual([
        ['closed', id.slice('closed.'.length)],
        ['corrected', 'completed'],
      ]),
    );
    efua.type('/close today');
    await efua.press(
      /\(closed\)[\s\S]*Collected: ?\s*GHS 50\.00 \(1 payment\)[\s\S]*Collected by now: ?\s*GHS 70\.00 \(2 payments\)[\s\S]*Corrections since then:[\s\S]*GHS 20\.00 was pending, is completed/,
      '1',
    );
    await efua.sees(/GHS 20\.00 completed/);
  },
);
