import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { sandboxLabel } from '../../../src/commands/cards/sandbox-label.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { cardText, factOf } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

let store: Store;
let desk: Desk;
let clock: ManualClock;
let denied: string[];

beforeEach(async () => {
  denied = [];
  store = await openStore();
  // A Sunday.
  clock = new ManualClock(Date.parse('2026-11-22T16:00:00Z'));
  const grants = (): Grants => ({ ...allGrants(), may: (name) => !denied.includes(name) });
  desk = openDesk(store, clock, grants, undefined, undefined, {
    access: {
      grantsOf: async () => grants(),
      toldRules: () => ({
        notify: [],
        branches: [
          { name: 'Osu', conversations: ['slack:C0OSU'], members: [] },
          { name: 'Tema', conversations: [], members: ['telegram:77'] },
        ],
      }),
    },
    settings: {
      ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: [] },
      texts: { templates: new Map(), receipt: 'ask', shop: 'Adwoa Stores' },
    },
  });
});

let ids = 0;
type Changes = Partial<Payment> & { readonly ghs?: number; readonly tookS?: number };

/** A payment confirmed at this time of UTC, which Ghana has. */
const stored = async (confirmedAt: string, changes: Changes = {}): Promise<void> => {
  const { ghs = 50, tookS = 14, ...more } = changes;
  const confirmedAtMs = Date.parse(confirmedAt);
  const terms = { ...aPayment().terms, amount: { amountMinor: ghs * 100, currency: 'GHS' } };
  const record: Payment = {
    ...aPayment({ state: 'completed', terms }),
    id: `P${ids++}`,
    confirmedAtMs,
    settledAtMs: confirmedAtMs + tookS * 1_000,
    ...more,
  };
  expect(await store.commit({ put: [{ kind: 'payment', record }] })).toBe(true);
};

const open = { state: 'pending', settledAtMs: undefined } as unknown as Partial<Payment>;
const by = (id: string, name: string) => ({ requester: { platform: 'telegram', id, name } });

const report = async (words = '') => {
  const [card, ...more] = await desk.type(ama, 'report', words);
  expect(more).toEqual([]);
  if (card === undefined) throw new Error('nothing was said');
  return card;
};

