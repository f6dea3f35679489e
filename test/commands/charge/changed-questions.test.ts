import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Draft } from '../../../src/core/records/draft.ts';
import type { ChargeTerms } from '../../../src/core/records/payment.ts';
import type { SmsTerms } from '../../../src/core/records/sms-batch.ts';
import { ama, efua, kojo } from '../../support/a-payment.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { cardText } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { draftOn } from '../../support/draft-on.ts';
import { allGrants } from '../../support/grants.ts';
import { storedPayments } from '../../support/stored-payments.ts';

const finance = { platform: 'slack', channel: 'C0FINANCE' };

let log: ReturnType<typeof capturedLog>;
let { store, desk } = {} as DeskInHand;

beforeEach(async () => {
  log = capturedLog();
  const limit = { maxCharge: { amountMinor: 10_000, currency: 'GHS' }, approve: false };
  ({ store, desk } = await deskInHand(({ id }) => allGrants(id === ama.id ? limit : {}), log.log));
});

const ask = async (words: string, command = 'charge'): Promise<Card | undefined> =>
  (await desk.type(ama, command, words))[0];
const draftOf = (card: Card | undefined) => draftOn(store, card);
/** As with the database's own tools. */
const write = async (draft: Draft, changes: object) => {
  const record: Draft = { ...draft, ...changes, version: draft.version + 1 };
  expect(await store.commit({ put: [{ kind: 'draft', record }] })).toBe(true);
};
const terms = ({ terms: shown }: Draft, changes: Partial<ChargeTerms | SmsTerms>) => ({
  terms: { ...shown, ...changes },
});
const charged = () => storedPayments(store);
const alerts = () =>
  log.entries.flatMap(({ fields, message }) =>
    message === 'a person has to look into this' ? [fields] : [],
  );
const told = (cards: readonly Card[]): string => cards.map(cardText).join('\n');

const REFUSED = /^The question was changed \| Nothing was charged\./;

describe('a question that was changed in the database after it was shown', () => {
  const changes: [string, (draft: Draft) => object][] = [
    ['another amount', (draft) => terms(draft, { amount: { amountMinor: 1, currency: 'GHS' } })],
    [
      'another currency',
      (draft) => terms(draft, { amount: { amountMinor: 5_000, currency: 'NGN' } }),
    ],
    ['another number', (draft) => terms(draft, { customerNumber: '+233201234567' })],
    ['another name', (draft) => terms(draft, { customerName: 'KOFI MENSAH' })],
    ['another network', (draft) => terms(draft, { network: 'VOD' })],
    ['another way of paying', (draft) => terms(draft, { option: 'CRM' })],
    ['another reference', (draft) => terms(draft, { reference: 'rent' })],
    ['another transaction id', () => ({ paymentId: '01JD2M4X9QK7T3VC' })],
    ['another warning', () => ({ repeats: ['x'] })],
    ['another conversation', (draft) => ({ conversation: { ...draft.conversation, ...finance } })],
    ['more time', ({ expiresAtMs }) => ({ expiresAtMs: expiresAtMs + 1 })],
    ['another age', ({ createdAtMs }) => ({ createdAtMs: createdAtMs + 1 })],
    ['another showing', () => ({ revision: 1 })],
    ['the approval waited for', () => ({ status: 'awaiting approval', seal: 'x' })],
    ['no seal', () => ({ seal: '' })],
  ];
  it.each(changes)(
    'charges nothing with %s, and the operators are told',
    { tags: ['T28'] },
    async (_, change) => {
      const question = await ask('0244123456 50');
      const draft = await draftOf(question);
      await write(draft, change(draft));
      expect(told(await desk.press(ama, question, 'Charge'))).toMatch(REFUSED);
      expect(await charged()).toEqual([]);
      expect(alerts()).toMatchObject([{ alert: { kind: 'seal broken', of: 'question' } }]);
    },
  );

  it('charges nothing for somebody else who was written in as the requester', async () => {
    const question = await ask('0244123456 50');
    await write(await draftOf(question), { requester: kojo });
    expect(told(await desk.press(kojo, question, 'Charge'))).toMatch(REFUSED);
    expect(await charged()).toEqual([]);
  });

  it('cannot be approved when the requester never pressed', { tags: ['T28'] }, async () => {
    const question = await ask('0244123456 500');
    const draft = await draftOf(question);
    await write(draft, { status: 'awaiting approval' });
    const forged = { title: '', parts: [], buttons: [{ ...pressed, id: draft.id }] } as Card;
    expect(told(await desk.press(efua, forged, 'Approve'))).toMatch(REFUSED);
    expect(await charged()).toEqual([]);
  });

  it('cannot be approved when it was changed after the approver was asked', async () => {
    const question = await askedForApproval();
    const draft = await draftOf(question);
    await write(draft, terms(draft, { amount: { amountMinor: 900_000, currency: 'GHS' } }));
    expect(told(await desk.press(efua, question, 'Approve'))).toMatch(REFUSED);
    expect(await charged()).toEqual([]);
  });

  it('is not shown to approvers', async () => {
    const question = await ask('0244123456 500');
    await desk.press(ama, question, 'Charge');
    const draft = await draftOf(question);
    await write(draft, terms(draft, { amount: { amountMinor: 500, currency: 'GHS' } }));
    await desk.runUntil(() => expect(alerts()).toHaveLength(1));
    expect(desk.posted).toEqual([]);
  });

  it('sends no SMS', async () => {
    const question = await ask('0244123456 Your order is ready.', 'sms');
    const draft = await draftOf(question);
    await write(draft, terms(draft, { text: 'Pay me' }));
    expect(told(await desk.press(ama, question, 'Send'))).toMatch(
      /^The question was changed \| Nothing was sent\./,
    );
    expect(desk.gateway.texted).toEqual([]);
    expect(alerts()).toMatchObject([{ alert: { kind: 'seal broken', of: 'question' } }]);
  });
});

describe('a question that nobody changed', () => {
  it('still counts after it was shown again with something new, and after the approver was asked', async () => {
    const question = await askedForApproval();
    expect(told(await desk.press(efua, question, 'Approve'))).toMatch(/^Approved/);
    expect(alerts()).toEqual([]);
  });
});

const pressed = { kind: 'press', label: 'Approve', verb: 'approve' } as const;
const askedForApproval = async (): Promise<Card | undefined> => {
  await desk.press(ama, await ask('0244123456 500'), 'Charge');
  await desk.runUntil(() => expect(desk.posted).toHaveLength(1));
  return desk.posted[0]?.card;
};
