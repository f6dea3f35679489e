import { beforeEach, expect, it } from 'vitest';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, kojo } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';

const SPENT = 'Too many questions | You asked 30 times in 10 minutes. Ask again at 09:10.';

let { clock, desk } = {} as DeskInHand;
let lookups: number;

beforeEach(async () => {
  ({ clock, desk } = await deskInHand());
  lookups = 0;
  desk.gateway.lookUpAccount = async () => {
    lookups++;
    return { kind: 'notFound', answer: {} };
  };
});

const type = async (person: Person, command: string, words = ''): Promise<string> =>
  (await desk.type(person, command, words)).map(cardText).join('\n');
const askThirtyTimes = async (person: Person): Promise<void> => {
  for (let round = 0; round < 15; round++) {
    await type(person, 'lookup', '0244123456');
    await type(person, 'status', 'PT7K3M9Q2XWZ');
  }
};
const asked = () => lookups + desk.gateway.checked.length;

it('the 31st lookup or status question within ten minutes is answered by when to ask again', {
  tags: ['T29'],
}, async () => {
  await askThirtyTimes(ama);
  expect(asked()).toBe(30);
  expect(await type(ama, 'lookup', '0244123456')).toBe(SPENT);
  expect(await type(ama, 'status', 'PT7K3M9Q2XWZ')).toBe(SPENT);
  expect(asked()).toBe(30);
  await clock.advance(600_000);
  expect(await type(ama, 'lookup', '0244123456')).toContain('There is no account for this number');
  expect(asked()).toBe(31);
});

it('the time at which questions work again is never told too early', async () => {
  await clock.advance(30_001);
  await askThirtyTimes(ama);
  expect(await type(ama, 'lookup', '0244123456')).toContain('Ask again at 09:11.');
});

it('a person whose questions are used up still charges, and others still ask', async () => {
  await askThirtyTimes(ama);
  expect((await desk.type(ama, 'charge', '0244123456 50'))[0]?.title).toBe('Charge GHS 50.00?');
  expect(asked()).toBe(31);
  expect(await type(kojo, 'lookup', '0244123456')).toContain('There is no account for this number');
});

it('the lookups of own charges are not counted, nor are words that were not understood', async () => {
  for (let charge = 0; charge < 40; charge++) {
    await desk.type(ama, 'charge', `0244123456 ${charge + 1}`);
    await desk.type(ama, 'lookup', 'not a number');
    await desk.type(ama, 'status', '?');
  }
  expect(asked()).toBe(40);
  await askThirtyTimes(ama);
  expect(asked()).toBe(70);
});

it('a preview of an SMS asks nothing, and says how many SMS were left when it was asked', {
  tags: ['T80'],
}, async () => {
  let balances = 0;
  desk.gateway.onBalance = () => {
    balances++;
    return { kind: 'balances', sms: '1', answer: {} };
  };
  await type(ama, 'balance');
  for (let each = 0; each < 40; each++)
    expect(await type(ama, 'sms', `024412345${each % 10},0244000001 hello`)).toContain(
      'SMS left: 1.',
    );
  expect(balances).toBe(1);
  for (let each = 0; each < 40; each++) await type(ama, 'balance');
  expect(balances).toBe(30);
  expect(await type(ama, 'balance')).toBe(SPENT);
});
