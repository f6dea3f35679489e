import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { type Card, cardOf, pressButton } from '../../../src/commands/cards/card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, kojo } from '../../support/a-payment.ts';
import { cardText, listedIds } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const NOW = '2026-11-22T16:00:00Z';

let store: Store;
let desk: Desk;
let clock: ManualClock;
let grants: (person: Person) => Grants;

beforeEach(async () => {
  grants = () => allGrants();
  clock = new ManualClock(Date.parse(NOW));
  store = await openStore();
  desk = openDesk(store, clock, (person) => grants(person));
});

type Stored = Partial<Payment['terms']> & { readonly state?: Payment['state'] };

const stored = async (
  id: string,
  confirmedAt: string,
  { state = 'completed', ...terms }: Stored = {},
): Promise<void> => {
  const record: Payment = {
    ...aPayment({ state }),
    id,
    terms: { ...aPayment().terms, ...terms },
    confirmedAtMs: Date.parse(confirmedAt),
  };
  await store.commit({ put: [{ kind: 'payment', record }] });
};

const ghs = (amountMinor: number) => ({ currency: 'GHS', amountMinor });

/** Five payments: two on Sunday the 22nd, and one each on Saturday, on the Monday before and in October. */
const aShop = async (): Promise<void> => {
  await stored('OCT', '2026-10-30T10:00:00Z', {
    customerName: 'ADWOA SARPONG',
    reference: 'Rent 50',
  });
  await stored('MON', '2026-11-16T00:00:00Z', { amount: ghs(1_190_00), reference: 'Invoice 17' });
  await stored('SAT', '2026-11-21T23:59:00Z', { state: 'failed', customerNumber: '+233244124567' });
  await stored('SUN1', '2026-11-22T09:00:00Z', {
    state: 'submitting',
    customerName: 'Zoé Adwoaba',
  });
  await stored('SUN2', '2026-11-22T14:02:00Z', { state: 'not sent', amount: ghs(4_567_00) });
};

/** The ids of the rows, and what the parts before and behind them say. */
const shownIn = (card: Card) => {
  const { parts } = card;
  return {
    first: parts[0]?.kind === 'text' ? parts[0].text : '',
    ids: listedIds(card),
    notes: parts.flatMap((part) => (part.kind === 'note' ? [part.text] : [])),
  };
};

const list = async (words = ''): Promise<Card> => {
  const [card] = await desk.type(ama, 'payments', words);
  if (card === undefined) throw new Error('nothing was shown');
  return card;
};

const labels = (card: Card) => card.buttons?.map(({ label }) => label);

