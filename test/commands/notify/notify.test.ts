import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { NO_RULES, type ToldRules } from '../../../src/core/records/notify-rules.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama, aPayment, kojo } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const FINANCE = { platform: 'slack', channel: 'C0FINANCE' };
const DAY_MS = 24 * 3_600_000;

let clock: ManualClock;
let store: Store;
let rules: ToldRules;

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore();
  rules = NO_RULES;
});

const open = (): Desk =>
  openDesk(store, clock, undefined, undefined, undefined, {
    access: {
      grantsOf: async ({ id }) =>
        allGrants({ admin: id === ama.id, may: (name) => name !== 'notify' || id === ama.id }),
      toldRules: () => rules,
    },
  });
const type = async (desk: Desk, words: string, who = ama, where?: Payment['conversation']) => {
  const [card] = await desk.type(who, 'notify', words, undefined, where);
  if (card === undefined) throw new Error('no answer');
  return card;
};
const stored = async (count: number, changes: Partial<Payment>, daysAgo = 1): Promise<void> => {
  for (let number = 0; number < count; number++) {
    const id = `01JD2M4X9Q${changes.state?.slice(0, 1).toUpperCase()}${daysAgo}0${number}XX`.slice(
      0,
      16,
    );
    const confirmedAtMs = clock.now() - daysAgo * DAY_MS;
    const { due: _, ...record } = aPayment({
      ...changes,
      id,
      confirmedAtMs,
      submittedAtMs: confirmedAtMs,
    });
    await store.commit({ put: [{ kind: 'payment', record }] });
  }
};
const labels = (card: Card) => card.buttons?.map(({ label }) => label);

describe('/notify', () => {
  it('says what the conversation is told, and sets it with a word or a button, on every instance', async () => {
    const desk = open();
    const first = await type(desk, '');
    expect(cardText(first)).toMatch(/^Messages here: all \| I post every outcome under its card\./);
    expect(labels(first)).toEqual(['Problems', 'None']);
    expect((await type(desk, 'problems')).title).toBe('Messages here: problems');
    expect((await type(open(), '')).title).toBe('Messages here: problems');
    expect((await type(open(), '', ama, FINANCE)).title).toBe('Messages here: all');
    const [none] = await desk.press(ama, first, 'None');
    expect(cardText(none)).toContain('ama chose this here.');
    expect(await store.auditOf('notify')).toMatchObject([
      { before: null, after: 'problems', who: ama },
      { before: 'problems', after: 'none', who: ama },
    ]);
  });

  it('says whether the access file, a person or nobody chose the level', async () => {
    const desk = open();
    expect(cardText(await type(desk, ''))).toContain('Default.');
    rules = { ...NO_RULES, notify: [{ place: FINANCE, level: 'problems' }] };
    const inFile = cardText(await type(desk, '', ama, FINANCE));
    expect(inFile).toMatch(/^Messages here: problems/);
    expect(inFile).toContain('From the access file.');
    expect(cardText(await type(desk, ''))).toContain('Default.');
    rules = { ...NO_RULES, notify: [{ place: FINANCE, mirror: { states: { failed: 'all' } } }] };
    expect(cardText(await type(desk, '', ama, FINANCE))).toContain('Default.');
    const chosen = cardText(await type(desk, 'none', ama, FINANCE));
    expect(chosen).toContain('ama chose this here.');
    expect(chosen).not.toContain('access file');
  });

  it('is for administrators alone, also its buttons', { tags: ['T41'] }, async () => {
    const desk = open();
    expect((await type(desk, 'none', kojo)).title).toBe('You cannot choose the messages here yet');
    const [refused] = await desk.press(kojo, await type(desk, ''), 'None');
    expect(refused?.title).toBe('You cannot choose the messages here yet');
    expect((await type(desk, '')).title).toBe('Messages here: all');
  });

  it.each(['everything', 'none at all', 'constructor', '__proto__'])(
    'asks again after %s',
    async (word) => {
      expect(cardText(await type(open(), word))).toContain('Choose all, problems or none.');
    },
  );

  it('shows which payments of other conversations are told here', async () => {
    rules = {
      notify: [
        {
          place: FINANCE,
          mirror: {
            states: { completed: { amountMinor: 50_000, currency: 'GHS' }, failed: 'all' },
            branch: 'Osu',
          },
        },
      ],
      branches: [],
    };
    expect(cardText(await type(open(), '', ama, FINANCE))).toContain(
      'Payments of other chats that I post here: | completed: from GHS 500.00, failed: all, branch Osu',
    );
  });
});

describe('/notify test', () => {
  it('counts what each rule told in the last seven days, with three examples', async () => {
    const large = { amount: { amountMinor: 60_000, currency: 'GHS' } };
    await stored(4, { state: 'completed' });
    await stored(2, { state: 'failed' }, 2);
    await stored(1, { state: 'pending' }, 3);
    await stored(5, { state: 'completed' }, 8);
    await stored(1, { state: 'completed', terms: { ...aPayment().terms, ...large } }, 4);
    rules = {
      notify: [
        {
          place: FINANCE,
          mirror: { states: { completed: { amountMinor: 50_000, currency: 'GHS' } } },
        },
      ],
      branches: [],
    };
    const text = cardText(await type(open(), 'test'));
    expect(text).toMatch(
      /^Messages sent in 7 days \| Under the cards in this conversation: \| all: 7 messages, problems: 2 messages, none: 0 messages \| With all, for example: \| ✅ GHS 50\.00 · Kofi M\. · \d\d? \w{3} \d\d:\d\d · ama,/,
    );
    expect(text.match(/for example: \| ([^|]+) \|/)?.[1]?.split(', ')).toHaveLength(3);
    expect(text).toMatch(
      /slack:C0FINANCE, completed: from GHS 500\.00: 1 message \| ✅ GHS 600\.00 · Kofi M\. · [^|]*$/,
    );
    expect(text).not.toContain('0244123456');
  });
});