describe('/report', () => {
  it('tells count, sum, average, success rate, time to pay, what is open and in conflict, of today', async () => {
    for (const [hour, tookS] of [10, 20, 30, 40, 50, 60, 70, 80, 90, 3_720].entries())
      await stored(`2026-11-22T0${hour}:00:00Z`, { ghs: 100 + hour, tookS });
    await stored('2026-11-22T10:00:00Z', { state: 'failed' });
    await stored('2026-11-22T11:00:00Z', { state: 'failed', flag: 'conflict' });
    await stored('2026-11-22T12:00:00Z', open);
    await stored('2026-11-21T23:59:59.999Z', { ghs: 7_000 });
    const card = await report();
    expect(card.title).toBe('Report, today');
    expect(cardText(card)).toContain('10 completed · GHS 1,045.00');
    expect(factOf(card, 'Average')).toBe('GHS 104.50');
    expect(factOf(card, 'Success rate')).toBe('83 % (10 of 12 with an outcome)');
    expect(factOf(card, 'Customers pay in')).toBe('about 50 s (9 of 10 within 1 min 30 s)');
    expect(factOf(card, 'Waiting')).toBe('1');
    expect(factOf(card, 'In conflict')).toBe('1');
    expect(card.buttons).toMatchObject([{ label: 'CSV', verb: 'csv', id: 'd20779-20779' }]);
  });

  it('says zeros where there is no payment, and no average or rate of nothing', async () => {
    expect(cardText(await report())).toBe(
      'Report, today | 0 completed · GHS 0.00 | Waiting: 0, In conflict: 0, Yesterday until 16:00: 0 completed · GHS 0.00',
    );
  });

  it('compares today with yesterday up to the same time of day', async () => {
    await stored('2026-11-22T09:00:00Z', { ghs: 150 });
    await stored('2026-11-21T15:59:59Z', { ghs: 100 });
    await stored('2026-11-21T15:59:59Z', { state: 'failed' });
    await stored('2026-11-21T16:00:00Z', { ghs: 900 });
    expect(factOf(await report(), 'Yesterday until 16:00')).toBe(
      '1 completed · GHS 100.00 · 50 % success · now 50 % more',
    );
  });

  it.each([
    ['yesterday', '20 Nov'],
    ['week', '9 to 15 Nov until 16:00'],
    ['month', '1 to 22 Oct until 16:00'],
    ['november', '1 to 22 Oct until 16:00'],
    ['last week', '2 to 8 Nov'],
    ['last month', '1 to 30 Sep'],
    ['September', '1 to 31 Aug'],
    ['last 7 days', '9 to 15 Nov until 16:00'],
    ['28 Oct to 3 Nov', '21 to 27 Oct'],
    ['1-15 Nov', '17 to 31 Oct'],
    ['2026-01-01..2026-01-02', '30 to 31 Dec 2025'],
  ])('compares %s with %s', async (words, label) => {
    await stored('2025-12-30T00:00:00Z');
    const { parts } = await report(words);
    const labels = parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []));
    expect(labels.map((fact) => fact.label).at(-1)).toBe(label);
  });

  it('says when the sum is the same, or less, or nothing', async () => {
    await stored('2026-11-21T09:00:00Z');
    expect(factOf(await report(), 'Yesterday until 16:00')).toMatch(/now 100 % less$/);
    await stored('2026-11-22T09:00:00Z');
    expect(factOf(await report(), 'Yesterday until 16:00')).toMatch(/now the same$/);
    expect(factOf(await report('yesterday'), '20 Nov')).toBe('0 completed · GHS 0.00');
  });

  it('says 100 % and 0 % only when it is so, and the same only of equal sums', {
    tags: ['T64'],
  }, async () => {
    const outcomes = async (date: string, completed: number, failed: number, ghs = 50) => {
      const at = `${date}T09:00:00Z`;
      await Promise.all([
        ...Array.from({ length: completed }, () => stored(at, { ghs })),
        ...Array.from({ length: failed }, () => stored(at, { state: 'failed' })),
      ]);
    };
    await outcomes('2026-11-18', 249, 1);
    expect(factOf(await report('18 Nov'), 'Success rate')).toBe(
      '99 % (249 of 250 with an outcome)',
    );
    await outcomes('2026-11-19', 1, 249, 12_400);
    const card = await report('19 Nov');
    expect(factOf(card, 'Success rate')).toBe('1 % (1 of 250 with an outcome)');
    expect(factOf(card, '18 Nov')).toMatch(/99 % success · now GHS 50\.00 less$/);
    await outcomes('2026-11-20', 2, 0, 12_425);
    const more = await report('20 Nov');
    expect(factOf(more, 'Success rate')).toBe('100 % (2 of 2 with an outcome)');
    // 100.4 % more is not twice as much, and 99.8 % less is not nothing.
    expect(factOf(more, '19 Nov')).toMatch(/now 101 % more$/);
    await outcomes('2026-11-21', 1, 0, 50);
    expect(factOf(await report('21 Nov'), '20 Nov')).toMatch(/now 99 % less$/);
  });

  it('has one number of payments below its rates, and names what is open beside it', async () => {
    for (const [at, state] of [
      'completed',
      'completed',
      'completed',
      'completed',
      'failed',
      'pending',
    ].entries())
      await stored(
        `2026-11-22T0${at}:00:00Z`,
        state === 'pending' ? open : { state: state as 'failed' },
      );
    await stored('2026-11-22T09:00:00Z', { ...open, ...by('77', 'kojo') });
    const card = await report('today by person');
    expect(factOf(card, 'Success rate')).toBe('80 % (4 of 5 with an outcome)');
    expect(cardText(card)).toContain(
      '| ama · GHS 200.00 · 4 of 5 completed · 1 waiting, kojo · GHS 0.00 · 0 of 0 completed · 1 waiting',
    );
  });

  it.each([
    [59, '59 s'],
    [180, '3 min'],
    [200, '3 min 20 s'],
    [7_200, '2 h'],
    [18_720, '5 h 12 min'],
  ])('says how long %d seconds to pay are', async (tookS, words) => {
    await stored('2026-11-22T09:00:00Z', { tookS });
    expect(factOf(await report(), 'Customers pay in')).toBe(
      `about ${words} (9 of 10 within ${words})`,
    );
  });

  it('never adds up two currencies', async () => {
    const usd = { ...aPayment().terms, amount: { amountMinor: 999_00, currency: 'USD' } };
    await stored('2026-11-22T09:00:00Z', { terms: usd });
    await stored('2026-11-22T09:00:00Z', { ghs: 10 });
    await stored('2026-11-22T09:30:00Z', { ghs: 20 });
    const card = await report('today by network');
    expect(cardText(card)).toContain('3 completed · GHS 30.00 · USD 999.00');
    expect(factOf(card, 'Average')).toBe('GHS 15.00 · USD 999.00');
    expect(cardText(card)).toContain('MTN MoMo · GHS 30.00 · USD 999.00 · 3 of 3 completed');
  });

  it.each([
    ['person', 'kojo · GHS 100.00 · 2 of 2 completed, ama · GHS 50.00 · 1 of 2 completed'],
    ['people', 'kojo · GHS 100.00 · 2 of 2 completed, ama · GHS 50.00 · 1 of 2 completed'],
    [
      'network',
      'MTN MoMo · GHS 100.00 · 2 of 3 completed, Telecel Cash · GHS 50.00 · 1 of 1 completed',
    ],
    ['option', 'Mobile money · GHS 150.00 · 3 of 4 completed'],
    ['payment option', 'Mobile money · GHS 150.00 · 3 of 4 completed'],
    [
      'branch',
      'No branch · GHS 50.00 · 1 of 2 completed, Osu · GHS 50.00 · 1 of 1 completed, Tema · GHS 50.00 · 1 of 1 completed',
    ],
    ['merchant', 'Adwoa Stores · GHS 150.00 · 3 of 4 completed'],
    ['day', '20 Nov · GHS 50.00 · 1 of 2 completed, 22 Nov · GHS 100.00 · 2 of 2 completed'],
    ['hour', '09:00 · GHS 100.00 · 2 of 3 completed, 14:00 · GHS 50.00 · 1 of 1 completed'],
  ])('has rows by %s', async (group, rows) => {
    const osu = { conversation: { ...shop, channel: 'C0OSU' } };
    const telecel = { ...aPayment().terms, network: 'VOD' } as const;
    await stored('2026-11-22T09:00:00Z', { ...by('77', 'kojo') });
    await stored('2026-11-22T14:59:00Z', { ...by('77', 'kojo'), ...osu, terms: telecel });
    await stored('2026-11-20T09:10:00Z');
    await stored('2026-11-20T09:20:00Z', { state: 'refused' });
    expect(cardText(await report(`1-22 nov by ${group}`))).toContain(`| ${rows}`);
  });

  it('has ten rows at most: the largest, those of days in their order, and says how many are left out', async () => {
    for (let day = 1; day <= 12; day++)
      await stored(`2026-11-${String(day).padStart(2, '0')}T09:00:00Z`, { ghs: day });
    const card = await report('1-22 Nov by day');
    const [list] = card.parts.flatMap((part) => (part.kind === 'list' ? [part.items] : []));
    expect(list?.map((item) => String(item).split(' · ')[0])).toEqual(
      Array.from({ length: 10 }, (_, at) => `${at + 3} Nov`),
    );
    expect(cardText(card)).toContain('2 smaller ones are left out here.');
  });

  it.each([
    ['weekend', 'I do not know "weekend"'],
    ['today by colour', 'I cannot report by "colour"'],
    ['31 Feb', 'There is no 31 Feb'],
    ['2020-01-01..2026-01-01', 'A report has two years at most'],
    ['1 Dec 2026', '1 Dec 2026 is still to come'],
    ['by day Lastweek', 'I cannot report by "day Lastweek"'],
    ['week by month', 'I cannot report by "month"'],
  ])('answers "%s" with what can be typed', async (words, why) => {
    const card = await report(words);
    expect(cardText(card)).toContain(why);
    expect(cardText(card)).toContain('/report ');
  });

  it.each([
    ['week', '2026-11-22', 'Report, this week, 16 to 22 Nov', '16 to 22 Nov 2026'],
    ['week by day', '2026-11-23', 'Report, this week, 23 Nov, by day', '23 Nov 2026'],
    ['month', '2026-12-01', 'Report, this month, 1 Dec', '1 Dec 2026'],
    ['month', '2027-01-02', 'Report, this month, 1 to 2 Jan', '1 to 2 Jan 2027'],
    ['This week', '2026-11-22', 'Report, this week, 16 to 22 Nov', '16 to 22 Nov 2026'],
  ])('says that %s was asked for, on %s', async (words, date, title, days) => {
    await clock.advance(Date.parse(`${date}T16:00:00Z`) - clock.now());
    await stored(`${date}T10:00:00Z`);
    expect((await report(words)).title).toBe(title);
    expect(desk.files[0]?.title).toContain(days);
  });

  it.each([
    ['last week', 'Report, last week, 9 to 15 Nov'],
    ['by person LAST MONTH', 'Report, last month, 1 to 31 Oct, by person'],
    ['here november', 'Report, 1 to 22 Nov'],
    ['friday by hour', 'Report, 20 Nov, by hour'],
    ['28 Oct – 3 Nov', 'Report, 28 Oct to 3 Nov'],
  ])('understands days as people write them, in any order: %s', async (words, title) => {
    expect((await report(words)).title).toBe(title);
  });

  it('has days that it knows as buttons where it does not know what was typed', async () => {
    const [last] = await desk.press(ama, await report('lastweek'), 'Last week');
    expect(last?.title).toBe('Report, last week, 9 to 15 Nov');
    const [today] = await desk.press(ama, await report('tomorrow'), 'Today');
    expect(today?.title).toBe('Report, today');
  });

  it('is marked as a test in the sandbox, in its picture too', async () => {
    const sandbox = openDesk(store, clock, undefined, undefined, undefined, { mark: sandboxLabel });
    await stored('2026-11-22T09:00:00Z');
    await sandbox.type(ama, 'report', '');
    expect(sandbox.files).toMatchObject([
      {
        name: 'test-report-22-nov-2026.png',
        title: 'TEST · Report, 22 Nov 2026',
        altText: expect.stringMatching(/^TEST · Report, 22 Nov 2026: GHS 50\.00/),
      },
    ]);
  });

  it('is for all in the conversation with `here` at the end, and for the caller alone without', async () => {
    await report('today by person');
    expect(desk.published).toEqual([]);
    const card = await report('by person Here');
    expect(card.title).toBe('Report, today, by person');
    expect(desk.published).toEqual([card]);
  });

  it('sends a picture to the person alone, with the figures as alternative text; none where nothing was paid', async () => {
    await stored('2026-11-22T09:00:00Z', { ghs: 1_240 });
    await report('today by person here');
    expect(desk.files).toMatchObject([
      { name: 'report-22-nov-2026-by-person.png', title: 'Report, 22 Nov 2026, by person' },
    ]);
    expect(desk.files[0]?.content.type).toBe('image/png');
    expect(desk.files[0]?.altText).toContain('1 completed');
    expect(desk.files[0]?.altText).toMatch(/ama GHS 1,240\.00$/);
    await report('yesterday');
    expect(desk.files).toHaveLength(1);
  });

  it('says where the picture is on a platform that saves it, and what to do when it cannot be sent', async () => {
    await stored('2026-11-22T09:00:00Z');
    desk.sendsFiles(async () => ({ ok: true, savedAs: '/data/files/report.png' }));
    const saved = await desk.type(ama, 'report', '');
    expect(saved.map(cardText)[1]).toBe('The picture is saved | File: /data/files/report.png');
    desk.sendsFiles(async () => ({ ok: false, remedy: 'Press Start first.' }));
    const lost = await desk.type(ama, 'report', '');
    expect(lost.map(cardText)[1]).toBe('I could not send the picture | Press Start first.');
  });

  it('has a button CSV that exports the same days, to holders of the right to export alone', async () => {
    await stored('2026-11-22T09:00:00Z');
    await stored('2026-11-20T09:00:00Z');
    const card = await report('20 Nov');
    await clock.advance(24 * 3_600_000);
    await desk.press(ama, card, 'CSV');
    expect(await desk.files.at(-1)?.content.text()).toMatch(
      /^[^\n]*\n2026-11-20T09:00:00.000Z[^\n]*\n$/,
    );
    denied = ['export'];
    const [said] = await desk.press(ama, card, 'CSV');
    expect(said?.title).toMatch(/You cannot export payments yet/);
    expect(desk.files.filter(({ name }) => name.endsWith('.csv'))).toHaveLength(1);
  });
});
