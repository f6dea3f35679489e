import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Gateway, PaymentRequest } from '../../src/core/gateway/gateway.ts';
import { sandboxProvider } from '../../src/core/gateway/provider.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  bytesScript,
  httpAnswer,
  jsonScript,
  type ScriptedHttp,
  startScriptedHttp,
} from '../support/scripted-http.ts';
import { silentLog } from '../support/silent-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

let clock: ManualClock;
let receiver: ScriptedHttp;
let sandbox: Sandbox;
let gateway: Gateway;

const start = async (options: Partial<SandboxOptions> = {}): Promise<void> => {
  const started = await startSandbox({ clock, ...options });
  onTestFinished(() => started.stop());
  sandbox = started;
  gateway = sandboxProvider.createGateway(
    {
      ...{ ...sandbox, timeoutMs: 5000, requestsPerSecond: 1000 },
      ...{ sendCurrencyVal: 'never', numberFormat: 'national' },
    },
    { clock: systemClock, log: silentLog },
  );
};

beforeEach(async () => {
  clock = new ManualClock();
  receiver = await startScriptedHttp(jsonScript(200, {}));
  onTestFinished(() => receiver.stop());
  await start();
});

const pay = (lastDigits: string, changes: Partial<PaymentRequest> = {}) =>
  gateway.makePayment({
    transactionId: `PT0000000${lastDigits}`,
    reference: 'Invoice 12',
    customerNumber: `+2332441234${lastDigits}`,
    network: 'MTN',
    amount: { amountMinor: 5050, currency: 'GHS' },
    option: 'MOM',
    callbackUrl: `${receiver.baseUrl}/callbacks/1`,
    ...changes,
  });
const statusOf = async (lastDigits: string) => {
  const outcome = await gateway.checkStatus(`PT0000000${lastDigits}`, 'person');
  return outcome.kind === 'status' ? outcome.status : outcome.kind;
};
const accepted = { kind: 'accepted' };
const completedAfter5s = async (lastDigits: string) => {
  await clock.advance(4999);
  expect(await statusOf(lastDigits)).toBe('pending');
  await clock.advance(1);
  expect(await statusOf(lastDigits)).toBe('completed');
};
const callbacks = () =>
  receiver.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const callbacksReceived = (count: number) => expect.poll(() => callbacks().length).toBe(count);
const lookUp = (lastDigits: string) =>
  gateway.lookUpAccount({ number: `+2332441234${lastDigits}`, network: 'VOD' });

