import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Payment, PaymentState } from '../../../src/core/records/payment.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { changePayment, storedPayments } from '../../support/stored-payments.ts';

const DAY_MS = 86_400_000;
const ghs = (cedis: number) => ({ amountMinor: cedis * 100, currency: 'GHS' });
const people: readonly Person[] = Array.from({ length: 50 }, (_, at) => ({
  platform: 'slack',
  id: `U${1000 + at}`,
  name: `Seller ${at}`,
}));
const [kojo = ama, efua = ama] = people;

let grants: (person: Person) => Grants;
let { clock, store, desk } = {} as DeskInHand;

beforeEach(async () => {
  grants = () => allGrants();
  ({ clock, store, desk } = await deskInHand((person) => grants(person)));
});

const confirmed = () => storedPayments(store);
const totalCedis = async (): Promise<number> =>
  (await confirmed()).reduce((sum, { terms }) => sum + terms.amount.amountMinor, 0) / 100;
const numberOf = (at: number): string => `024412${String(1000 + at)}`;
const ask = async (person: Person, words: string): Promise<Card | undefined> =>
  (await desk.type(person, 'charge', words))[0];
const charge = async (person: Person, cedis: number, at = 0): Promise<string> => {
  const question = await ask(person, `${numberOf(at)} ${cedis}`);
  const isAsked = question?.buttons?.some(({ label }) => label.startsWith('Charge'));
  if (isAsked !== true) return cardText(question);
  return textOf(await desk.press(person, question, 'Charge'));
};
const end = ({ id }: Payment, state: PaymentState) => changePayment(store, id, { state });

describe('the daily total of a role', () => {
  const sales = (dailyTotal = ghs(100)) => allGrants({ charging: [{ role: 'sales', dailyTotal }] });

  it('is of all who hold it, and says whose it is and what is used', async () => {
    grants = () => sales();
    await charge(ama, 60, 1);
    expect(await charge(kojo, 50, 2)).toMatch(
      /the role "sales" may charge GHS 100\.00 a day\. GHS 60\.00 is used today\. GHS 40\.00 is left\. The owner can raise it\./,
    );
    expect(await charge(kojo, 40, 3)).toMatch(/^Confirmed/);
    expect(await totalCedis()).toBe(100);
  });

  it('is free again for what failed or was refused, and on the next day of the shop', async () => {
    grants = () => sales();
    for (const state of ['failed', 'refused'] as const) {
      await charge(ama, 100, 1);
      const [newest] = await confirmed();
      if (newest === undefined) throw new Error('nothing was confirmed');
      await end(newest, state);
      clock.jump(1_000);
    }
    expect(await charge(ama, 100, 2)).toMatch(/^Confirmed/);
    expect(await charge(ama, 1, 3)).toContain('may charge GHS 100.00 a day');
    clock.jump(DAY_MS);
    expect(await charge(ama, 1, 4)).toMatch(/^Confirmed/);
  });

  it('counts a charge against one role alone, the one with the most room', async () => {
    const charging = [
      { role: 'sales', dailyTotal: ghs(100) },
      { role: 'events', dailyTotal: ghs(150) },
    ];
    grants = () => allGrants({ charging });
    await charge(ama, 120, 1);
    clock.jump(1_000);
    await charge(ama, 80, 2);
    expect((await confirmed()).map(({ countedFor }) => countedFor)).toEqual(['sales', 'events']);
    expect(await charge(ama, 50, 3)).toContain('role "events"');
  });

  it('binds nobody who also holds a role without one', async () => {
    grants = () =>
      allGrants({ charging: [{ role: 'sales', dailyTotal: ghs(1) }, { role: 'boss' }] });
    expect(await charge(ama, 50, 1)).toMatch(/^Confirmed/);
  });

  it('in another currency cannot be compared, so nothing is charged', async () => {
    grants = () => sales();
    expect(await charge(ama, 0, 1)).not.toMatch(/^Confirmed/);
    expect(cardText(await ask(ama, '0244123456 5 USD'))).toContain('is in GHS, not in USD');
  });

  it('has room for one of two people who press at one moment, on two instances', {
    tags: ['T8'],
  }, async () => {
    grants = () => sales(ghs(15));
    const other = openDesk(store, clock, (person) => grants(person));
    const [theirs, hers] = await Promise.all([
      ask(kojo, `${numberOf(1)} 10`),
      ask(efua, `${numberOf(2)} 10`),
    ]);
    await Promise.all([desk.press(kojo, theirs, 'Charge'), other.press(efua, hers, 'Charge')]);
    expect(await totalCedis()).toBe(10);
  });

  it('is not exceeded by 50 people who press at one moment, on two instances', async () => {
    grants = () => sales(ghs(205));
    const other = openDesk(store, clock, (person) => grants(person));
    const questions = await Promise.all(
      people.map((person, at) => ask(person, `${numberOf(at)} 10`)),
    );
    await Promise.all(
      people.map((person, at) =>
        (at % 2 === 0 ? desk : other).press(person, questions[at], 'Charge'),
      ),
    );
    expect(await totalCedis()).toBe(200);
  });
});

