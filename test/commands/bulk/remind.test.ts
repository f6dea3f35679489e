import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { type Card, cardOf, pressButton } from '../../../src/commands/cards/card.ts';
import { ChargeFreeze } from '../../../src/core/guards/charge-freeze.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import type { Desk, DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import {
  DIRECT,
  fileOf,
  kofi,
  lastRows,
  merchant,
  openFileDesk,
  passInSteps,
  SMS_ACCEPTED,
  sundayMorning,
} from './file-desk.ts';

const DAY_MS = 24 * 3_600_000;
const NO_ONE = 'Each customer has paid, is not clear, or was reminded today.';
const REMINDER = 'Dear customer, {amount} is still due. {shop}';

let { clock, store, desk } = {} as DeskInHand;
let grants: Record<string, Partial<Grants>>;

const openShop = (
  reminder: readonly [string, string][] = [['reminder', REMINDER]],
  ...merchants: readonly string[]
): Promise<Desk> => {
  const templates = new Map(reminder.map(([name, text]) => [name, { name, text }]));
  const texts = { templates, receipt: 'never', shop: 'Adjoa Stores' } as const;
  return openFileDesk(store, clock, ({ id }) => allGrants(grants[id]), {
    settings: { senderIds: ['SHOP'], texts, merchants: merchants.map(merchant) },
  });
};

/** The customers of `fileOf` who do not pay, by the end of their number. */
let unwilling: Set<string>;

const useStatuses = () => {
  desk.gateway.onStatus = (id) => {
    const to = desk.gateway.sent.find(({ transactionId }) => transactionId === id);
    const isUnwilling = unwilling.has(to?.customerNumber.slice(-2) ?? '');
    return statusOf(id, isUnwilling ? 'failed' : 'completed');
  };
};

beforeEach(async () => {
  grants = {};
  unwilling = new Set(['51', '52']);
  ({ clock, store } = await sundayMorning());
  desk = await openShop();
  useStatuses();
});

const pass = (seconds: number) => passInSteps(clock, seconds);

const labels = (card: Card | undefined): string[] =>
  (card?.buttons ?? []).map(({ label }) => label);

const charged = async (bytes = fileOf(3), name = 'dues.csv'): Promise<Card | undefined> => {
  const [question] = await desk.send(ama, { name, bytes });
  await desk.press(ama, question, 'Charge');
  await pass(30);
  return desk.posted.at(-1)?.card;
};

const reminded = () => desk.gateway.texted.flatMap(({ recipients }) => recipients);

const [FIRST, SECOND] = ['+233244123451', '+233244123452'];