describe('by the last two digits of the customer number', () => {
  it('any other: accepted, and a callback "completed" after 2 s', async () => {
    expect(await pay('56')).toMatchObject({ kind: 'accepted', answer: { code: '202' } });
    await clock.advance(1999);
    expect(await statusOf('56')).toBe('pending');
    expect(callbacks()).toEqual([]);
    await clock.advance(1);
    await callbacksReceived(1);
    expect(callbacks()).toEqual([
      {
        transaction_id: 'PT000000056',
        status: 'completed',
        status_desc: 'Completed',
        message: 'Transaction successful',
        amount: 50.5,
        currency_code: 'GHS',
        customer_number: '0244123456',
        reference: 'Invoice 12',
        timestamp: '2026-01-15T09:00:02.000Z',
      },
    ]);
    expect(receiver.requests[0]).toMatchObject({
      method: 'POST',
      path: '/callbacks/1',
      headers: { 'content-type': 'application/json' },
    });
    expect(await gateway.checkStatus('PT000000056', 'person')).toMatchObject({
      kind: 'status',
      status: 'completed',
      transactionId: 'PT000000056',
      amount: '50.5',
      paymentDate: '2026-01-15T09:00:00.000Z',
    });
  });

  it('01: a callback "failed" after 2 s, for want of money', async () => {
    expect(await pay('01')).toMatchObject(accepted);
    await clock.advance(2000);
    await callbacksReceived(1);
    const message = expect.stringMatching(/not have enough money/);
    expect(callbacks()[0]).toMatchObject({ status: 'failed', message });
    const status = await gateway.checkStatus('PT000000001', 'person');
    expect(status).toMatchObject({ status: 'failed', answer: { code: '000', message } });
  });

  it('02: never a callback, completed after 5 s', async () => {
    expect(await pay('02')).toMatchObject(accepted);
    await completedAfter5s('02');
    await clock.advance(60_000);
    expect(receiver.connections).toBe(0);
  });

  it('03: the callback comes three times', async () => {
    expect(await pay('03')).toMatchObject(accepted);
    await clock.advance(2000);
    await callbacksReceived(3);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('04: cut after the request was taken, completed after 5 s', async () => {
    expect(await pay('04')).toMatchObject({ kind: 'unknown', answer: {} });
    expect(sandbox.payments()).toMatchObject([{ transactionId: 'PT000000004', times: 1 }]);
    await completedAfter5s('04');
    expect(receiver.connections).toBe(0);
  });

  it('05: 429 twice for each transaction id, then accepted and completed', async () => {
    const limited = { kind: 'rateLimited', retryAfterMs: 1000 };
    for (const _time of [1, 2]) expect(await pay('05')).toMatchObject(limited);
    expect(await statusOf('05')).toBe('noStatus');
    expect(await pay('05', { transactionId: 'ANOTHERONE05' })).toMatchObject(limited);
    for (const _time of [1, 2]) expect(await pay('05')).toMatchObject(accepted);
    await clock.advance(2000);
    await callbacksReceived(1);
    expect(await statusOf('05')).toBe('completed');
  });

  it('06: stays pending', async () => {
    expect(await pay('06')).toMatchObject(accepted);
    await clock.advance(72 * 3600 * 1000);
    expect(await statusOf('06')).toBe('pending');
    expect(receiver.connections).toBe(0);
  });

  it('07: its account is inactive; 08: it has none', async () => {
    expect(await lookUp('07')).toMatchObject({ kind: 'found', status: 'inactive' });
    expect(await lookUp('08')).toMatchObject({ kind: 'notFound', answer: { code: '033' } });
    for (const lastDigits of ['07', '08']) expect(await pay(lastDigits)).toMatchObject(accepted);
  });

  it('09: HTTP 500 with an HTML page, and nothing was taken', async () => {
    expect(await pay('09')).toMatchObject({ kind: 'unknown', answer: { code: 'HTTP 500' } });
    expect(sandbox.payments()).toEqual([]);
    const answer = { code: '067', message: 'No record found' };
    const status = await gateway.checkStatus('PT000000009', 'person');
    expect(status).toMatchObject({ kind: 'noStatus', answer });
  });
});

describe('accounts, SMS and balances', () => {
  it('a number has the same plausible name in every spelling, its neighbours have others', async () => {
    const outcome = await lookUp('56');
    expect(outcome).toMatchObject({
      kind: 'found',
      name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/),
      status: 'active',
      type: 'mobile_money',
    });
    expect(await lookUp('56')).toEqual(outcome);
    expect(await lookUp('57')).not.toEqual(outcome);
  });

  it('the SMS balance falls by parts and recipients, until it is too low', async () => {
    const send = (text: string, recipients: readonly string[]) =>
      gateway.sendSms({ senderId: 'AMASHOP', text, recipients, uniqueId: 'U1' });
    const two = ['+233244123456', '+233201234567'];
    const sent = { kind: 'sent', messageId: 'SMS-U1', status: 'sent' };
    expect(await send('x'.repeat(161), two)).toMatchObject(sent);
    expect(await gateway.checkBalance()).toMatchObject({ sms: '996' });
    const many = Array<string>(600).fill('+233244123456');
    const tooLow = { kind: 'unknown', answer: { code: '064' } };
    expect(await send('₵'.repeat(71), many)).toMatchObject(tooLow);
    expect(await gateway.checkBalance()).toMatchObject({ sms: '996', payout: '2500' });
  });

  it('the collection balance grows once a payment is completed', async () => {
    await pay('56');
    await pay('01');
    expect(await gateway.checkBalance()).toMatchObject({ collection: '10000' });
    await clock.advance(2000);
    expect(await gateway.checkBalance()).toMatchObject({ collection: '10050.5' });
  });

  it('a payment sent twice is taken, counted and collected twice', { tags: ['F15'] }, async () => {
    for (const _time of [1, 2]) expect(await pay('56')).toMatchObject(accepted);
    expect(sandbox.payments()).toMatchObject([{ transactionId: 'PT000000056', times: 2 }]);
    await clock.advance(2000);
    expect(await gateway.checkBalance()).toMatchObject({ collection: '10101' });
  });

  it.each(['CRD', 'CRM'] as const)('%s is answered with a checkout link', async (option) => {
    expect(await pay('56', { option, network: 'VIS' })).toMatchObject({
      kind: 'accepted',
      checkoutUrl: 'https://checkout.example/pay/PT000000056',
    });
    expect(await pay('57')).not.toHaveProperty('checkoutUrl');
  });
});

describe('callbacks', () => {
  it('are tried again while refused, and given up after a few times', async () => {
    receiver.script = bytesScript(httpAnswer(500, ''));
    await pay('56');
    await clock.advance(2000);
    for (let tries = 1; tries <= 5; tries++) {
      await callbacksReceived(tries);
      await expect.poll(() => clock.sleeping).toBe(tries < 5 ? 1 : 0);
      await clock.advance(1000);
    }
    await clock.advance(60_000);
    expect(callbacks()).toHaveLength(5);
  });

  it('do not follow redirects', async () => {
    const elsewhere = await startScriptedHttp(jsonScript(200, {}));
    receiver.script = bytesScript(httpAnswer(307, '', { location: elsewhere.baseUrl }));
    await pay('56');
    await clock.advance(2000);
    await expect.poll(() => clock.sleeping).toBe(1);
    expect(elsewhere.connections).toBe(0);
    await elsewhere.stop();
  });
});

describe('requests', () => {
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(sandbox.baseUrl + path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${btoa(`${sandbox.clientKey}:${sandbox.secretKey}`)}`,
        ...headers,
      },
    });
  const valid: Readonly<Record<string, Record<string, unknown>>> = {
    '/make_payment': {
      ...{ service_id: 1001, reference: 'r', nickname: 'n', transaction_id: 'T1', amount: 1 },
      ...{ trans_type: 'CTM', customer_number: '0244123456', nw: 'MTN', payment_option: 'MOM' },
      ...{ callback_url: 'http://127.0.0.1:9/', currency_code: 'GHS' },
    },
    '/payment_account_lookup': { service_id: 1001, pan: '0244123456', nw: 'AIRTELTIGO' },
    '/check_transaction_status': { service_id: 1001, transaction_id: 'T1' },
    '/send_sms': {
      ...{ service_id: 1001, sender_id: 'A', msg_body: 'b', unique_id: 'u' },
      recipient_number: ['0244123456'],
    },
    '/check_sms_balance': { service_id: 1001, request_time: '2026-01-15T09:00:00Z' },
  };

  it.each(Object.entries(valid))('%s wants all its fields', async (path, fields) => {
    expect((await post(path, JSON.stringify(fields))).status).toBe(200);
    for (const name of Object.keys(fields)) {
      const { [name]: _left, ...rest } = fields;
      const response = await post(path, JSON.stringify(rest));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        response_code: '400',
        response_message: expect.stringContaining(name),
      });
    }
  });

  it.each([
    ['/make_payment', { amount: '1' }],
    ['/make_payment', { amount: -1 }],
    ['/make_payment', { service_id: '1001' }],
    ['/make_payment', { trans_type: 'MTC' }],
    ['/make_payment', { nw: 'VODA' }],
    ['/make_payment', { payment_option: 'CASH' }],
    ['/make_payment', { callback_url: 'ftp://x' }],
    ['/make_payment', { request_time: 'yesterday' }],
    ['/payment_account_lookup', { nw: 'VOD' }],
    ['/send_sms', { recipient_number: '0244123456' }],
    ['/send_sms', { recipient_number: [] }],
  ])('%s refuses %j', async (path, wrong) => {
    const response = await post(path, JSON.stringify({ ...valid[path], ...wrong }));
    expect(response.status).toBe(400);
  });

  it('are refused as real services refuse them', async () => {
    const body = JSON.stringify(valid['/check_sms_balance']);
    const status = async (response: Promise<Response>) => (await response).status;
    const path = '/check_sms_balance';
    expect(await status(post(path, body, { authorization: 'Basic bm86bm8=' }))).toBe(401);
    expect(await status(post(path, body, { authorization: '' }))).toBe(401);
    expect(await status(post(path, body.replace('1001', '7')))).toBe(403);
    expect(await status(post('/refund', body))).toBe(404);
    expect(await status(post(path, '{'))).toBe(400);
    expect(await status(post(path, body, { 'content-type': 'text/plain' }))).toBe(415);
    expect(await status(post(path, `"${'x'.repeat(70_000)}"`))).toBe(413);
    expect(await status(fetch(sandbox.baseUrl + path))).toBe(401);
  });

  it('are all noted, without their credentials', async () => {
    await post('/check_sms_balance', JSON.stringify(valid['/check_sms_balance']));
    await post('/nowhere', 'no json');
    expect(sandbox.requests).toMatchObject([
      {
        method: 'POST',
        path: '/check_sms_balance',
        headers: { 'content-type': 'application/json' },
        body: valid['/check_sms_balance'],
        atMs: clock.now(),
      },
      { path: '/nowhere', body: 'no json' },
    ]);
    expect(JSON.stringify(sandbox.requests)).not.toMatch(/authorization|Basic/);
  });
});

describe('the file', () => {
  let file: string;
  beforeEach(async () => {
    file = join(await tempFolder(), 'sandbox.json');
    await start({ file });
  });

  const restart = async () => {
    await sandbox.stop();
    await start({ file });
  };

  it('brings payments, counts and balances over a restart', async () => {
    await pay('56');
    await pay('56');
    await pay('05');
    await sandbox.stop();
    await clock.advance(10_000);
    await start({ file });
    expect(await statusOf('56')).toBe('completed');
    expect(sandbox.payments()).toMatchObject([{ transactionId: 'PT000000056', times: 2 }]);
    expect(await gateway.checkBalance()).toMatchObject({ collection: '10101' });
    expect(await pay('05')).toMatchObject({ kind: 'rateLimited' });
    expect(await pay('05')).toMatchObject(accepted);
  });

  it('holds a payment before it is answered, so that a killed process has not forgotten it', async () => {
    await pay('04');
    await start({ file });
    await clock.advance(5000);
    expect(await statusOf('04')).toBe('completed');
  });

  it('brings callbacks that are still owed, and none twice', async () => {
    await pay('56');
    await pay('57');
    await restart();
    await clock.advance(2000);
    await callbacksReceived(2);
    await expect.poll(() => sandbox.payments().every((one) => one.callbacksOwed === 0)).toBe(true);
    await restart();
    await clock.advance(60_000);
    expect(callbacks()).toHaveLength(2);
  });

  it('takes many payments at once, and odd ids like any other', async () => {
    const ids = [...Array(50).keys()].map((n) => `ID${n}`).concat('__proto__', '42', 'constructor');
    await Promise.all(ids.map((transactionId) => pay('56', { transactionId })));
    await start({ file });
    const payments = sandbox.payments();
    expect(payments.map((one) => one.transactionId).sort()).toEqual(ids.sort());
    expect(payments.every((one) => one.times === 1)).toBe(true);
  });

  it('that is broken is reported, not overwritten', async () => {
    const broken = `${file}.broken`;
    await writeFile(broken, '{"payments":');
    await expect(startSandbox({ clock, file: broken })).rejects.toThrow(SyntaxError);
  });
});
