import { describe, expect, it } from 'vitest';
import type { StatusOutcome } from '../../../src/core/gateway/gateway.ts';
import { merchantGateways } from '../../../src/core/gateway/merchant-gateways.ts';
import { defined } from '../../../src/core/runtime/defined.ts';
import { StubGateway, statusOf } from '../../support/stub-gateway.ts';

const charge = {
  transactionId: '01JD2M4X9QK7T3VB',
  reference: 'rent',
  customerNumber: '+233244123456',
  network: 'MTN',
  amount: { amountMinor: 5000, currency: 'GHS' },
  option: 'MOM',
  callbackUrl: 'https://pay.example.com/x',
} as const;
const sms = { senderId: 'OSU', text: 'Hello', recipients: ['+233244123456'], uniqueId: '1' };
const lookup = { number: '+233244123456', network: 'MTN' } as const;
const UNKNOWN_ID: StatusOutcome = { kind: 'noStatus', answer: {} };
const SILENCE: StatusOutcome = { kind: 'noAnswer', answer: {}, reason: 'too busy' };

const two = () => {
  const [osu, tema] = [new StubGateway(), new StubGateway()];
  const gateway = merchantGateways(
    new Map([
      ['osu', osu],
      ['tema', tema],
    ]),
  );
  return { osu, tema, gateway };
};

describe('the gateway of several merchants', { tags: ['T50'] }, () => {
  it('sends money, SMS and questions of a merchant with its keys and no other', async () => {
    const { osu, tema, gateway } = two();
    await gateway.makePayment({ ...charge, merchant: 'tema' });
    await gateway.sendSms({ ...sms, merchant: 'tema' });
    await gateway.checkStatus(charge.transactionId, 'person', 'tema');
    expect([tema.sent.length, tema.texted.length, tema.checked.length]).toEqual([1, 1, 1]);
    expect([osu.sent, osu.texted, osu.checked]).toEqual([[], [], []]);
  });

  it.each([
    [undefined, /belongs to no merchant/],
    ['kumasi', /has no merchant "kumasi" any more/],
  ])('sends nothing for the merchant %s, and says so', async (merchant, why) => {
    const { osu, tema, gateway } = two();
    const answers = [
      await gateway.makePayment({ ...charge, ...defined({ merchant }) }),
      await gateway.sendSms({ ...sms, merchant }),
      await gateway.checkBalance('person', merchant),
    ];
    expect(answers.map(({ kind }) => kind)).toEqual(['notSent', 'notSent', 'noAnswer']);
    for (const answer of answers) expect(answer).toMatchObject({ reason: why });
    expect([osu.sent, tema.sent, osu.texted, tema.texted]).toEqual([[], [], [], []]);
  });

  it('leaves the status of a payment open whose merchant is gone', async () => {
    const { gateway } = two();
    expect(await gateway.checkStatus('X', 'background', 'kumasi')).toMatchObject({
      kind: 'noAnswer',
    });
  });

  it('looks accounts up with any keys where no merchant is named', async () => {
    const { gateway } = two();
    expect((await gateway.lookUpAccount(lookup)).kind).toBe('notFound');
    expect((await gateway.lookUpAccount({ ...lookup, merchant: 'tema' })).kind).toBe('notFound');
    const nobody = await merchantGateways(new Map()).lookUpAccount(lookup);
    expect(nobody.kind).toBe('noAnswer');
  });

  it.each([
    ['the second knows it', UNKNOWN_ID, statusOf('X', 'completed'), 'status'],
    ['the first is silent and the second knows it', SILENCE, statusOf('X', 'failed'), 'status'],
    ['none knows it', UNKNOWN_ID, UNKNOWN_ID, 'noStatus'],
    ['the first is silent', SILENCE, UNKNOWN_ID, 'noAnswer'],
    ['the second is silent', UNKNOWN_ID, SILENCE, 'noAnswer'],
  ] as const)('asks each of a transaction without a merchant: %s', async (_, one, other, kind) => {
    const { osu, tema, gateway } = two();
    osu.onStatus = () => one;
    tema.onStatus = () => other;
    expect((await gateway.checkStatus('X', 'person')).kind).toBe(kind);
  });

  it('asks no further once one knows the transaction', async () => {
    const { osu, tema, gateway } = two();
    osu.onStatus = () => statusOf('X', 'pending');
    await gateway.checkStatus('X', 'person');
    expect(tema.checked).toEqual([]);
  });
});
