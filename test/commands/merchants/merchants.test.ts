import { describe, expect, it } from 'vitest';
import { shopOf } from '../../../src/commands/merchants.ts';
import type { BalanceLimits } from '../../../src/core/balances/low-balances.ts';
import { merchantGateways } from '../../../src/core/gateway/merchant-gateways.ts';
import type { Merchant } from '../../../src/core/records/merchants.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { startPostgres } from '../../support/postgres.ts';
import { embeddedPremises, premisesOn, ShopInHand } from '../../support/shop-in-hand.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { changePayment, storedPayments } from '../../support/stored-payments.ts';
import { StubGateway, statusOf } from '../../support/stub-gateway.ts';

const postgres = await startPostgres();
const kwame = { ...ama, id: 'U0KWAME', name: 'kwame' };

const osu: Merchant = {
  name: 'osu',
  nickname: 'Adjoa Osu',
  senderIds: ['OSU'],
  conversations: ['slack:C0SALES'],
};
const tema: Merchant = {
  name: 'tema',
  nickname: 'Adjoa Tema',
  senderIds: ['TEMA', 'TEMA2'],
  conversations: ['slack:C0TEMA'],
  members: ['slack:U0AMA'],
};
const inTema = { ...shop, channel: 'C0TEMA' };

const openShop = async (
  premises = embeddedPremises(),
  merchants = [osu, tema],
  alertBelow: BalanceLimits = {},
) => {
  const services = { osu: new StubGateway(), tema: new StubGateway() };
  for (const service of Object.values(services))
    service.onSms = () => ({ kind: 'sent', messageId: 'm', status: 'sent', answer: {} });
  const gateway = merchantGateways(new Map(Object.entries(services)));
  const sms = { ...smsSettings(), senderIds: ['OSU', 'TEMA', 'TEMA2'], merchants };
  const opened = await ShopInHand.open(premises, { gateway, sms, alertBelow });
  return { opened, services };
};

describe.each(premisesOn(postgres))('with several merchants and %s', (_store, premises) => {
  it('the conversation decides who is paid, and checks go out with the keys that sent', async () => {
    const { opened, services } = await openShop(await premises());
    services.tema.onStatus = (id) => statusOf(id, 'completed');
    await opened.charge();
    opened.where = inTema;
    await opened.charge();
    await opened.pass(15_000);
    const [inOsu, ofTema] = [services.osu, services.tema];
    expect([inOsu.sent.length, ofTema.sent.length]).toEqual([1, 1]);
    expect(ofTema.checked).toEqual([ofTema.sent[0]?.transactionId]);
    expect(inOsu.checked).toEqual([inOsu.sent[0]?.transactionId]);
    expect(opened.outcomes()).toHaveLength(1);
  });
});