describe('a limit', () => {
  it('is looked up in one sum, however many payments the day has and however many roles', async () => {
    for (let at = 0; at < 30; at++) {
      const { due: _, ...base } = aPayment();
      const id = newTransactionId(clock.now());
      const record = { ...base, id, confirmedAtMs: clock.now(), countedFor: `role ${at % 3}` };
      await store.commit({ put: [{ kind: 'payment', record: { ...record, state: 'completed' } }] });
    }
    const calls: string[] = [];
    const watched = new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          calls.push(String(name));
          return value.apply(target, args);
        };
      },
    });
    const counted = openDesk(watched, clock, (person) => grants(person));
    const callsOf = async (at: number): Promise<string[]> => {
      calls.length = 0;
      await counted.type(kojo, 'charge', `${numberOf(at)} 1`);
      return calls.filter((name) => /listPayments|paymentFigures/.test(name)).toSorted();
    };
    const without = await callsOf(1);
    grants = () =>
      allGrants({
        dailyLimit: ghs(1_000),
        charging: [0, 1, 2].map((at) => ({ role: `role ${at}`, dailyTotal: ghs(1_000) })),
      });
    expect(await callsOf(2)).toEqual([...without, 'paymentFigures', 'paymentFigures']);
  });

  it('is not exceeded by sums that are too large to be exact', async () => {
    const record = { ...aPayment(), confirmedAtMs: clock.now(), countedFor: 'sales' };
    const amount = { amountMinor: Number.MAX_SAFE_INTEGER, currency: 'GHS' };
    const put = [1, 2].map((at) => ({
      kind: 'payment' as const,
      record: { ...record, id: `P${at}`, terms: { ...record.terms, amount } },
    }));
    await store.commit({ put });
    grants = () => allGrants({ charging: [{ role: 'sales', dailyTotal: ghs(1_000) }] });
    expect(cardText(await ask(kojo, `${numberOf(1)} 5`))).toContain(
      'may charge GHS 1,000.00 a day',
    );
  });
});

describe('the daily limit of a person', () => {
  it('is not exceeded by 50 presses at one moment, on two instances', async () => {
    grants = () => allGrants({ dailyLimit: ghs(205) });
    const other = openDesk(store, clock, (person) => grants(person));
    const questions = await Promise.all(people.map((_, at) => ask(kojo, `${numberOf(at)} 10`)));
    await Promise.all(
      questions.map((question, at) =>
        (at % 2 === 0 ? desk : other).press(kojo, question, 'Charge'),
      ),
    );
    expect(await totalCedis()).toBe(200);
  });
});

describe('a charge that the service contradicts', () => {
  const contradicted = (payment: Payment | undefined, state: PaymentState) =>
    changePayment(store, payment?.id ?? '', { state, flag: 'conflict' });

  it.each(['failed', 'refused', 'not sent'] as const)(
    'counts against the day of the person and of the role when it is recorded as %s',
    async (state) => {
      const whose = [
        allGrants({ dailyLimit: ghs(100) }),
        allGrants({ charging: [{ role: 'sales', dailyTotal: ghs(100) }] }),
      ];
      for (const [at, each] of whose.entries()) {
        grants = () => each;
        const person = people[10 + at] ?? ama;
        await charge(person, 60, 2 * at);
        await contradicted((await confirmed())[0], state);
        expect(await charge(person, 50, 2 * at + 1)).toContain('GHS 60.00 is used today');
      }
    },
  );
});