describe('the customers of a file who have not paid', { tags: ['F111'] }, () => {
  it('are reminded from the end of its run, first as a dry run, each with their own text', async () => {
    const end = await charged();
    expect(labels(end)).toContain('Remind 2');
    const [question] = await desk.press(ama, end, 'Remind 2', DIRECT);
    expect(cardText(question)).toContain('Send 2 SMS?');
    expect(cardText(question)).toContain('Row 3 will read: Dear customer, GHS 50.00 is still due.');
    await pass(10);
    expect(reminded()).toEqual([]);
    await desk.press(ama, question, 'Send 2 SMS', DIRECT);
    await pass(20);
    expect(reminded()).toEqual([FIRST, SECOND]);
    expect(desk.gateway.texted[0]?.text).toBe(
      'Dear customer, GHS 50.00 is still due. Adjoa Stores',
    );
  });

  it('are reminded once a day, from whichever card or file, and again the next day', {
    tags: ['T42'],
  }, async () => {
    const end = await charged();
    const [one] = await desk.press(ama, end, 'Remind 2');
    // Another file has one of them as well, and both dry runs are shown before either is confirmed.
    const other = await charged('number,amount\n0244123452,50', 'fees.csv');
    const [two] = await desk.press(kofi, other, 'Remind 1');
    await desk.press(kofi, two, 'Send 1 SMS');
    await pass(20);
    await desk.press(ama, one, 'Send 2 SMS');
    await pass(20);
    expect(reminded()).toEqual([SECOND, FIRST]);
    expect(cardText(desk.posted.at(-1)?.card)).toContain('1 left out');
    expect(textOf(await desk.press(kofi, end, 'Remind 2'))).toContain(NO_ONE);
    clock.jump(DAY_MS);
    const [next] = await desk.press(ama, end, 'Remind 2');
    await desk.press(ama, next, 'Send 2 SMS');
    await pass(20);
    expect(reminded()).toEqual([SECOND, FIRST, FIRST, SECOND]);
  });

  it('are reminded later that day where the others were before the end of their run', async () => {
    unwilling = new Set(['50', '51', '52', '53', '54', '55']);
    const [asked] = await desk.send(ama, { name: 'dues.csv', bytes: fileOf(6) });
    await desk.press(ama, asked, 'Charge');
    await pass(1.2);
    const card = desk.posted[0]?.card;
    await desk.press(ama, card, 'Pause');
    await pass(30);
    const { length: early } = desk.gateway.sent;
    const [listed] = await desk.type(ama, 'payments', 'dues.csv');
    expect(cardText(listed)).toContain(`${early} failed`);
    expect(labels(listed).join()).not.toContain('Remind');
    // As it was offered before, or by a card of another version.
    const [pause] = card?.buttons ?? [];
    const run = pause?.kind === 'press' ? pause.id : '';
    const offered = cardOf('', [], { buttons: [pressButton('Remind', 'sms-remind', run)] });
    await desk.press(ama, (await desk.press(ama, offered, 'Remind'))[0], 'Send');
    await pass(20);
    expect(reminded()).toHaveLength(early);
    await desk.press(
      ama,
      cardOf('', [], { buttons: [pressButton('Resume', 'bulk-resume', run)] }),
      'Resume',
    );
    await pass(60);
    const end = desk.posted.at(-1)?.card;
    // Two people press at one moment, and both confirm.
    const [one] = await desk.press(ama, end, 'Remind 6');
    const [two] = await desk.press(kofi, end, 'Remind 6');
    expect(cardText(one)).toContain(`Send ${6 - early} SMS?`);
    await desk.press(ama, one, 'Send');
    expect(textOf(await desk.press(kofi, two, 'Send'))).toContain('This file is being sent');
    await pass(30);
    expect(reminded()).toHaveLength(6);
    expect(new Set(reminded()).size).toBe(6);
    expect(textOf(await desk.press(ama, end, 'Remind 6'))).toContain(NO_ONE);
  });

  it.each([
    ['was stopped before it', 'Stop'],
    ['was refused', undefined],
  ])('are reminded later that day where an earlier SMS %s', async (_, stop) => {
    const end = await charged();
    const [question] = await desk.press(ama, end, 'Remind 2');
    desk.gateway.onSms = () => ({ kind: 'refused', answer: {}, reason: 'no credit' });
    await desk.press(ama, question, 'Send 2 SMS');
    // Until its end it is the one run of that day.
    const [going] = await desk.press(kofi, end, 'Remind 2');
    expect(cardText(going)).toContain('Sending 2 SMS');
    if (stop !== undefined) await desk.press(ama, going, stop);
    await pass(20);
    const { length } = reminded();
    expect(length).toBe(stop === undefined ? 2 : 0);
    desk.gateway.onSms = () => SMS_ACCEPTED;
    const [again] = await desk.press(ama, end, 'Remind 2');
    await desk.press(ama, again, 'Send 2 SMS');
    await pass(20);
    expect(reminded().slice(length)).toEqual([FIRST, SECOND]);
  });

  it('are left out once they paid, also between the dry run and their turn', async () => {
    const end = await charged();
    const [question] = await desk.press(ama, end, 'Remind 2');
    unwilling = new Set(['52']);
    const [typed] = await desk.type(kofi, 'charge', '0244123451 50');
    await desk.press(kofi, typed, 'Charge');
    await pass(10);
    await desk.press(ama, question, 'Send 2 SMS');
    await pass(20);
    expect(reminded()).toEqual([SECOND]);
    clock.jump(DAY_MS);
    const [next] = await desk.press(ama, end, 'Remind 2');
    expect(cardText(next)).toContain('Send 1 SMS?');
    unwilling = new Set();
    const [again] = await desk.type(kofi, 'charge', '0244123452 50');
    await desk.press(kofi, again, 'Charge');
    await pass(10);
    clock.jump(DAY_MS);
    expect(textOf(await desk.press(ama, end, 'Remind 2'))).toContain(NO_ONE);
  });

  it('are reminded of each row that is unpaid, and not of one that another try paid', async () => {
    desk.gateway.onStatus = (id) => {
      const at = desk.gateway.sent.findIndex(({ transactionId }) => transactionId === id);
      return statusOf(id, at === 1 || at === 2 ? 'failed' : 'completed');
    };
    const end = await charged(
      'number,amount,reference\n0244123451,50,Kofi\n0244123451,50,Ama\n0244123452,50,Esi',
    );
    const [question] = await desk.press(ama, end, 'Remind 2');
    expect(cardText(question)).toContain('Send 2 SMS?');
    const [rest] = await desk.press(ama, end, 'Ask again');
    await desk.press(ama, rest, 'Charge');
    await pass(30);
    await desk.press(ama, question, 'Send 2 SMS');
    await pass(20);
    expect(reminded()).toEqual([]);
    expect(cardText(desk.posted.at(-1)?.card)).toContain('2 left out');
  });

  it.each([
    ['paid', ['failed', 'completed']],
    ['has yet to pay', ['failed', 'pending']],
    ['paid at the third try', ['failed', 'failed', 'completed']],
  ] as const)(
    'are not those of whom one %s after a Change to another amount',
    async (_, states) => {
      desk.gateway.onStatus = (id) => {
        const at = desk.gateway.sent.findIndex(({ transactionId }) => transactionId === id);
        return statusOf(id, states[at] ?? 'failed', { amount: `${50 - at}.00` });
      };
      const end = await charged('number,amount\n0244123451,50');
      const [asked] = await desk.press(ama, end, 'Remind 1');
      for (let tried = 1; tried < states.length; tried++) {
        const failed = desk.gateway.sent.at(-1)?.transactionId ?? '';
        const card = cardOf('', [], { buttons: [pressButton('Change', 'change', failed)] });
        await desk.press(ama, card, 'Change');
        const [question] = await desk.submit(ama, { amount: `${50 - tried}` });
        await desk.press(ama, question, 'Charge');
        await pass(30);
      }
      // Neither by a dry run from before nor by one from now.
      expect(textOf(await desk.press(ama, end, 'Remind 1'))).toContain(NO_ONE);
      await desk.press(ama, asked, 'Send 1 SMS');
      await pass(20);
      expect(reminded()).toEqual([]);
    },
  );

  it('are reminded of a month also after they paid the next one', async () => {
    desk.gateway.onStatus = (id) => {
      const at = desk.gateway.sent.findIndex(({ transactionId }) => transactionId === id);
      const isPaid = at > 2 || desk.gateway.sent[at]?.customerNumber.endsWith('50') === true;
      return statusOf(id, isPaid ? 'completed' : 'failed');
    };
    const november = await charged();
    clock.jump(10 * DAY_MS);
    const [december] = await desk.press(ama, november, 'Ask these 3');
    await desk.press(ama, december, 'Charge 3');
    await pass(30);
    const [question] = await desk.press(ama, november, 'Remind 2');
    await desk.press(ama, question, 'Send 2 SMS');
    await pass(20);
    expect(reminded()).toEqual([FIRST, SECOND]);
  });

  it('are not those whom the Reminder of a card reminded that day, nor those without a clear outcome', async () => {
    desk.gateway.onStatus = (id) => statusOf(id, 'pending');
    await charged(fileOf(2));
    const { payments } = await store.listPayments({}, { limit: 2 });
    const [newest] = payments;
    const card = cardOf('', [], {
      buttons: [pressButton('Reminder', 'remind', newest?.id ?? '')],
    });
    await desk.press(ama, card, 'Reminder');
    await pass(5);
    expect(reminded()).toEqual([newest?.terms.customerNumber]);
    const [listed] = await desk.type(ama, 'payments', 'DUES.csv');
    expect(labels(listed)).toContain('Remind 2');
    const [question] = await desk.press(ama, listed, 'Remind 2');
    expect(cardText(question)).toContain('Send 1 SMS?');
  });

  it('are reminded once a day also where the Reminder of a card comes after that of the file', async () => {
    desk.gateway.onStatus = (id) => statusOf(id, 'pending');
    await charged(fileOf(1));
    const [listed] = await desk.type(ama, 'payments', 'dues.csv');
    const [question] = await desk.press(ama, listed, 'Remind 1');
    await desk.press(ama, question, 'Send 1 SMS');
    await pass(20);
    const { payments } = await store.listPayments({}, { limit: 1 });
    const button = pressButton('Reminder', 'remind', payments[0]?.id ?? '');
    const card = cardOf('', [], { buttons: [button] });
    const again = () => desk.press(ama, card, 'Reminder');
    expect(textOf(await again())).toContain('The customer was reminded today.');
    await pass(10);
    expect(reminded()).toHaveLength(1);
    clock.jump(DAY_MS);
    await again();
    await pass(10);
    expect(reminded()).toHaveLength(2);
  });

  it('are not reminded while what was paid after a backup may be missing', async () => {
    const end = await charged();
    await new ChargeFreeze(store).set({ backupAtMs: 1, sinceMs: 1 }, clock.now());
    expect(textOf(await desk.press(ama, end, 'Remind 2'))).toContain('Nothing is charged now');
  });

  it('are found by the name of the file, with a button, in /payments', async () => {
    await charged(fileOf(1), 'fees.csv');
    await charged('number,amount\n0244123451,50', 'dues.csv');
    const [listed] = await desk.type(ama, 'payments', 'dues.csv');
    expect(cardText(listed)).toContain('Payments for "dues.csv"');
    expect(cardText(listed)).toMatch(/1 failed/);
    expect(cardText(listed)).toContain('0 completed');
    expect(labels(listed)).toContain('Remind 1');
    const [paid] = await desk.type(ama, 'payments', 'fees.csv');
    expect(labels(paid).join()).not.toContain('Remind');
  });

  it('have no button without a template or at a merchant without a sender, and a late press says so', async () => {
    const end = await charged();
    await desk.engine.stop();
    desk = await openShop([]);
    useStatuses();
    expect(textOf(await desk.press(ama, end, 'Remind 2'))).toContain('switched off');
    const other = await charged('number,amount\n0244123452,50', 'fees.csv');
    expect(labels(other).join()).not.toContain('Remind');
  });

  it('of another merchant are not reminded', async () => {
    const end = await charged();
    await desk.engine.stop();
    desk = await openShop(undefined, 'tema');
    expect(textOf(await desk.press(ama, end, 'Remind 2'))).toContain('another merchant');
  });

  it('stay shortened for a colleague who reminds them', async () => {
    grants = { [kofi.id]: { reveal: false } };
    const end = await charged();
    const [question] = await desk.press(kofi, end, 'Remind 2', DIRECT);
    expect(cardText(question)).not.toContain('will read');
    await desk.press(kofi, question, 'Send 2 SMS', DIRECT);
    await pass(20);
    await desk.press(kofi, desk.posted.at(-1)?.card, 'Result');
    expect(await lastRows(desk)).toMatchObject([
      { number: '024 *** 3451', text: '' },
      { number: '024 *** 3452', text: '' },
    ]);
  });

  it('count in the day of the person who reminds them', async () => {
    grants = { [ama.id]: { dailySms: 1 } };
    const end = await charged();
    expect(textOf(await desk.press(ama, end, 'Remind 2'))).toContain('You may send 1 SMS a day');
  });
});