describe('with several merchants', { tags: ['T50'] }, () => {
  it('the question names the merchant', async () => {
    const { opened } = await openShop();
    expect(textOf(await opened.type('/charge 0244123456 50'))).toMatch(/Merchant: osu/);
  });

  it('a conversation of none charges nothing and sends no SMS', async () => {
    const { opened, services } = await openShop();
    opened.where = { ...shop, channel: 'C0OTHER' };
    for (const words of ['/charge 0244123456 50', '/sms 0244123456 Hello']) {
      expect((await opened.type(words))[0]?.title).toBe('This conversation belongs to no merchant');
    }
    expect([services.osu.sent, services.tema.sent]).toEqual([[], []]);
  });

  it('with members only they may charge, whatever their role', async () => {
    const { opened } = await openShop();
    opened.where = inTema;
    const [refused] = await opened.type('/charge 0244123456 50', { who: kwame });
    expect(refused?.title).toBe('You are not one of tema');
    expect((await opened.type('/charge 0244123456 50'))[0]?.title).toBe('Charge GHS 50.00?');
    opened.where = shop;
    const [elsewhere] = await opened.type('/charge 0244123456 50', { who: kwame });
    expect(elsewhere?.title).toBe('Charge GHS 50.00?');
  });

  it.each([
    [
      'another merchant',
      [
        { ...tema, conversations: osu.conversations },
        { ...osu, conversations: tema.conversations },
      ],
      'Not possible any more',
    ],
    ['none', [{ ...osu, conversations: [] }, tema], 'This conversation belongs to no merchant'],
    ['one', [], 'Not possible any more'],
  ])(
    'a question from before the conversation went to %s charges nobody',
    async (_, merchants, title) => {
      const { opened, services } = await openShop();
      const [question] = await opened.type('/charge 0244123456 50');
      await opened.stop();
      opened.sms = { ...smsSettings(), merchants };
      await opened.start();
      expect((await opened.press(question, 'Charge'))[0]?.title).toBe(title);
      await opened.pass(1_000);
      expect([services.osu.sent, services.tema.sent]).toEqual([[], []]);
    },
  );

  it.each([
    [
      'another merchant',
      [
        { ...tema, conversations: osu.conversations },
        { ...osu, conversations: tema.conversations },
      ],
      /belongs to another merchant now\. Nothing was sent\. Type the command again\./,
    ],
    ['none', [tema, { ...osu, conversations: [] }], /^This conversation belongs to no merchant/],
  ])('an SMS from before the conversation went to %s is not sent', async (_, merchants, why) => {
    const { opened, services } = await openShop();
    const [preview] = await opened.type('/sms 0244123456 Hello');
    await opened.stop();
    opened.sms = { ...smsSettings(), merchants };
    await opened.start();
    expect(textOf(await opened.press(preview, 'Send'))).toMatch(why);
    await opened.pass(1_000);
    expect([services.osu.texted, services.tema.texted]).toEqual([[], []]);
  });

  it('an SMS goes out from the merchant, with a sender of its own', async () => {
    const { opened, services } = await openShop();
    opened.where = inTema;
    const [preview] = await opened.type('/sms @ready 0244123456');
    await opened.press(preview, 'Send');
    await opened.pass(1_000);
    expect(services.tema.texted).toMatchObject([
      { senderId: 'TEMA', text: 'Your order is ready. Adjoa Tema' },
    ]);
    expect(services.osu.texted).toEqual([]);
  });

  it('a receipt comes from the merchant that was paid', async () => {
    const { opened, services } = await openShop();
    services.tema.onStatus = (id) => statusOf(id, 'completed');
    opened.where = inTema;
    await opened.charge();
    await opened.pass(15_000);
    opened.where = { ...shop, channel: 'C0OTHER' };
    const card = opened.edited.at(-1);
    await opened.press(card, 'Receipt');
    await opened.pass(1_000);
    expect(services.tema.texted).toMatchObject([{ senderId: 'TEMA', merchant: 'tema' }]);
    expect(services.tema.texted[0]?.text).toContain('Adjoa Tema received');
  });

  it('refused keys of one merchant hold back its charges alone, and the operators are told whose', async () => {
    const { opened, services } = await openShop();
    services.osu.onPayment = () => ({
      kind: 'refused',
      answer: {},
      reason: 'keys',
      keysRefused: true,
    });
    await opened.charge();
    await opened.pass(1_000);
    await opened.charge('0244123457 60');
    opened.where = inTema;
    await opened.charge('0244123458 70');
    await opened.pass(1_000);
    expect([services.osu.sent.length, services.tema.sent.length]).toEqual([1, 1]);
    expect(opened.alerts()).toEqual(['The payment service refuses the keys of osu']);
  });

  it('each has balances of its own: in its conversation alone, elsewhere all', async () => {
    const { opened, services } = await openShop();
    services.osu.onBalance = () => ({ kind: 'balances', answer: {}, sms: '11' });
    services.tema.onBalance = () => ({ kind: 'balances', answer: {}, sms: '22' });
    const shown = async () => (await opened.type('/balance')).map(cardText).join('\n');
    expect(await shown()).toMatch(/^Balances of osu[\s\S]*SMS: 11/);
    expect(await shown()).not.toContain('22');
    opened.where = inTema;
    expect(await shown()).toMatch(/^Balances of tema[\s\S]*SMS: 22/);
    opened.where = { ...shop, channel: 'C0OTHER' };
    expect(await shown()).toMatch(/SMS: 11[\s\S]*SMS: 22/);
    services.tema.onBalance = () => ({ kind: 'noAnswer', answer: {}, reason: 'too busy' });
    expect(await shown()).toMatch(/The balances of tema are not available[\s\S]*SMS: 22/);
  });

  it('a report by merchant sums what each was paid', async () => {
    const { opened, services } = await openShop();
    for (const service of Object.values(services))
      service.onStatus = (id) => statusOf(id, 'completed');
    await opened.charge();
    opened.where = inTema;
    await opened.charge();
    await opened.charge('0244123457 50');
    await opened.pass(15_000);
    opened.where = { ...shop, channel: 'C0OTHER' };
    const [report] = await opened.type('/report today by merchant');
    const text = cardText(report);
    expect(text).toMatch(/tema[^\n]*100\.00[\s\S]*osu[^\n]*50\.00/);
  });

  it('a low balance is told with its merchant, and nothing is asked for one that left', async () => {
    const { opened, services } = await openShop(embeddedPremises(), [osu, tema], { sms: 20 });
    const asked: string[] = [];
    services.osu.onBalance = () => {
      asked.push('osu');
      return { kind: 'balances', answer: {}, sms: '11' };
    };
    services.tema.onBalance = () => {
      asked.push('tema');
      return { kind: 'balances', answer: {}, sms: '22' };
    };
    await opened.pass(20 * 60_000);
    expect(opened.alerts()).toEqual(['The SMS balance of osu is low: 11']);
    expect(new Set(asked)).toEqual(new Set(['osu', 'tema']));
    await opened.stop();
    opened.sms = { ...smsSettings(), merchants: [tema] };
    await opened.start();
    asked.length = 0;
    await opened.pass(40 * 60_000);
    expect(new Set(asked)).toEqual(new Set(['tema']));
  });

  it('a merchant changed in the store voids the confirmation', async () => {
    const { opened, services } = await openShop();
    services.osu.onPayment = () => ({ kind: 'rateLimited', answer: {} });
    await opened.charge();
    await opened.pass(500);
    const [payment = aPayment()] = await storedPayments(opened.store);
    const terms = { ...payment.terms, merchant: 'tema' };
    await changePayment(opened.store, payment.id, { terms });
    await opened.pass(60_000);
    expect(services.tema.sent).toEqual([]);
    expect(opened.alerts().join()).toContain('Not sent: a payment was changed');
  });
});

it('a picture has the name of its merchant, and none where its payments are of several', () => {
  const settings = { ...smsSettings(), merchants: [osu, tema] };
  expect(shopOf(settings, { merchant: 'osu' })).toBe('Adjoa Osu');
  expect(shopOf(settings, {})).toBe('');
  expect(shopOf({ ...settings, merchants: [] }, {})).toBe(settings.texts.shop);
});
