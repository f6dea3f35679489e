import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { observedStore } from '../../../src/core/telemetry/observer.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, efua, kojo } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type Desk, type DeskInHand, deskInHand, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { storedPayments } from '../../support/stored-payments.ts';

const boss = { platform: 'slack', id: 'U0BOSS', name: 'Esi' };

const STOPPED = 'You are stopped and can do nothing here';

let { clock, store, desk } = {} as DeskInHand;
let grants: (person: Person) => Grants;

beforeEach(async () => {
  grants = ({ id }) => allGrants({ admin: id === boss.id, may: (name) => mayUse(id, name) });
  ({ clock, store, desk } = await deskInHand((person) => grants(person)));
});

const mayUse = (id: string, name: string): boolean =>
  ['suspend', 'reinstate'].includes(name) ? id === boss.id : true;
const type = async (person: Person, command: string, words = ''): Promise<string> =>
  (await desk.type(person, command, words)).map(cardText).join('\n');
const ask = async (person: Person, words = '0244123456 50'): Promise<Card | undefined> =>
  (await desk.type(person, 'charge', words))[0];
/** From now on this person's rights are these, beside what they are anyway. */
const alsoHas = ({ id }: Person, rights: () => Partial<Grants>) => {
  const before = grants;
  grants = (person) => ({ ...before(person), ...(person.id === id ? rights() : {}) });
};
/** On another instance, where `meanwhile` happens while a payment is on its way to the store. */
const slowDesk = (meanwhile: () => Promise<void>): Desk =>
  openDesk(
    {
      ...observedStore(store, () => () => {}),
      commit: async (change) => {
        if (change.put?.some(({ kind }) => kind === 'payment')) await meanwhile();
        return store.commit(change);
      },
    },
    clock,
    (person) => grants(person),
  );
/** What approvers are shown of a charge of Ama's that is above her limit. */
const askedAbove = async (at: Desk): Promise<Card | undefined> => {
  alsoHas(ama, () => ({ maxCharge: { amountMinor: 100, currency: 'GHS' } }));
  await at.press(ama, (await at.type(ama, 'charge', '0244123456 50'))[0], 'Charge');
  await at.runUntil(() => expect(at.posted).toHaveLength(1));
  return at.posted[0]?.card;
};
const confirmed = () => storedPayments(store);

describe('a suspended person', () => {
  it('may do nothing, is told by whom, and may again once that is taken back', async () => {
    expect(await type(boss, 'suspend', 'slack:U0AMA lost the phone')).toMatch(
      /^slack:U0AMA is stopped and can do nothing here/,
    );
    for (const command of ['charge', 'lookup', 'balance', 'payments', 'suspend'])
      expect(await type(ama, command)).toMatch(
        /^You are stopped and can do nothing here \| Nothing was done. Esi stopped you \(today \d\d:\d\d\)\. Ask Esi\./,
      );
    expect(await type(ama, 'whoami')).toContain('Stopped: by Esi');
    expect(await type(boss, 'suspend')).toMatch(
      /slack:U0AMA, by Esi, today \d\d:\d\d: lost the phone/,
    );
    await type(boss, 'reinstate', 'slack:U0AMA');
    expect((await ask(ama))?.title).toBe('Charge GHS 50.00?');
  });

  it('is stopped at a button that was shown before', { tags: ['T12'] }, async () => {
    const question = await ask(ama);
    await type(boss, 'suspend', 'U0AMA');
    const [answer] = await desk.press(ama, question, 'Charge');
    expect(answer?.title).toBe(STOPPED);
    expect(await confirmed()).toEqual([]);
  });

  it('is stopped when somebody approves what they had asked for', async () => {
    const question = await askedAbove(desk);
    await type(boss, 'suspend', 'U0AMA');
    expect(textOf(await desk.press(kojo, question, 'Approve'))).toContain(
      'ama is stopped. Nothing was charged. The owner can change that.',
    );
    expect(await confirmed()).toEqual([]);
  });

  it('approves nothing with a press that was on its way to the store', {
    tags: ['T12'],
  }, async () => {
    const meanwhile: (() => Promise<unknown>)[] = [];
    const slow = slowDesk(async () => void (await meanwhile.pop()?.()));
    const question = await askedAbove(slow);
    meanwhile.push(() => type(boss, 'suspend', 'U0KOJO'));
    const [answer] = await slow.press(kojo, question, 'Approve');
    expect(answer?.title).toBe(STOPPED);
    expect(await confirmed()).toEqual([]);
    expect((await slow.press(efua, question, 'Approve'))[0]?.title).toMatch(/^Approved/);
  });

  it('is not the only one: who lost the right to approve meanwhile approves nothing either', async () => {
    let mayApprove = true;
    const slow = slowDesk(async () => {
      if (!mayApprove) return;
      mayApprove = false;
      // Something else of the same requester came between, so everything is looked at again.
      const [other] = await desk.type(ama, 'charge', '0201234567 0.50', 'of the other instance');
      await desk.press(ama, other, 'Charge');
    });
    const question = await askedAbove(slow);
    alsoHas(kojo, () => ({ approve: mayApprove }));
    const [answer] = await slow.press(kojo, question, 'Approve');
    expect(answer?.title).toMatch(/^You cannot approve charges yet/);
    expect((await confirmed()).map(({ terms }) => terms.amount.amountMinor)).toEqual([50]);
  });

  it('stays it over restarts and on other instances', async () => {
    await type(boss, 'suspend', 'U0AMA');
    const other = openDesk(store, clock, (person) => grants(person));
    expect((await other.type(ama, 'charge', '0244123456 50'))[0]?.title).toBe(STOPPED);
  });

  it('does not slip through with a confirmation that was on its way to the store', {
    tags: ['T12'],
  }, async () => {
    const meanwhile: (() => Promise<unknown>)[] = [];
    const slow = slowDesk(async () => void (await meanwhile.pop()?.()));
    const [question] = await slow.type(ama, 'charge', '0244123456 50');
    meanwhile.push(() => type(boss, 'suspend', 'U0AMA'));
    expect(textOf(await slow.press(ama, question, 'Charge'))).toContain(
      'ama is stopped. Nothing was charged. The owner can change that.',
    );
    expect(await confirmed()).toEqual([]);
  });
});

