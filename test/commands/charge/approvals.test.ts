import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '../../../src/commands/access/access-file.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import type { ChargeDraft } from '../../../src/core/records/draft.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, efua, kojo, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand, openDesk } from '../../support/desk.ts';
import { draftOn } from '../../support/draft-on.ts';
import { allGrants } from '../../support/grants.ts';
import { silentLog } from '../../support/silent-log.ts';
import { storedPayments } from '../../support/stored-payments.ts';

const finance = { platform: 'slack', channel: 'C0FINANCE' };
const ghs = (cedis: number) => ({ amountMinor: cedis * 100, currency: 'GHS' });

let { clock, store, desk } = {} as DeskInHand;
let sales: Partial<Grants>;
let approvers: readonly Member[];

beforeEach(async () => {
  sales = { maxCharge: ghs(100), approve: false, approvalsIn: finance.channel };
  // Efua may approve, and so may Ama, but not what she asked for herself.
  approvers = [];
  const grantsOf = ({ id }: Person) =>
    allGrants(
      id === kojo.id ? { approve: false } : id === ama.id ? { ...sales, approve: true } : {},
    );
  ({ clock, store, desk } = await deskInHand(grantsOf, silentLog, () => approvers));
});

const confirmed = () => storedPayments(store);
const ask = async (person: Person, words = '0244123456 500'): Promise<Card | undefined> =>
  (await desk.type(person, 'charge', words))[0];
/** The newest message that is posted, once the engine has posted one more than these. */
const posted = async (before = desk.posted.length): Promise<Card> => {
  await desk.runUntil(() => expect(desk.posted).toHaveLength(before + 1));
  return desk.posted[before]?.card as Card;
};
const person = (id: string): Member => ({ platform: 'slack', kind: 'person', id });
const told = (cards: readonly Card[]): string => cards.map(cardText).join('\n');

/** What the approvers are shown. */
const asked = async (person = ama, words?: string): Promise<Card> => {
  await desk.press(person, await ask(person, words), 'Charge');
  return posted();
};

/** What answers an approver's press. */
const decide = async (by: Person, question: Card | undefined, label: 'Approve' | 'Refuse') =>
  told(await desk.press(by, question, label, finance));

