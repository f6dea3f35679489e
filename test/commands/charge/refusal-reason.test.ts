import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { LEASE_MS } from '../../../src/core/work/worker.ts';
import { ama, efua, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand, openDesk } from '../../support/desk.ts';
import { draftOn } from '../../support/draft-on.ts';
import { allGrants } from '../../support/grants.ts';

const finance = { platform: 'slack', channel: 'C0FINANCE' };
const aba = { platform: 'slack', id: 'U0ABA', name: 'Aba' };

let { clock, store, desk } = {} as DeskInHand;
let mayApprove: boolean;
let paymentId: string;

beforeEach(async () => {
  mayApprove = true;
  const maxCharge = { amountMinor: 10_000, currency: 'GHS' };
  // Who approves need not charge.
  const approver = (): Partial<Grants> => ({
    approve: mayApprove,
    may: (name) => name !== 'charge',
  });
  ({ clock, store, desk } = await deskInHand(({ id }) =>
    allGrants(id === ama.id ? { maxCharge, approvalsIn: finance.channel } : approver()),
  ));
});

const told = (cards: readonly Card[]): string => cards.map(cardText).join('\n');
/** Runs the engine until so much was edited and posted. */
const until = async (edits: number, posts: number) => {
  await desk.runUntil(() =>
    expect([desk.edits.length, desk.posted.length]).toEqual([edits, posts]),
  );
};

/** What Efua is shown when she has refused. */
const refused = async (): Promise<Card | undefined> => {
  const [question] = await desk.type(ama, 'charge', '0244123456 500');
  await desk.press(ama, question, 'Charge');
  await until(0, 1);
  const draft = await draftOn(store, question);
  paymentId = draft.kind === 'charge' ? draft.paymentId : '';
  const [end, ...more] = await desk.press(efua, desk.posted[0]?.card, 'Refuse', finance);
  expect(more).toEqual([]);
  return end;
};
const say = async (offer: Card | undefined, reason: string, person: Person = efua) => {
  await desk.press(person, offer, 'Say why', finance);
  return desk.submit(person, { reason }, finance);
};