describe('the SMS parts of a day', () => {
  const text = 'We open at eight.';
  const preview = async (person: Person, numbers: readonly string[]): Promise<Card | undefined> =>
    (await desk.type(person, 'sms', `${numbers.join(',')} ${text}`))[0];
  const send = async (person: Person, numbers: readonly string[]): Promise<string> => {
    const question = await preview(person, numbers);
    if (question?.buttons === undefined) return cardText(question);
    return textOf(await desk.press(person, question, 'Send'));
  };
  const three = [1, 2, 3].map(numberOf);

  beforeEach(() => {
    grants = () => allGrants({ dailySms: 5 });
  });

  it('are counted per person, and a message that does not fit is refused with the numbers', async () => {
    expect(await send(ama, three)).toMatch(/^The SMS is being sent/);
    expect(await send(ama, three)).toMatch(
      /You may send 5 SMS a day\. Used today: 3\. Left: 2\. This costs 3 SMS\. The owner can raise it\./,
    );
    expect(await send(kojo, three)).toMatch(/^The SMS is being sent/);
    clock.jump(DAY_MS);
    expect(await send(ama, three)).toMatch(/^The SMS is being sent/);
  });

  it('are free again when the service refused them', async () => {
    desk.gateway.onSms = () => ({ kind: 'refused', answer: {}, reason: 'No SMS are left.' });
    onTestFinished(() => desk.engine.stop());
    await desk.engine.start();
    await send(ama, three);
    for (let step = 0; step < 10; step++) await clock.advance(200);
    expect(desk.gateway.texted).toHaveLength(1);
    expect(await send(ama, three)).toMatch(/^The SMS is being sent/);
  });

  it('are not exceeded by presses at one moment, on two instances', async () => {
    const other = openDesk(store, clock, (person) => grants(person));
    const questions = await Promise.all(people.map((_, at) => preview(efua, [numberOf(at)])));
    const answers = await Promise.all(
      questions.map((question, at) => (at % 2 === 0 ? desk : other).press(efua, question, 'Send')),
    );
    expect(answers.flat().filter(({ title }) => title === 'The SMS is being sent')).toHaveLength(5);
  });

  it('0 means none, and "no limit" wins over any', async () => {
    grants = () => allGrants({ dailySms: 0 });
    expect(await send(ama, three)).toContain('You may send 0 SMS a day');
    grants = () => allGrants();
    expect(await send(ama, three)).toMatch(/^The SMS is being sent/);
  });
});

describe('a question that is pressed in another conversation than its own', {
  tags: ['T68'],
}, () => {
  const office = { platform: 'slack', channel: 'C0OFFICE' };

  it('is refused, whatever the person may do there, and can be pressed where it was asked', async () => {
    const till = allGrants({ maxCharge: ghs(500), dailySms: 1 });
    desk = openDesk(store, clock, ({ conversation }) =>
      conversation.channel === office.channel ? allGrants() : till,
    );
    const charge = await ask(ama, '0244123456 9000');
    const [sms] = await desk.type(ama, 'sms', '0244123456 Ready');
    for (const [question, label] of [
      [charge, 'Charge'],
      [sms, 'Send'],
      [charge, 'Cancel'],
    ] as const) {
      expect(textOf(await desk.press(ama, question, label, office))).toMatch(
        /^You asked this in another conversation \| Nothing was done/,
      );
    }
    expect([await confirmed(), desk.gateway.texted]).toEqual([[], []]);
    expect(textOf(await desk.press(ama, charge, 'Charge'))).toMatch(/^Waiting for approval/);
    expect(textOf(await desk.press(ama, sms, 'Send'))).toMatch(/^The SMS is being sent/);
  });

  it('counts for the limit that is in force when it is confirmed, not the one at the press', async () => {
    let looked = 0;
    // The limit comes into the file while the press is on its way.
    grants = () => (looked++ < 5 ? allGrants() : allGrants({ maxCharge: ghs(500) }));
    const question = await ask(ama, '0244123456 9000');
    looked = 4;
    expect(textOf(await desk.press(ama, question, 'Charge'))).toMatch(/^Waiting for approval/);
    expect(await confirmed()).toEqual([]);
  });
});