describe('a charge above the limit of who asks for it', () => {
  it('is asked about where the role has its approvals, with what would be sent and the number masked', {
    tags: ['T26'],
  }, async () => {
    const [answer] = await desk.press(ama, await ask(ama), 'Charge');
    expect(cardText(answer)).toBe(
      "Waiting for approval | GHS 500.00 is above your limit of GHS 100.00. | I asked Efua in the approvers' group. Time to approve: until 09:10. I will tell you here.",
    );
    expect(answer?.parts.at(-1)).toMatchObject({ place: { conversation: finance } });
    await desk.runUntil(() => expect(desk.posted).toHaveLength(1));
    const [question] = desk.posted;
    expect(question?.conversation).toMatchObject(finance);
    expect(cardText(question?.card)).toMatch(
      /^ama asks to charge GHS 500\.00 .*Number: (?!024 412)[^,]*456, Network: MTN MoMo, Amount: GHS 500\.00/,
    );
    expect(await confirmed()).toEqual([]);
  });

  it('is asked about in the same conversation when the role names none', async () => {
    sales = { maxCharge: ghs(100) };
    await asked();
    expect(desk.posted[0]?.conversation).toEqual(shop);
  });

  it('is charged after one approval; the card names who asked, who approved, and when', async () => {
    const question = await asked();
    clock.jump(60_000);
    expect(await decide(efua, question, 'Approve')).toMatch(/^Approved/);
    const [payment] = await confirmed();
    if (payment === undefined) throw new Error('nothing was charged');
    expect(payment.conversation).toEqual(shop);
    const card = paymentCard(payment, 'UTC');
    expect(cardText(card)).toContain(' · ama, approved by Efua');
    expect(told(await desk.press(ama, card, 'Details'))).toMatch(
      /Asked by: ama, Asked at: (.*), Approved by: Efua \| ⏳ being sent · (?!\1)/,
    );
  });

  it.each([
    [
      'the requester, who may approve what others ask for',
      ama,
      /^You asked for this \| Only .+ can approve this\./,
    ],
    ['somebody who may not approve', kojo, /^You cannot approve charges yet/],
    ['the same person on another platform', { ...ama, platform: 'telegram' }, /too old/],
  ])('is not approved by %s', { tags: ['T8'] }, async (_, presser, answer) => {
    const question = await asked();
    expect(await decide(presser, question, 'Approve')).toMatch(answer);
    expect(await decide(presser, question, 'Refuse')).toMatch(answer);
    expect(await confirmed()).toEqual([]);
    expect(await decide(efua, question, 'Approve')).toMatch(/^Approved/);
  });

  it('is decided once: of two at one moment the first counts, and the other is told', async () => {
    const question = await asked();
    const answers = await Promise.all([
      desk.press(efua, question, 'Approve', finance),
      desk.press({ ...efua, id: 'U0ABA', name: 'Aba' }, question, 'Refuse', finance),
    ]);
    expect(told(answers.flat())).toMatch(
      /Approved for[\s\S]*Already confirmed|Refused for[\s\S]*Already refused|Already refused[\s\S]*Refused for/,
    );
    expect((await confirmed()).length).toBeLessThanOrEqual(1);
  });

  it('has the whole time from the moment approvers are asked, and says until when', async () => {
    const question = await ask(ama);
    clock.jump(9 * 60_000);
    await desk.press(ama, question, 'Charge');
    const card = await posted();
    expect(cardText(card)).toContain(
      'Above their limit of GHS 100.00. Approve or refuse until 09:19.',
    );
    clock.jump(9 * 60_000);
    expect(await decide(efua, card, 'Approve')).toMatch(/^Approved/);
  });

  it('calls upon the people and groups who may approve, and on ten at most; not on who asked or is suspended', async () => {
    const many = Array.from({ length: 12 }, (_, at) => person(`U0MANY${at}`));
    approvers = [person(ama.id), person(kojo.id), { ...person('S0FIN'), kind: 'group' }, ...many];
    await desk.type(efua, 'suspend', kojo.id);
    const { calls = [] } = await asked();
    expect(calls.slice(0, 2)).toEqual([
      { platform: 'slack', group: 'S0FIN' },
      { platform: 'slack', id: 'U0MANY0', name: 'an approver' },
    ]);
    expect(calls).toHaveLength(10);
    expect(JSON.stringify(calls)).not.toMatch(/U0AMA|U0KOJO/);
  });

  it('says where it was asked when approvers are asked elsewhere', async () => {
    const card = await asked();
    expect(card.parts).toContainEqual({
      kind: 'text',
      text: 'Asked in another chat.',
      place: { words: 'another chat', conversation: shop },
    });
  });

  it('needs a new approval when something new came up since it was shown', async () => {
    const question = await asked();
    await desk.press(efua, await ask(efua), 'Charge');
    const [again] = await desk.press(efua, question, 'Approve', finance);
    expect(cardText(again)).toMatch(/Already asked: GHS 500\.00 today/);
    expect(await confirmed()).toHaveLength(1);
    expect(await decide(efua, question, 'Approve')).toMatch(/asks to charge/);
    expect(await confirmed()).toHaveLength(1);
    expect(await decide(efua, again, 'Approve')).toMatch(/^Approved/);
  });

  it('still counts against the day of who asked for it', async () => {
    sales = { ...sales, dailyLimit: ghs(600) };
    const first = await asked();
    const second = await asked(ama, '0201234567 500');
    await desk.press(efua, first, 'Approve', finance);
    expect(await decide(efua, second, 'Approve')).toContain(
      'The daily limit is GHS 600.00. GHS 500.00 is used today. GHS 100.00 is left. The owner can raise it.',
    );
    expect(await confirmed()).toHaveLength(1);
  });
});

