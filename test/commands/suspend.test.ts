import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../src/commands/access.ts';
import type { Card } from '../../src/commands/card.ts';
import type { Person } from '../../src/core/conversation.ts';
import type { Store } from '../../src/core/store/store.ts';
import { watchedCommits } from '../../src/core/store/watched-commits.ts';
import { ama } from '../support/a-payment.ts';
import { cardText } from '../support/card-text.ts';
import { type Desk, openDesk } from '../support/desk.ts';
import { allGrants } from '../support/grants.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';

const boss = { platform: 'slack', id: 'U0BOSS', name: 'Esi' };
const kojo = { platform: 'slack', id: 'U0KOJO', name: 'Kojo' };

let clock: ManualClock;
let store: Store;
let desk: Desk;
let grants: (person: Person) => Grants;

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore(clock);
  grants = ({ id }) => allGrants({ admin: id === boss.id, may: (name) => mayUse(id, name) });
  desk = openDesk(store, clock, (person) => grants(person));
});

const mayUse = (id: string, name: string): boolean =>
  ['suspend', 'reinstate'].includes(name) ? id === boss.id : true;
const type = async (person: Person, command: string, words = ''): Promise<string> =>
  (await desk.type(person, command, words)).map(cardText).join('\n');
const ask = async (person: Person, words = '0244123456 50'): Promise<Card | undefined> =>
  (await desk.type(person, 'charge', words))[0];
const confirmed = async () => (await store.listPayments({}, { limit: 10 })).payments;

describe('a suspended person', () => {
  it('may do nothing, is told by whom, and may again once that is taken back', async () => {
    expect(await type(boss, 'suspend', 'slack:U0AMA lost the phone')).toMatch(
      /^slack:U0AMA is suspended/,
    );
    for (const command of ['charge', 'lookup', 'balance', 'payments', 'suspend'])
      expect(await type(ama, command)).toMatch(/^You are suspended here \| Esi did that at/);
    expect(await type(ama, 'whoami')).toContain('Suspended: by Esi');
    expect(await type(boss, 'suspend')).toMatch(/slack:U0AMA, by Esi at .*: lost the phone/);
    await type(boss, 'reinstate', 'slack:U0AMA');
    expect((await ask(ama))?.title).toBe('Charge GHS 50.00?');
  });

  it('is stopped at a button that was shown before', async () => {
    const question = await ask(ama);
    await type(boss, 'suspend', 'U0AMA');
    const [answer] = await desk.press(ama, question, 'Charge');
    expect(answer?.title).toBe('You are suspended here');
    expect(await confirmed()).toEqual([]);
  });

  it('is stopped when somebody approves what they had asked for', async () => {
    const limited = grants;
    grants = (person) => ({
      ...limited(person),
      ...(person.id === ama.id ? { maxCharge: { amountMinor: 100, currency: 'GHS' } } : {}),
    });
    await desk.press(ama, await ask(ama), 'Charge');
    await desk.engine.start();
    await expect.poll(() => desk.posted.length).toBe(1);
    await desk.engine.stop();
    await type(boss, 'suspend', 'U0AMA');
    const [answer] = await desk.press(kojo, desk.posted[0]?.card, 'Approve');
    expect(cardText(answer as Card)).toContain('ama has been suspended. Nothing was charged.');
    expect(await confirmed()).toEqual([]);
  });

  it('stays it over restarts and on other instances', async () => {
    await type(boss, 'suspend', 'U0AMA');
    const other = openDesk(store, clock, (person) => grants(person));
    expect((await other.type(ama, 'charge', '0244123456 50'))[0]?.title).toBe(
      'You are suspended here',
    );
  });

  it('does not slip through with a confirmation that was on its way to the store', async () => {
    let meanwhile = async () => {};
    const slowStore: Store = {
      ...watchedCommits(store, () => () => {}),
      commit: async (change) => {
        if (change.put?.some(({ kind }) => kind === 'payment')) await meanwhile();
        return store.commit(change);
      },
    };
    const slow = openDesk(slowStore, clock, (person) => grants(person));
    const [question] = await slow.type(ama, 'charge', '0244123456 50');
    meanwhile = async () => {
      meanwhile = async () => {};
      await type(boss, 'suspend', 'U0AMA');
    };
    const [answer] = await slow.press(ama, question, 'Charge');
    expect(answer && cardText(answer)).toContain('ama has been suspended. Nothing was charged.');
    expect(await confirmed()).toEqual([]);
  });
});

describe('/suspend', () => {
  it('is for administrators alone, however many commands a role grants', async () => {
    expect(await type(kojo, 'suspend', 'U0AMA')).toMatch(/^You may not use \/suspend here/);
    expect((await ask(ama))?.title).toBe('Charge GHS 50.00?');
  });

  it('names people by id: a name could be anybody', async () => {
    for (const words of ['ama', '@ama', 'slack:ama', 'telegram:@ama', 'slack:C0SALES'])
      expect(await type(boss, 'suspend', words)).toContain('names can be copied');
    expect(await type(boss, 'suspend', '@U0AMA')).toMatch(/^slack:U0AMA is suspended/);
    expect(await type(boss, 'suspend', 'telegram:1001')).toMatch(/^telegram:1001 is suspended/);
  });

  it('refuses oneself, and says when nothing changes', async () => {
    expect(await type(boss, 'suspend', 'U0BOSS')).toMatch(/^That is you/);
    expect(await type(boss, 'reinstate', 'U0AMA')).toMatch(/was not suspended/);
    await type(boss, 'suspend', 'U0AMA');
    expect(await type(boss, 'suspend', 'U0AMA')).toMatch(/is suspended already/);
    expect(await type(boss, 'suspend')).not.toMatch(/U0AMA.*U0AMA/);
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