describe('/payments', () => {
  it('says the totals first, then a line for each payment: sign, money, customer, time and requester', async () => {
    await stored('01JD2M4X9QK7T3VA', '2026-11-20T09:15:00Z');
    await stored('01JD2M4X9QK7T3VB', '2026-11-21T23:59:00Z');
    await stored('01JD2M4X9QK7T3VC', '2026-11-22T14:02:00Z');
    const { title, parts } = await list();
    expect(title).toBe('Recent payments');
    expect(parts).toEqual([
      { kind: 'text', text: '3 completed · GHS 150.00 · 0 pending · 0 failed' },
      {
        kind: 'list',
        numbered: 1,
        items: ['14:02', '21 Nov 23:59', '20 Nov 09:15'].map(
          (when) => `✅ GHS 50.00 · Kofi M. · ${when} · ama`,
        ),
      },
    ]);
  });

  it('counts pending with what is being sent, and names the other states when there are any', async () => {
    await aShop();
    expect(shownIn(await list()).first).toBe(
      '2 completed · GHS 1,240.00 · 1 pending · 1 failed · 1 not sent',
    );
    await stored('USD', '2026-11-22T15:00:00Z', { amount: { currency: 'USD', amountMinor: 5_00 } });
    await stored('UNK', '2026-11-22T15:01:00Z', { state: 'unknown' });
    await stored('REF', '2026-11-22T15:02:00Z', { state: 'refused' });
    expect(shownIn(await list()).first).toBe(
      '3 completed · GHS 1,240.00 · USD 5.00 · 1 pending · 1 failed · 1 unknown · 1 refused · 1 not sent',
    );
  });

  it.each([
    ['today', ['SUN2', 'SUN1'], 'Payments, today'],
    ['yesterday', ['SAT'], 'Payments, yesterday'],
    ['week', ['SUN2', 'SUN1', 'SAT', 'MON'], 'Payments, 16 to 22 Nov'],
    ['month', ['SUN2', 'SUN1', 'SAT', 'MON'], 'Payments, 1 to 22 Nov'],
    ['2026-11-21', ['SAT'], 'Payments, yesterday'],
    ['16 Nov', ['MON'], 'Payments, 16 Nov'],
    ['2026-10-01..2026-11-16', ['MON', 'OCT'], 'Payments, 1 Oct to 16 Nov'],
    ['16-21 Nov', ['SAT', 'MON'], 'Payments, 16 to 21 Nov'],
    ['this week', ['SUN2', 'SUN1', 'SAT', 'MON'], 'Payments, 16 to 22 Nov'],
    ['last month', ['OCT'], 'Payments, 1 to 31 Oct'],
    ['last 7 days', ['SUN2', 'SUN1', 'SAT', 'MON'], 'Payments, 16 to 22 Nov'],
    ['7 days', ['SUN2', 'SUN1', 'SAT', 'MON'], 'Payments, 16 to 22 Nov'],
    ['Saturday', ['SAT'], 'Payments, yesterday'],
    ['October', ['OCT'], 'Payments, 1 to 31 Oct'],
    ['28 Oct to 3 Nov', ['OCT'], 'Payments, 28 Oct to 3 Nov'],
    ['28 Oct – 16 Nov', ['MON', 'OCT'], 'Payments, 28 Oct to 16 Nov'],
    ['yesterday, failed', ['SAT'], 'Payments, yesterday, failed'],
    ['failed', ['SUN2', 'SAT'], 'Payments, failed'],
    ['paid', ['MON', 'OCT'], 'Payments, completed'],
    ['paid today', [], 'No completed payments today'],
    ['successful october', ['OCT'], 'Payments, 1 to 31 Oct, completed'],
    ['waiting', ['SUN1'], 'Payments, pending'],
    ['OPEN', ['SUN1'], 'Payments, open'],
    ['failed yesterday', ['SAT'], 'Payments, yesterday, failed'],
    ['paid refused not sent', ['SUN2', 'MON', 'OCT'], 'Payments, completed or refused or not sent'],
    ['Adwoa paid last month', ['OCT'], 'Payments for "Adwoa", 1 to 31 Oct, completed'],
    ['Rent october 50', ['OCT'], 'Payments for "Rent 50", 1 to 31 Oct'],
    ['paid by me 30 Oct', ['OCT'], 'Payments by me, 30 Oct, completed'],
    ['Pending', ['SUN1'], 'Payments, pending'],
    ['not sent', ['SUN2'], 'Payments, not sent'],
    ['today failed', ['SUN2'], 'Payments, today, failed'],
    ['failed today', ['SUN2'], 'Payments, today, failed'],
    ['completed Adwoa', ['OCT'], 'Payments for "Adwoa", completed'],
    ['Adwoa month', ['SUN1'], 'Payments for "Adwoa", 1 to 22 Nov'],
    ['Adwoa', ['SUN1', 'OCT'], 'Payments for "Adwoa"'],
    ['ADW', ['SUN1', 'OCT'], 'Payments for "ADW"'],
    ['zoe', ['SUN1'], 'Payments for "zoe"'],
    ['Invoice 17', ['MON'], 'Payments for "Invoice 17"'],
    ['1190', ['MON'], 'Payments for "1190"'],
    ['GHS 1,190.00', ['MON'], 'Payments for "GHS 1,190.00"'],
    ['adwoa 50 GHS', ['SUN1', 'OCT'], 'Payments for "adwoa 50 GHS"'],
    ['4567', ['SUN2', 'SAT'], 'Payments for "4567"'],
    ['by Am today', ['SUN2', 'SUN1'], 'Payments by Am, today'],
    ['today by me', ['SUN2', 'SUN1'], 'Payments by me, today'],
    ['024 412 4567', ['SAT'], 'Payments of 024 412 4567'],
    ['0244124567 yesterday', ['SAT'], 'Payments of 024 412 4567, yesterday'],
  ])('%s finds %o', async (words, ids, title) => {
    await aShop();
    const card = await list(words);
    expect(shownIn(card).ids).toEqual(ids);
    expect(card.title).toBe(title);
  });

  it('totals what it lists, and names no state that was not asked for', async () => {
    await aShop();
    expect(shownIn(await list('failed')).first).toBe('1 failed · 1 not sent');
    expect(shownIn(await list('week completed')).first).toBe('1 completed · GHS 1,190.00');
    expect(shownIn(await list('Adwoa')).first).toBe(
      '1 completed · GHS 50.00 · 1 pending · 0 failed',
    );
  });

  it('says what digits were taken for, and where words were looked for', async () => {
    await aShop();
    const notes = async (words: string) => shownIn(await list(words)).notes;
    expect(await notes('4567')).toEqual([
      'Searched: numbers ending in 4567, amount GHS 4,567.00, references with 4567.',
    ]);
    expect(await notes('50')).toEqual(['Searched: amount GHS 50.00, references with 50.']);
    expect(await notes('Adwoa')).toEqual(['Searched: names and references.']);
    expect(await notes('1,190.00')).toEqual([]);
    expect(await notes('0244124567')).toEqual([]);
  });

  it('shows the payment of a transaction id that was typed', async () => {
    await stored('01JD2M4X9QK7T3VA', '2026-10-20T09:15:00Z');
    const card = await list('01jd2m4x9qk7t3va');
    expect(card.title).toBe('Payment');
    expect(shownIn(card)).toMatchObject({
      first: '1 completed · GHS 50.00',
      ids: ['01JD2M4X9QK7T3VA'],
      notes: [],
    });
  });

  it('has a Details button for each line, which shows that payment without asking the service', async () => {
    await stored('01JD2M4X9QK7T3VA', '2026-11-20T09:15:00Z');
    await stored('01JD2M4X9QK7T3VB', '2026-11-21T23:59:00Z');
    const card = await list();
    expect(labels(card)).toEqual(['1', '2']);
    const [details] = await desk.press(ama, card, '2');
    expect(details?.title).toBe('GHS 50.00 completed');
    expect(cardText(details)).toContain('01JD2M4X9QK7T3VA');
    expect(desk.gateway.checked).toEqual([]);
  });

  it('shows details to the one who asked for the payment, and else to those who may list payments', async () => {
    await stored('01JD2M4X9QK7T3VA', '2026-11-20T09:15:00Z');
    const card = await list();
    grants = () => ({ ...allGrants(), may: () => false });
    expect((await desk.press(ama, card, '1'))[0]?.title).toBe('GHS 50.00 completed');
    expect((await desk.press(kojo, card, '1'))[0]?.title).toBe('You cannot see payments yet');
  });

  it('pages through the same days with More, also after midnight, and back with Newest', async () => {
    for (let n = 10; n < 30; n++) await stored(`P${n}`, `2026-11-22T09:${n}:00Z`);
    await stored('BEFORE', '2026-11-21T09:00:00Z');
    const first = await list('today Kofi');
    expect(shownIn(first).ids).toEqual(['P29', 'P28', 'P27', 'P26', 'P25', 'P24', 'P23', 'P22']);
    clock.jump(10 * 3_600_000);
    const [second] = await desk.press(ama, first, 'More');
    const [third] = await desk.press(ama, second, 'More');
    if (second === undefined || third === undefined) throw new Error('there is no next page');
    expect(shownIn(second).first).toBe('20 completed · GHS 1,000.00 · 0 pending · 0 failed');
    expect(shownIn(third).ids).toEqual(['P13', 'P12', 'P11', 'P10']);
    expect(labels(third)).not.toContain('More');
    const [newest] = await desk.press(ama, third, 'Newest');
    expect(newest && shownIn(newest).ids).toEqual(shownIn(first).ids);
  });

  it('asks at the press of More whether the presser may see payments', async () => {
    for (let n = 10; n < 20; n++) await stored(`P${n}`, `2026-11-22T09:${n}:00Z`);
    const card = await list();
    grants = () => ({ ...allGrants(), may: () => false });
    expect((await desk.press(ama, card, 'More'))[0]?.title).toBe('You cannot see payments yet');
  });

  it('has no button that says more than fits, and names another way to the rest', async () => {
    const reference = `Rent ${'abcdefgh '.repeat(6)}`.trim();
    for (let n = 10; n < 20; n++) await stored(`P${n}`, `2026-11-22T09:${n}:00Z`, { reference });
    const card = await list(reference);
    expect(labels(card)).not.toContain('More');
    expect(shownIn(card).notes).toContain('There are more. Name a day, or use fewer words.');
  });

  it.each([
    ...['', '~', 'today~', '~none', 'd1-99999999~x', 'd5-1 Adwoa~P10'],
    ...['31 Nov~x', '\ud83d~\0', '%~%'],
  ])('answers a forged place in the list, %o, with a card', async (id) => {
    await aShop();
    const card = cardOf('forged', [], { buttons: [pressButton('More', 'older', id)] });
    expect(await desk.press(ama, card, 'More')).toHaveLength(1);
  });

  it.each([
    ['', 'No payments yet'],
    ['today', 'No payments today'],
    ['pending', 'No pending payments yet'],
    ['failed yesterday', 'No failed payments yesterday'],
    ['last week paid', 'No completed payments, 9 to 15 Nov'],
    ['failed unknown', 'No failed or unknown payments yet'],
    ['024 412 3456', 'I found no payment for "024 412 3456".'],
    ['week failed', 'No failed payments, 16 to 22 Nov'],
    ['failed yestrday', 'Nothing found, failed | I found no payment for "yestrday".'],
    ['...', 'I found no payment for "...".'],
    ['by Kojo', 'I found no payment for "by Kojo".'],
  ])('without any says so, after %o', async (words, sentence) => {
    expect(cardText(await list(words))).toContain(sentence);
  });

  it('without any names the days it looked at, with the year where that is another one', async () => {
    expect(cardText(await list('1-15 Dec Adwoa'))).toMatch(
      /^Nothing found, 1 to 15 Dec 2025 \| I found no payment for "Adwoa"\./,
    );
    expect(cardText(await list('1-15 Dec'))).toBe('No payments, 1 to 15 Dec 2025');
  });

  it('without any has times that it knows as buttons, with the words that were understood', async () => {
    await aShop();
    const card = await list('refused yestrday');
    expect(labels(card)).toEqual([
      ...['Today', 'Yesterday', 'This week', 'Last week'],
      ...['This month', 'Last month'],
    ]);
    const [none] = await desk.press(ama, card, 'Last month');
    expect(none?.title).toBe('No refused payments, 1 to 31 Oct');
    const [adwoa] = await desk.press(ama, await list('Adwoa yesterday'), 'Last month');
    expect(adwoa?.title).toBe('Payments for "Adwoa", 1 to 31 Oct');
    const [known] = await desk.press(ama, await list('31 Nov'), 'Yesterday');
    expect(known?.title).toBe('Payments, yesterday');
  });

  it('takes a month and a weekday for a time, and has a button that searches the name', async () => {
    await aShop();
    await stored('MAY', '2026-11-20T10:00:00Z', { customerName: 'MAY FRIDAY' });
    const card = await list('May');
    expect(card.title).toBe('No payments, 1 to 31 May');
    const [found] = await desk.press(ama, card, 'Search "May"');
    expect(found?.title).toBe('Payments for "May"');
    expect(found && shownIn(found).ids).toEqual(['MAY']);
    const friday = await list('Friday');
    expect(friday.title).toBe('Payments, 20 Nov');
    const [named] = await desk.press(ama, friday, 'Search "Friday"');
    expect(named && shownIn(named).ids).toEqual(['MAY']);
    expect((await list('today')).buttons?.at(-1)?.label).toBe('2');
  });

  it.each([
    ['"may"', ['MAY']],
    ['“May Friday”', ['MAY']],
    ['"friday" 20 Nov', ['MAY']],
    ['Friday 20 Nov', ['MAY', 'OTHER']],
    ['friday yesterday', []],
    ['"open" paid', ['OTHER']],
    ['by Friday', ['BY']],
  ])('searches what is in quotes, and names beside a time: %s', async (words, ids) => {
    await stored('MAY', '2026-11-20T10:00:00Z', { customerName: 'MAY FRIDAY' });
    await stored('OTHER', '2026-11-20T09:00:00Z', { reference: 'Open day' });
    const { requester: _, ...rest } = aPayment({ state: 'failed' });
    const by = { platform: 'slack', id: 'U0FRI', name: 'Friday Boateng' };
    const record: Payment = { ...rest, id: 'BY', requester: by, confirmedAtMs: 1 };
    await store.commit({ put: [{ kind: 'payment', record }] });
    expect(shownIn(await list(words)).ids).toEqual(ids);
  });

  it('finds all that begins so, however many names do', { tags: ['F76'] }, async () => {
    for (let n = 0; n < 31; n++)
      await stored(`K${n}`, `2026-11-20T09:${10 + n}:00Z`, {
        customerName: `KO${String.fromCharCode(97 + (n % 26))}${n < 26 ? 'a' : 'b'} MENSAH`,
      });
    expect(cardText(await list('Ko'))).toContain('31 completed');
    expect(shownIn(await list('Ko')).ids[0]).toBe('K30');
    expect(shownIn(await list('Koc')).ids).toEqual(['K28', 'K2']);
  });

  it('repeats what it does not find as it was typed', async () => {
    await stored('P1', '2026-11-22T09:00:00Z');
    expect(cardText(await list('Adwoa'))).toContain(
      'I found no payment for "Adwoa". Search by number, name, amount, reference or date.',
    );
  });

  it.each([
    ['31 Nov', 'There is no 31 Nov. Check the day and the month.'],
    ['2026-11-15..2026-11-01', 'That is the wrong way round.'],
    ['2026-12-24', '24 Dec 2026 is still to come.'],
    ['tomorrow', 'Tomorrow is still to come. Pick today or an earlier day.'],
    ['3 Nov to 28 Oct', 'The first day comes first: 28 Oct to 3 Nov 2026.'],
    ['today Adwoa yesterday', 'Name one time: "today" or "yesterday".'],
  ])('explains what is wrong with %s', async (words, sentence) => {
    const text = cardText(await list(words));
    expect(text).toContain(sentence);
    expect(text).toContain('/payments 1-15 Nov');
  });
});