describe('/suspend', () => {
  it('is for administrators alone, however many commands a role grants', async () => {
    expect(await type(kojo, 'suspend', 'U0AMA')).toMatch(/^You cannot stop people yet/);
    expect((await ask(ama))?.title).toBe('Charge GHS 50.00?');
  });

  it('takes an id, and a name only of a person who asked for payments here', async () => {
    for (const words of ['ama', '@ama', 'slack:ama', 'telegram:@ama', 'slack:C0SALES'])
      expect(await type(boss, 'suspend', words)).toContain('I know no one of that name here. Who?');
    for (const command of ['suspend', 'reinstate'])
      expect(await type(boss, command, 'ama')).toMatch(new RegExp(`\\| /${command} slack:U\\w+$`));
    expect(await type(boss, 'suspend', '@U0AMA')).toMatch(/^slack:U0AMA is stopped/);
    expect(await type(boss, 'suspend', 'telegram:1001')).toMatch(/^telegram:1001 is stopped/);
  });

  it('takes the name of a person who asked for payments, and says why they are stopped', async () => {
    await desk.press(ama, await ask(ama), 'Charge');
    expect(await type(boss, 'suspend', 'Ama lost the phone in Osu')).toMatch(
      /^@ama is stopped.*Id: slack:U0AMA, Why: lost the phone in Osu/,
    );
    expect(await type(boss, 'reinstate', 'ama')).toBe('@ama can work again');
  });

  it('takes a name in capitals for the name, not for an id that nobody has', async () => {
    const umar = { ...ama, id: 'U0UMAR', name: 'Umar' };
    await desk.press(umar, await ask(umar), 'Charge');
    expect(await type(boss, 'suspend', 'UMAR')).toMatch(/^@Umar is stopped.*Id: slack:U0UMAR/);
  });

  it('takes an id for the id, also where a person calls themselves by it', {
    tags: ['T86'],
  }, async () => {
    for (const [at, name] of ['slack:U0KOJO', '@U0KOJO', 'U0KOJO'].entries()) {
      const double = { ...ama, id: `U0DOUBLE${at}`, name };
      await desk.press(double, await ask(double), 'Charge');
    }
    await desk.press(kojo, await ask(kojo, '0201234567 50'), 'Charge');
    for (const typed of ['slack:U0KOJO', '@U0KOJO', 'U0KOJO']) {
      expect(await type(boss, 'suspend', `${typed} lost the phone`)).toMatch(
        /^@Kojo is stopped.*Id: slack:U0KOJO, Why: lost the phone/,
      );
      await type(boss, 'reinstate', 'slack:U0KOJO');
    }
  });

  it('offers people to press when it is typed alone', async () => {
    await desk.press(ama, await ask(ama), 'Charge');
    const [list] = await desk.type(boss, 'suspend', '');
    expect(list?.buttons?.map(({ label }) => label)).toEqual(['Stop ama']);
    const [stopped] = await desk.press(boss, list, 'Stop ama');
    expect(stopped?.title).toBe('@ama is stopped and can do nothing here.');
    const [again] = await desk.type(boss, 'suspend', '');
    expect(again?.buttons?.map(({ label }) => label)).toEqual(['Reinstate @ama']);
  });

  it('lists who is stopped in pages, newest first, each with a button that ends it', async () => {
    for (let n = 10; n < 22; n++) await type(boss, 'suspend', `U0P${n} why${n}`);
    const [list] = await desk.type(boss, 'reinstate', '');
    expect(cardText(list)).toMatch(/^Stopped \| slack:U0P21,.*: why12 · slack:U0P12$/);
    const [older] = await desk.press(boss, list, 'Older');
    const labels = older?.buttons?.map(({ label }) => label);
    expect(labels).toEqual(['Reinstate slack:U0P11', 'Reinstate slack:U0P10']);
    const [done] = await desk.press(boss, older, 'Reinstate slack:U0P10');
    expect(done?.title).toBe('slack:U0P10 can work again');
  });

  it('asks which one when several people have the name, by buttons', async () => {
    const other = { ...ama, id: 'U0AMA2' };
    await desk.press(ama, await ask(ama), 'Charge');
    clock.jump(1_000);
    await desk.press(other, await ask(other, '0244123457 60'), 'Charge');
    clock.jump(60_000);
    await desk.press(ama, await ask(ama, '0244123457 70'), 'Charge');
    const [who] = await desk.type(boss, 'suspend', 'ama');
    expect(cardText(who)).toMatch(/^Who\? \|/);
    expect(cardText(who)).not.toContain('U0AMA');
    const labels = who?.buttons?.map(({ label }) => label);
    expect(labels).toEqual(['Stop ama, today 09:01', 'Stop ama, today 09:00']);
    expect((await ask(ama))?.title).toMatch(/^Charge GHS/);
    const [refused] = await desk.press(kojo, who, 'Stop ama, today 09:01');
    expect(refused?.title).toBe('You cannot stop people yet');
    const [stopped] = await desk.press(boss, who, 'Stop ama, today 09:00');
    expect(cardText(stopped)).toContain('Id: slack:U0AMA2');
    const [back] = await desk.type(boss, 'reinstate', 'ama');
    await desk.press(boss, back, 'Reinstate ama, today 09:00');
    expect((await ask(other, '0244123457 60'))?.title).toMatch(/^Charge GHS/);
  });

  it('refuses oneself, and says when nothing changes', async () => {
    expect(await type(boss, 'suspend', 'U0BOSS')).toMatch(/^That is you/);
    expect(await type(boss, 'reinstate', 'U0AMA')).toMatch(/was not stopped/);
    await type(boss, 'suspend', 'U0AMA');
    expect(await type(boss, 'suspend', 'U0AMA')).toMatch(/is already stopped/);
    expect((await type(boss, 'suspend')).match(/by Esi/g)).toHaveLength(1);
  });

  it('names the person as their last payment has them, with the id to copy', async () => {
    await desk.press(ama, await ask(ama), 'Charge');
    const [stopped] = await desk.type(boss, 'suspend', 'U0AMA');
    expect(stopped?.title).toBe('@ama is stopped and can do nothing here.');
    expect(stopped?.parts).toEqual([
      { kind: 'facts', facts: [{ label: 'Id', value: 'slack:U0AMA', code: true }] },
    ]);
    expect(await type(boss, 'suspend')).toContain('@ama, by Esi, today');
    expect(await type(boss, 'reinstate', 'U0AMA')).toBe('@ama can work again');
  });

  it('is undone by the button below it, by a person who may, and is written down like the command', async () => {
    const [stopped] = await desk.type(boss, 'suspend', 'U0AMA');
    const [refused] = await desk.press(kojo, stopped, 'Undo');
    expect(refused?.title).toBe('You cannot let people work again yet');
    expect(await ask(ama).then((card) => card?.title)).toMatch(/^You are stopped/);
    expect((await desk.press(boss, stopped, 'Undo'))[0]?.title).toBe('slack:U0AMA can work again');
    expect((await ask(ama))?.title).toBe('Charge GHS 50.00?');
    expect(await store.auditOf('suspensions')).toMatchObject([
      { what: 'suspended', who: boss },
      { what: 'reinstated', who: boss, detail: { of: 'slack:U0AMA' } },
    ]);
  });

  it('stands in the audit trail with who, whom, where and why', async () => {
    await type(boss, 'suspend', 'U0AMA lost the phone');
    await type(boss, 'reinstate', 'U0AMA');
    expect(await store.auditOf('suspensions')).toMatchObject([
      { what: 'suspended', who: boss, detail: { of: 'slack:U0AMA', why: 'lost the phone' } },
      { what: 'reinstated', who: boss, detail: { of: 'slack:U0AMA' } },
    ]);
  });
});
