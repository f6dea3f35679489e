import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewaySettings } from '../../../../src/core/gateway/exchange.ts';
import type { Gateway } from '../../../../src/core/gateway/gateway.ts';
import { sandboxProvider } from '../../../../src/core/gateway/provider.ts';
import type { Log } from '../../../../src/core/runtime/log.ts';
import type { PaymentOption } from '../../../../src/core/values/network.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import {
  jsonScript,
  type ScriptedHttp,
  startScriptedHttp,
} from '../../../support/scripted-http.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { accepted, operations, paymentRequest, settings } from '../scripted-gateway.ts';

let service: ScriptedHttp;
beforeAll(async () => {
  service = await startScriptedHttp(jsonScript(200, accepted));
});
beforeEach(() => {
  service.script = jsonScript(200, accepted);
});
afterAll(() => service.stop());

const noonClock = new ManualClock(Date.UTC(2026, 0, 15, 12, 0, 0, 250));

const gatewayWith = (changes: Partial<GatewaySettings> = {}, log: Log = silentLog): Gateway =>
  sandboxProvider.createGateway(
    { ...settings, baseUrl: service.baseUrl, ...changes },
    { clock: noonClock, log },
  );

/** What the last request carried. */
const sent = () => {
  const request = service.requests.at(-1);
  if (request === undefined) throw new Error('nothing was sent');
  return { ...request, fields: JSON.parse(request.body) as Record<string, unknown> };
};

const paymentFields = {
  service_id: 77,
  reference: 'Invoice 12',
  nickname: 'Ama Ventures',
  transaction_id: 'PT7K3M9Q2XWZ',
  trans_type: 'CTM',
  customer_number: '0244123456',
  nw: 'MTN',
  amount: 19.99,
  payment_option: 'MOM',
  callback_url: 'https://pay.example/callbacks/PT7K3M9Q2XWZ.abc',
  currency_code: 'GHS',
  request_time: '2026-01-15T12:00:00.250Z',
};

describe('a payment request that is called off when its turn has come', () => {
  it('is asked about after it has waited for its turn, and before it is sent', async () => {
    const order: string[] = [];
    const cluster = { reserve: async () => order.push('turn') - 1 };
    const gateway = sandboxProvider.createGateway(
      { ...settings, baseUrl: service.baseUrl },
      { clock: noonClock, log: silentLog, cluster },
    );
    const before = service.requests.length;
    const whyNotToSend = async () => {
      order.push(`asked with ${service.requests.length - before} sent`);
      return undefined;
    };
    await gateway.makePayment({ ...paymentRequest, whyNotToSend });
    expect(order).toEqual(['turn', 'asked with 0 sent']);
    expect(service.requests).toHaveLength(before + 1);
  });
});

describe('every operation', () => {
  it.each(Object.entries(operations))(
    '%s is a POST of JSON with Basic credentials',
    async (name, call) => {
      await call(gatewayWith());
      const { method, path, headers } = sent();
      expect({ method, path }).toEqual({ method: 'POST', path: `/${name}` });
      expect(headers['content-type']).toBe('application/json');
      expect(headers.authorization).toBe(
        `Basic ${Buffer.from('client-key:secret:key').toString('base64')}`,
      );
      const isOrder = name === 'make_payment' || name === 'send_sms';
      expect(headers.connection).toBe(isOrder ? 'close' : 'keep-alive');
    },
  );

  it.each([
    ['', '/make_payment'],
    ['/', '/make_payment'],
    ['/api/v2', '/api/v2/make_payment'],
    ['/api/v2//', '/api/v2/make_payment'],
  ])('a base address ending in "%s" leads to %s', async (ending, path) => {
    await gatewayWith({ baseUrl: service.baseUrl + ending }).makePayment(paymentRequest);
    expect(sent().path).toBe(path);
  });

  it('keys beyond ASCII are sent as UTF-8', async () => {
    await gatewayWith({ clientKey: 'clé', secretKey: 'ɛ' }).checkBalance();
    const [, credentials = ''] = sent().headers.authorization?.split(' ') ?? [];
    expect(Buffer.from(credentials, 'base64').toString('utf8')).toBe('clé:ɛ');
  });
});