describe('the end of an approval', () => {
  /** What was edited and posted since approvers were asked. */
  const ended = async (edits: number, posts: number) => {
    await desk.runUntil(() =>
      expect([desk.edits.length, desk.posted.length]).toEqual([edits, posts]),
    );
  };
  const draftOf = async (card: Card): Promise<ChargeDraft> => {
    const draft = await draftOn(store, card);
    if (draft.kind !== 'charge') throw new Error('no charge');
    return draft;
  };
  const edited = (message: string) =>
    desk.edits.filter(({ ref }) => ref.message === message).map(({ card }) => card);

  it('by a refusal edits both messages, and tells the requester with a mention where they asked', async () => {
    const question = await asked();
    const [answer] = await desk.press(efua, question, 'Refuse', finance);
    await ended(2, 2);
    for (const card of [answer, ...edited('1.1')]) {
      expect(cardText(card)).toMatch(
        /^Refused for ama: GHS 500\.00 \| Refused by: Efua, Refused at: .* \| Nothing was charged\.$/,
      );
      expect(JSON.stringify(card?.buttons ?? [])).not.toMatch(/Approve|Refuse/);
    }
    const refused = 'Refused: GHS 500.00 from 024 *** 3456';
    expect(edited('a question').map(cardText)).toEqual([refused]);
    const news = desk.posted[1];
    expect(news?.conversation).toEqual(shop);
    expect(news?.card.mention).toEqual(ama);
    expect(cardText(news?.card)).toBe(`${refused} | Efua refused it. Nothing was charged.`);
  });

  it('by its time edits both messages and tells the requester, also after a kill -9', async () => {
    await asked();
    // Nothing of the process before is left but the store.
    const [question] = desk.posted;
    clock.jump(600_000);
    desk = openDesk(store, clock);
    await ended(2, 1);
    const late = 'Too late: GHS 500.00 from 024 *** 3456';
    expect(edited('a question').map(cardText)).toEqual([late]);
    expect(cardText(desk.posted[0]?.card)).toBe(
      `${late} | No approver answered by 09:10. Nothing was charged.`,
    );
    expect(edited('1.1').map(cardText)).toEqual([
      expect.stringMatching(/^Too late for ama: GHS 500\.00 \| No approver answered/),
    ]);
    expect(desk.posted[0]).toMatchObject({ conversation: shop, card: { mention: ama } });
    expect(await decide(efua, question?.card, 'Approve')).toBe(
      'Too late | This was open for 10 minutes. Nothing was charged.',
    );
    expect(await confirmed()).toEqual([]);
  });

  it('by its time is told once, over two instances', async () => {
    await asked();
    clock.jump(600_000);
    const desks = [openDesk(store, clock), openDesk(store, clock)];
    await Promise.all(desks.map(({ engine }) => engine.start()));
    await expect.poll(() => desks.flatMap((each) => each.posted).length).toBe(1);
    await Promise.all(desks.map(({ engine }) => engine.stop()));
    expect(desks.flatMap((each) => each.posted)).toHaveLength(1);
  });

  it('by an approval edits both messages, and the card tells the rest', async () => {
    const question = await asked();
    await desk.press(efua, question, 'Approve', finance);
    await desk.runUntil(() => expect(desk.edits.length).toBeGreaterThanOrEqual(2));
    expect(edited('1.1').map(cardText)).toEqual([
      expect.stringMatching(/^Approved for ama: GHS 500\.00 \| Approved by: Efua, Approved at: /),
    ]);
    expect(edited('a question').map(cardText)).toEqual([
      'Approved: GHS 500.00 from 024 *** 3456 | Efua approved it.',
    ]);
    expect(desk.posted.filter(({ card }) => card.mention !== undefined)).toEqual([]);
  });

  it('by the requester edits the question to approvers as well', async () => {
    const first = await ask(ama);
    await desk.press(ama, first, 'Charge');
    await posted();
    await desk.press(ama, first, 'Cancel');
    await ended(2, 1);
    expect(edited('1.1').map(cardText)).toEqual([
      expect.stringMatching(/^Cancelled for ama: GHS 500\.00 \| Cancelled by: ama/),
    ]);
  });

  it('stands in the audit trail', async () => {
    const refused = await asked();
    await desk.press(efua, refused, 'Refuse', finance);
    const { paymentId } = await draftOf(refused);
    expect((await store.auditOf(paymentId)).map(({ what, after }) => [what, after])).toEqual([
      ['created', 'open'],
      ['awaiting approval', 'awaiting approval'],
      ['refused', 'refused'],
    ]);
  });

  it('is not told of what was changed in the store', async () => {
    const draft = await draftOf(await asked());
    const record = { ...draft, version: draft.version + 1, requester: kojo };
    await store.commit({ put: [{ kind: 'draft', record }] });
    clock.jump(600_000);
    desk = openDesk(store, clock);
    await desk.engine.start();
    await expect
      .poll(async () => (await store.get('draft', draft.id))?.due?.atMs)
      .toBe(clock.now() + 86_400_000);
    await desk.engine.stop();
    expect(desk.posted).toEqual([]);
  });
});