describe('why an approver refused', () => {
  it('can be said afterwards: the question and the news show it, and nothing is told twice', async () => {
    const offer = await refused();
    expect(cardText(offer)).toMatch(/^Refused for ama: GHS 500\.00 \|.*Nothing was charged\.$/);
    expect(offer?.buttons?.map(({ label }) => label)).toEqual(['Say why']);
    await until(2, 2);
    expect(told(await say(offer, ' Over the\u202e budget\nof May. '))).toBe(
      'ama reads your reason | Over the budget of May.',
    );
    const news = desk.posted[1];
    expect(news?.conversation).toEqual(shop);
    await until(5, 2);
    const edited = desk.edits.find(({ ref }) => ref.message === '1.2')?.card;
    expect(edited?.mention).toEqual(ama);
    const said =
      'Refused: GHS 500.00 from 024 *** 3456 | Efua refused it. Nothing was charged. | Over the budget of May.';
    expect(cardText(edited)).toBe(said);
    for (const { ref, card } of desk.edits.slice(2)) {
      // The requester reads it once.
      expect(cardText(card).includes('Over the budget of May.')).toBe(ref.message !== 'a question');
      expect(card.buttons).toBeUndefined();
    }
    expect(new Set(desk.edits.slice(2).map(({ ref }) => ref.message))).toEqual(
      new Set(['1.1', '1.2', 'a question']),
    );
  });

  it('is told in the one message when it is said before the requester was told anything', async () => {
    await say(await refused(), 'Over the budget.');
    // The message that was owed before may be on its way.
    clock.jump(LEASE_MS);
    await until(2, 2);
    expect(desk.posted.map(({ card }) => cardText(card)).at(-1)).toContain('Over the budget.');
  });

  it('is posted where the message that told the refusal cannot be edited', async () => {
    const offer = await refused();
    await until(2, 2);
    desk.chat.edit = { kind: 'gone', reason: 'message_not_found' };
    expect(told(await say(offer, 'Over the budget.'))).toMatch(/^ama reads your reason/);
    await until(2, 3);
    const { conversation, card } = desk.posted[2] as (typeof desk.posted)[number];
    expect([conversation, card.mention]).toEqual([shop, ama]);
    expect(cardText(card)).toContain('Over the budget.');
  });

  it('is told after a kill -9 that came right after it was said', async () => {
    const offer = await refused();
    await until(2, 2);
    await say(offer, 'Over the budget.');
    // Nothing of the process before is left but the store.
    desk = openDesk(store, clock);
    await until(3, 0);
    const said = desk.edits.filter(({ card }) => cardText(card).includes('Over the budget.'));
    expect(new Set(said.map(({ ref }) => ref.message))).toEqual(new Set(['1.1', '1.2']));
  });

  it('is said by the person who refused, and by no other', { tags: ['T5'] }, async () => {
    const offer = await refused();
    for (const other of [aba, ama])
      expect(told(await desk.press(other, offer, 'Say why', finance))).toMatch(
        /^Only Efua can press this/,
      );
    await desk.press(efua, offer, 'Say why', finance);
    expect(told(await desk.submit(aba, { reason: 'Never.' }, finance))).toMatch(/^Only Efua/);
    mayApprove = false;
    expect(told(await desk.submit(efua, { reason: 'Never.' }, finance))).toMatch(
      /^You cannot approve charges yet/,
    );
    mayApprove = true;
    await desk.type(aba, 'suspend', efua.id);
    expect(told(await desk.submit(efua, { reason: 'Never.' }, finance))).toMatch(
      /^You are stopped/,
    );
    await until(2, 2);
    expect(desk.posted.map(({ card }) => cardText(card)).join()).not.toContain('Never.');
  });

  it('is said once, also when it is sent twice at one moment', async () => {
    const offer = await refused();
    await until(2, 2);
    await desk.press(efua, offer, 'Say why', finance);
    const answers = await Promise.all([
      desk.submit(efua, { reason: 'First.' }, finance),
      desk.submit(efua, { reason: 'Second.' }, finance),
    ]);
    expect(told(answers.flat())).toMatch(/You already said why/);
    expect(told(await desk.press(efua, offer, 'Say why', finance))).toMatch(
      /^You already said why/,
    );
    await until(5, 2);
    const reasons = desk.edited
      .map(cardText)
      .join()
      .match(/First\.|Second\./g);
    expect(reasons).toHaveLength(2);
    expect(new Set(reasons).size).toBe(1);
  });

  it('is asked about for as long as a question is open', async () => {
    const offer = await refused();
    await desk.press(efua, offer, 'Say why', finance);
    clock.jump(600_000);
    const tooLate = 'Too late | The time to say why is over. Tell ama yourself.';
    expect(told(await desk.submit(efua, { reason: 'Late.' }, finance))).toBe(tooLate);
    expect(told(await desk.press(efua, offer, 'Say why', finance))).toBe(tooLate);
  });

  it.each([
    ['with a card number in it', 'Pay with 4111 1111 1111 1111', /Never type card numbers/],
    ['that is too long', 'a'.repeat(201), /^Please check \| Use 200 characters at most\./],
    ['of nothing to see', '\u200b', /^Please check \| Please fill this in\./],
  ])('is not taken %s', async (_, reason, answer) => {
    expect(told(await say(await refused(), reason))).toMatch(answer);
    await until(2, 2);
    expect(desk.posted.map(({ card }) => cardText(card)).at(-1)).toMatch(/Nothing was charged\.$/);
  });

  it('stands in the audit trail', async () => {
    await say(await refused(), 'Over the budget.');
    expect((await store.auditOf(paymentId)).at(-1)).toMatchObject({
      what: 'refusal explained',
      after: 'refused',
      who: efua,
      where: finance,
      detail: { reason: 'Over the budget.' },
    });
  });
});