describe('make_payment', () => {
  it.each<PaymentOption>(['MOM', 'CRD', 'CRM'])(
    'sends exactly its fields for %s',
    async (option) => {
      await gatewayWith().makePayment({ ...paymentRequest, option });
      expect(sent().fields).toStrictEqual({ ...paymentFields, payment_option: option });
    },
  );

  it.each(['MTN', 'VOD', 'AIR', 'VIS', 'MAS'] as const)(
    'sends network %s as it is',
    async (network) => {
      await gatewayWith().makePayment({ ...paymentRequest, network });
      expect(sent().fields.nw).toBe(network);
    },
  );

  it.each([
    ['never', undefined],
    ['amount', 19.99],
    ['one', 1],
  ] as const)('currency_val: %s', async (sendCurrencyVal, value) => {
    await gatewayWith({ sendCurrencyVal }).makePayment(paymentRequest);
    const expected =
      value === undefined ? paymentFields : { ...paymentFields, currency_val: value };
    expect(sent().fields).toStrictEqual(expected);
  });

  it.each([
    [5, '0.05'],
    [100, '1'],
    [1005, '10.05'],
    [120050, '1200.5'],
    [99999999, '999999.99'],
  ])('%i pesewas are written as the number %s', async (amountMinor, text) => {
    await gatewayWith().makePayment({
      ...paymentRequest,
      amount: { amountMinor, currency: 'GHS' },
    });
    expect(sent().body).toContain(`"amount":${text},`);
  });

  it.each([
    ['national', '0244123456'],
    ['e164', '+233244123456'],
    ['msisdn', '233244123456'],
  ] as const)('the number is written %s', async (numberFormat, number) => {
    await gatewayWith({ numberFormat }).makePayment(paymentRequest);
    expect(sent().fields.customer_number).toBe(number);
  });
});

describe('the questions and SMS', () => {
  it.each([
    ['MTN', 'MTN'],
    ['VOD', 'VODA'],
    ['AIR', 'AIRTELTIGO'],
    ['VIS', 'VIS'],
  ] as const)('a lookup of %s spells it %s', async (network, nw) => {
    await gatewayWith().lookUpAccount({ number: '+233244123456', network });
    expect(sent().fields).toStrictEqual({ service_id: 77, pan: '0244123456', nw });
  });

  it('a status check sends the id alone', async () => {
    await gatewayWith().checkStatus('PT7K3M9Q2XWZ', 'person');
    expect(sent().fields).toStrictEqual({ service_id: 77, transaction_id: 'PT7K3M9Q2XWZ' });
  });

  it('an SMS goes to a list of numbers, its text untouched', async () => {
    await gatewayWith().sendSms({
      senderId: 'AMASHOP',
      text: 'Ɛyɛ\nGH₵ 50 ✓',
      recipients: ['+233244123456', '+233201234567'],
      uniqueId: 'U1',
    });
    expect(sent().fields).toStrictEqual({
      service_id: 77,
      sender_id: 'AMASHOP',
      msg_body: 'Ɛyɛ\nGH₵ 50 ✓',
      recipient_number: ['0244123456', '0201234567'],
      unique_id: 'U1',
    });
  });

  it('a balance question says when it was asked', async () => {
    await gatewayWith().checkBalance();
    expect(sent().fields).toStrictEqual({
      service_id: 77,
      request_time: '2026-01-15T12:00:00.250Z',
    });
  });
});

it('nothing secret and no customer gets into the log', async () => {
  const lines: string[] = [];
  const keep = (...args: unknown[]) => void lines.push(JSON.stringify(args));
  const log = { debug: keep, info: keep, warn: keep, error: keep, fatal: keep } as unknown as Log;
  for (const status of [200, 401, 429, 500]) {
    service.script = jsonScript(status, { response_code: '9', response_message: 'No 0244123456' });
    for (const call of Object.values(operations)) await call(gatewayWith({}, log));
  }
  await gatewayWith({ baseUrl: 'http://no-such-host.invalid' }, log).makePayment(paymentRequest);
  expect(lines).toHaveLength(21);
  const credentials = Buffer.from('client-key:secret:key').toString('base64');
  for (const secret of ['secret:key', credentials, '244123456'])
    expect(lines.join('\n')).not.toContain(secret);
});
