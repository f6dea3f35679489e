import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { ChargeFreeze } from '../../../src/core/guards/charge-freeze.ts';
import type { Draft } from '../../../src/core/records/draft.ts';
import { givenBackOf } from '../../../src/core/records/given-back.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { shortIdFrom } from '../../../src/core/values/transaction-id.ts';
import { removeRecord } from '../../../src/core/work/remove-record.ts';
import { ama, aPayment, efua, kojo, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { changePayment, storePayments } from '../../support/stored-payments.ts';

const ID = '01JD2M4X9QK7T3VB';
const finance = { platform: 'slack', channel: 'C0FINANCE' };
const ghs = (cedis: number) => ({ amountMinor: cedis * 100, currency: 'GHS' });

let { clock, store, desk } = {} as DeskInHand;
let grants: (person: Person) => Partial<Grants>;

beforeEach(async () => {
  grants = () => ({ may: (right) => right !== 'charge' });
  ({ clock, store, desk } = await deskInHand((person) => allGrants(grants(person))));
  const { due: _, ...paid } = aPayment({ state: 'completed', settledAtMs: 2_000 });
  await storePayments(store, [{ ...paid, card: { conversation: shop, message: '1.0' } }]);
});

const stored = async (): Promise<Payment> => (await store.get('payment', ID)) ?? aPayment();
const given = async () => (await stored()).givenBack ?? [];
const told = (cards: readonly Card[]): string => cards.map(cardText).join('\n');
const card = async (): Promise<Card> => paymentCard(await stored(), 'UTC');
const details = async (person = ama): Promise<Card | undefined> =>
  (await desk.press(person, await card(), 'Details'))[0];
const labels = ({ buttons = [] }: Card): string[] => buttons.map(({ label }) => label);
/** Opens the form as Details do; what was said instead of it. */
const open = async (person = ama, where = shop) =>
  desk.press(person, await details(person), 'Given back', where);
const write = (amount: string, reason = 'Wrong size', person = ama, where = shop, event?: string) =>
  desk.submit(person, { amount, reason }, where, event);
const rows = async () =>
  (await store.auditOf(ID)).filter(({ what, kind }) => kind === 'payment' && what === 'given back');

describe('money that was given back by hand', () => {
  it('is written down once with its reason, its audit row and nothing sent; card and Details say what is left', async () => {
    await open();
    expect(desk.asked.at(-1)?.form.fields[0]?.reason?.(desk.asked.at(-1)?.answers ?? {})).toBe(
      'At most GHS 50.00. Nothing is sent to the payment service.',
    );
    const requests = desk.gateway.sent.length;
    expect(told(await write('20'))).toBe(
      'Written down: GHS 20.00 given back | Nothing was sent to the payment service. Give the customer the money yourself. | Net GHS 30.00 of GHS 50.00.',
    );
    expect(await given()).toMatchObject([
      { amountMinor: 2_000, reason: 'Wrong size', by: ama, atMs: clock.now() },
    ]);
    expect(await rows()).toMatchObject([
      { who: ama, before: 'completed', after: 'completed', detail: { amount: ghs(20) } },
    ]);
    expect(cardText(await card())).toMatch(
      /GHS 20\.00 given back by hand, not by the payment service\. Net GHS 30\.00\./,
    );
    expect(cardText(await details())).toContain(
      'GHS 20.00 given back today 09:00 by ama: Wrong size',
    );
    await desk.runUntil(() => expect(desk.edits).toHaveLength(1));
    expect(cardText(desk.edits[0]?.card)).toContain('Net GHS 30.00');
    expect(desk.gateway.sent).toHaveLength(requests);
  });

  it('is never more than what is left, and the form comes back to be corrected', async () => {
    await open();
    expect(told(await write('50.01'))).toContain('At most GHS 50.00 is left to give back.');
    await open();
    await write('30');
    // A form that was opened before says what was left then.
    const [answer] = await write('30');
    expect(cardText(answer)).toContain('At most GHS 20.00 is left to give back.');
    expect(labels(answer as Card)).toEqual(['Correct it']);
    await write('20');
    expect(givenBackOf(await stored())).toEqual(ghs(50));
    expect(told(await write('1'))).toMatch(/^Nothing is left to give back/);
    expect(labels((await details()) as Card)).not.toContain('Given back');
    expect(await rows()).toHaveLength(2);
  });

  it('says what was written down where its event comes again after its question was removed', {
    tags: ['F100'],
  }, async () => {
    await open();
    await write('20', 'Wrong size', ama, shop, 'e1');
    const draft = (await store.get('draft', shortIdFrom('e1'))) as Draft;
    await removeRecord(store, { kind: 'draft', record: draft });
    expect(told(await write('20', 'Wrong size', ama, shop, 'e1'))).toMatch(
      /^Written down: GHS 20\.00 given back .* Net GHS 30\.00 of GHS 50\.00\.$/,
    );
    expect(await given()).toHaveLength(1);
  });

  it('counts once where its event is delivered twice, and of two presses at once no more than is left', {
    tags: ['F100', 'T90'],
  }, async () => {
    await open();
    const twice = [
      await write('20', 'a', ama, shop, 'E1'),
      await write('20', 'a', ama, shop, 'E1'),
    ];
    expect(told(twice.flat())).toMatch(/Written down[\s\S]*Written down/);
    expect(givenBackOf(await stored())).toEqual(ghs(20));
    // Two instances with one store.
    const other = openDesk(store, clock, (person) => allGrants(grants(person)));
    await other.press(efua, (await other.press(efua, await card(), 'Details'))[0], 'Given back');
    const answers = await Promise.all([
      write('30', 'b', ama, shop, 'E2'),
      other.submit(efua, { amount: '30', reason: 'c' }, shop, 'E3'),
    ]);
    expect(told(answers.flat())).toMatch(/is left/);
    expect(givenBackOf(await stored())).toEqual(ghs(50));
    expect(await rows()).toHaveLength(2);
  });

  it.each([
    ['USD 5', /The customer paid in GHS/],
    ['0', /more than zero/],
    ['-5', /more than zero/],
    ['20 30', /more than one number/],
  ])('is asked for again where the amount is %s', async (amount, answer) => {
    await open();
    expect(told(await write(amount))).toMatch(answer);
    expect(await given()).toEqual([]);
  });

  it('needs a reason of 200 characters at most, without a card number', async () => {
    await open();
    expect(told(await write('5', ' '))).toContain('Please fill this in.');
    expect(told(await write('5', 'x'.repeat(201)))).toContain('200 characters at most');
    expect(told(await write('5', 'card 4111 1111 1111 1111'))).toMatch(/card number/i);
    expect(await given()).toEqual([]);
  });

  it('needs the right refund, at the press and at the end, also where the button is forged', {
    tags: ['T90'],
  }, async () => {
    await open();
    const button = await details();
    grants = () => ({ may: (right) => right !== 'refund' });
    expect(labels((await details()) as Card)).not.toContain('Given back');
    expect(told(await desk.press(ama, button, 'Given back'))).toMatch(
      /^You cannot write down what was given back yet/,
    );
    expect(told(await write('5'))).toMatch(/^You cannot write down what was given back yet/);
    expect(await given()).toEqual([]);
  });

  it('has Correct it for people who have the right refund and may not see payments', async () => {
    await open();
    grants = () => ({ may: (right) => right === 'refund' });
    const [answer] = await write('5000');
    expect(told(await desk.press(ama, answer, 'Correct it'))).toBe('');
    expect(desk.asked.at(-1)?.answers).toMatchObject({ amount: '5000', left: 'GHS 50.00' });
    // The command of the form still needs its own right.
    const id = answer?.buttons?.[0];
    const forged = { ...answer, buttons: [{ ...id, verb: 'retype' }] } as Card;
    expect(told(await desk.press(ama, forged, 'Correct it'))).toMatch(/^You cannot .* yet/);
  });

  it('is not written down by a person who is stopped at this moment', {
    tags: ['T90'],
  }, async () => {
    await open();
    let calls = 0;
    // Stopped after the event was let in.
    grants = () => ({ may: () => ++calls < 2 });
    expect(told(await write('5'))).toMatch(/ama may no longer write down what was given back/);
    expect(await given()).toEqual([]);
  });

  it.each(['pending', 'unknown', 'failed', 'refused', 'not sent'] as const)(
    'is of a completed payment, not of one that is %s',
    async (state) => {
      const button = await details();
      await open();
      await changePayment(store, ID, { state });
      expect(labels((await details()) as Card)).not.toContain('Given back');
      expect(told(await desk.press(ama, button, 'Given back'))).toMatch(/has not paid this/);
      expect(told(await write('5'))).toMatch(/has not paid this/);
      expect(await given()).toEqual([]);
    },
  );

  it('is not of a payment that the payment service contradicts, also where it did so meanwhile', {
    tags: ['T90'],
  }, async () => {
    await open();
    await write('5');
    await open();
    await changePayment(store, ID, { flag: 'conflict', reason: 'The service says now: failed.' });
    const said = told(await write('5'));
    expect(said).toMatch(
      /^Perhaps the customer has not paid this \| Nothing can be written down\./,
    );
    expect(told(await open())).toBe(said);
    expect(await given()).toHaveLength(1);
    expect(cardText(await card())).toMatch(/ask the payment service.*Net GHS 45\.00/);
  });

  it('waits while charges wait for a restore to be looked into', async () => {
    await open();
    const nowMs = clock.now();
    await new ChargeFreeze(store).set({ sinceMs: nowMs, backupAtMs: nowMs }, nowMs);
    expect(told(await write('5'))).toMatch(/^Not possible now/);
    expect(await given()).toEqual([]);
  });

  it('of a payment from before a restore asks to look first whether it was given back since', async () => {
    const nowMs = clock.now();
    const mark = { sinceMs: nowMs, backupAtMs: nowMs - 60_000 };
    const freeze = new ChargeFreeze(store);
    await freeze.set(mark, nowMs);
    await freeze.lift(mark, nowMs, {});
    clock.jump(60_000);
    await open();
    const { form, answers } = desk.asked.at(-1) ?? {};
    expect(form?.fields[0]?.reason?.(answers ?? {})).toMatch(
      /payment service\. Restored from a backup of .*08:59\. Look first whether it was given back since\.$/,
    );
    grants = ({ id }) => (id === ama.id ? { maxCharge: ghs(10) } : {});
    await write('30');
    await desk.runUntil(() => expect(desk.posted).toHaveLength(1));
    expect(cardText(desk.posted[0]?.card)).toContain('Look first whether it was given back since.');
    const now = { ...(await stored()), confirmedAtMs: clock.now() };
    await changePayment(store, ID, now);
    await open();
    expect(JSON.stringify(desk.asked.at(-1)?.answers)).not.toContain('backup');
  });
});

describe('more than the limit of the person who gave it back', () => {
  beforeEach(() => {
    grants = ({ id }) =>
      id === kojo.id
        ? { approve: false }
        : id === ama.id
          ? { maxCharge: ghs(10), approve: true, approvalsIn: finance.channel }
          : {};
  });

  const asked = async (amount = '30'): Promise<Card | undefined> => {
    await open();
    expect(told(await write(amount))).toMatch(/^Waiting for approval/);
    const questions = () =>
      desk.posted.filter(({ card: { title } }) => /asks to give back/.test(title));
    const before = questions().length;
    await desk.runUntil(() => expect(questions()).toHaveLength(before + 1));
    return questions()[before]?.card;
  };

  it('is written down once another person approves it, who reads the reason, and the requester is told', {
    tags: ['T90'],
  }, async () => {
    const question = await asked();
    expect(cardText(question)).toMatch(
      /^ama asks to give back GHS 30\.00 .*Wrong size.*Above their limit of GHS 10\.00/,
    );
    expect(await given()).toEqual([]);
    expect(told(await desk.press(ama, question, 'Approve', finance))).toMatch(
      /^You asked for this \| Only Efua can approve this\./,
    );
    expect(told(await desk.press(kojo, question, 'Approve', finance))).toMatch(/^You cannot/);
    expect(await given()).toEqual([]);
    expect(told(await desk.press(efua, question, 'Approve', finance))).toMatch(
      /^Approved for ama: GHS 30\.00 back/,
    );
    expect(await given()).toMatchObject([{ amountMinor: 3_000, by: ama, approver: efua }]);
    expect(await rows()).toMatchObject([{ who: efua }]);
    expect(told(await desk.press(efua, question, 'Approve', finance))).toMatch(/written down once/);
    expect(await given()).toHaveLength(1);
    await desk.runUntil(() => expect(desk.posted).toHaveLength(2));
    expect(cardText(desk.posted[1]?.card)).toMatch(
      /^Approved: GHS 30\.00 back to Kofi M\. \| Efua approved it/,
    );
    expect(desk.posted[1]?.card.mention).toEqual(ama);
  });

  it('is written down once where two approve it at one moment, on two instances', {
    tags: ['F100'],
  }, async () => {
    const question = await asked();
    const other = openDesk(store, clock, (person) => allGrants(grants(person)));
    const aba = { ...efua, id: 'U0ABA', name: 'Aba' };
    const answers = await Promise.all([
      desk.press(efua, question, 'Approve', finance),
      other.press(aba, question, 'Approve', finance),
    ]);
    expect(told(answers.flat())).toMatch(
      /Approved for ama: GHS 30[\s\S]*Already approved|Already approved[\s\S]*Approved for ama: GHS 30/,
    );
    expect(await given()).toHaveLength(1);
  });

  it('is approved however it is split', { tags: ['T90'] }, async () => {
    await open();
    expect(told(await write('6'))).toMatch(/^Written down/);
    const question = await asked('6');
    expect(cardText(question)).toContain(
      'With GHS 6.00 given back before: GHS 12.00, above their limit of GHS 10.00.',
    );
    expect(await given()).toHaveLength(1);
    await desk.press(efua, question, 'Approve', finance);
    // What was approved does not count against the limit once more.
    await open();
    expect(told(await write('4'))).toMatch(/^Written down/);
    expect(givenBackOf(await stored())).toEqual(ghs(16));
  });

  it('is approved where two people split it at one moment, on two instances', {
    tags: ['T90'],
  }, async () => {
    grants = () => ({ maxCharge: ghs(10) });
    const other = openDesk(store, clock, (person) => allGrants(grants(person)));
    await open();
    await other.press(kojo, (await other.press(kojo, await card(), 'Details'))[0], 'Given back');
    const answers = await Promise.all([
      write('6', 'a', ama, shop, 'E1'),
      other.submit(kojo, { amount: '6', reason: 'b' }, shop, 'E2'),
    ]);
    expect(
      answers
        .flat()
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(['Waiting for approval', 'Written down: GHS 6.00 given back']);
    expect(givenBackOf(await stored())).toEqual(ghs(6));
  });

  it('is not written down where it is refused, out of time, or no longer left', async () => {
    const first = await asked();
    expect(told(await desk.press(efua, first, 'Refuse', finance))).toMatch(
      /Nothing was written down/,
    );
    const second = await asked();
    clock.jump(600_000);
    expect(told(await desk.press(efua, second, 'Approve', finance))).toMatch(
      /^Too late[\s\S]*Nothing was written down/,
    );
    const [third, fourth] = [await asked('30'), await asked('40')];
    await desk.press(efua, third, 'Approve', finance);
    expect(told(await desk.press(efua, fourth, 'Approve', finance))).toMatch(
      /^More than is left[\s\S]*At most GHS 20\.00/,
    );
    expect(givenBackOf(await stored())).toEqual(ghs(30));
  });

  it('is not written down where the payment service contradicted the payment meanwhile', {
    tags: ['T90'],
  }, async () => {
    const question = await asked();
    await changePayment(store, ID, { flag: 'conflict', reason: 'The service says now: failed.' });
    expect(told(await desk.press(efua, question, 'Approve', finance))).toMatch(
      /^Perhaps the customer has not paid this/,
    );
    expect(await given()).toEqual([]);
  });

  it('is not written down for a person who lost the right meanwhile', {
    tags: ['T90'],
  }, async () => {
    const question = await asked();
    grants = ({ id }) => (id === ama.id ? { may: (right) => right !== 'refund' } : {});
    expect(told(await desk.press(efua, question, 'Approve', finance))).toMatch(
      /ama may no longer write down what was given back/,
    );
    expect(await given()).toEqual([]);
  });

  it('says that it cannot be approved where no approver can be reached', async () => {
    grants = ({ id }) => (id === ama.id ? { maxCharge: ghs(10) } : { approve: false });
    await open();
    expect(told(await write('30'))).toMatch(
      /^Nothing was written down \| GHS 30\.00 is above your limit of GHS 10\.00\./,
    );
    expect(await given()).toEqual([]);
  });

  it('in parts is told as their sum to the person who gave it back', async () => {
    await open();
    await write('8');
    await open();
    const sum = 'With GHS 8.00 given back before: GHS 13.00, above your limit of GHS 10.00.';
    expect(told(await write('5'))).toContain(`Waiting for approval | ${sum}`);
    grants = ({ id }) => (id === ama.id ? { maxCharge: ghs(10) } : { approve: false });
    await open();
    expect(told(await write('5'))).toContain(`Nothing was written down | ${sum}`);
  });
});
