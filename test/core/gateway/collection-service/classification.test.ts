import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../../../../src/core/gateway/gateway.ts';
import {
  bytesScript,
  httpAnswer,
  jsonScript,
  type ScriptedHttp,
  startScriptedHttp,
} from '../../../support/scripted-http.ts';
import { accepted, gatewayTo, paymentRequest } from '../scripted-gateway.ts';

let service: ScriptedHttp;
let gateway: Gateway;
beforeAll(async () => {
  service = await startScriptedHttp(jsonScript(200, accepted));
  gateway = gatewayTo(service.baseUrl);
});
afterAll(() => service.stop());

const pay = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  service.script = jsonScript(status, body, headers);
  return gateway.makePayment(paymentRequest);
};
const payText = (status: number, body: string | Buffer) => {
  service.script = bytesScript(httpAnswer(status, body));
  return gateway.makePayment(paymentRequest);
};
const WORDS = 'Words of the service';
const says = (code: unknown, message = WORDS) => ({
  response_code: code,
  response_message: message,
});

describe('make_payment', () => {
  it.each([
    [200, '202'],
    [202, '202'],
    [201, 202],
    [200, ' 202 '],
    [200, '000'],
    [200, 0],
    [200, '0'],
  ])('HTTP %i with code %j is accepted', async (status, code) => {
    expect(await pay(status, says(code))).toEqual({
      kind: 'accepted',
      answer: { code: String(code).trim(), message: WORDS },
    });
  });

  it.each([400, 401, 403, 404, 405, 413, 415, 422])(
    'HTTP %i is refused',
    { tags: ['F10'] },
    async (status) => {
      const outcome = await pay(status, says('100', 'You may not'));
      expect(outcome).toMatchObject({
        kind: 'refused',
        answer: { code: '100', message: 'You may not' },
        reason: expect.stringMatching(/^The payment service .*\.$/),
      });
    },
  );

  it.each([401, 403, 404])('HTTP %i is refused whatever stands in its page', async (status) => {
    const outcome = await payText(status, '<html>No</html>');
    expect(outcome).toMatchObject({ kind: 'refused', answer: { code: `HTTP ${status}` } });
  });

  it('a refusal for wrong keys says what to check', { tags: ['F10'] }, async () => {
    const outcome = await pay(401, {});
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/did not accept our keys. The owner has to check/),
    });
  });

  it.each([
    300, 301, 302, 307, 308, 402, 406, 408, 409, 410, 418, 425, 451, 500, 502, 503, 504, 599,
  ])('HTTP %i is unknown', { tags: ['F9'] }, async (status) => {
    expect(await pay(status, says('500'))).toMatchObject({
      kind: 'unknown',
      answer: { code: '500', message: WORDS },
    });
  });

  it.each([302, 400, 401, 403, 404, 422, 429, 500, 503])(
    'an acceptance under HTTP %i is unknown',
    { tags: ['F13'] },
    async (status) => {
      for (const code of ['202', '000'])
        expect(await pay(status, says(code), { 'retry-after': '1' })).toMatchObject({
          kind: 'unknown',
          answer: { code },
        });
    },
  );

  it.each(['201', '219', '401', '429', '500', 'ACCEPTED', '2020', '-1', '0.0', {}, ['202'], true])(
    'the unlisted code %j is unknown and given no meaning',
    { tags: ['F13'] },
    async (code) => {
      const outcome = await pay(200, says(code, 'Duplicate.'));
      const shown = typeof code === 'object' ? '(unreadable)' : String(code);
      const named = /\d/.test(shown) ? ` (code ${shown})` : '';
      expect(outcome).toEqual({
        kind: 'unknown',
        answer: { code: shown, message: 'Duplicate.' },
        reason: `The payment service gave an answer that its document does not explain${named}.`,
      });
    },
  );

  it.each([
    ['nothing', ''],
    ['HTML', '<!doctype html><h1>Bad gateway</h1>'],
    ['a list', '[{"response_code":"202"}]'],
    ['a bare string', '"202"'],
    ['null', 'null'],
    ['no code', '{"response_message":"ok"}'],
    ['a code of null', '{"response_code":null}'],
    ['an empty code', '{"response_code":" "}'],
    ['half of it', '{"response_code":"202"'],
    ['something behind it', '{"response_code":"202"} <html>'],
    ['a code in the prototype', '{"__proto__":{"response_code":"202"}}'],
    ['a constructor', '{"constructor":{"prototype":{"response_code":"202"}}}'],
    ['two codes', '{"response_code":"500","response_code":"202"}'],
    ['the same code twice', '{"response_code":"202","response_code":"202"}'],
    ['two codes, one in disguise', '{"response_code":"500","response\\u005fcode":"202"}'],
    ['two fields deep inside', '{"response_code":"202","x":[{"a":1,"a":2}]}'],
    ['a nesting of 100,000', `{"response_code":"202","x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`],
    ['bad UTF-8', Buffer.from('{"response_code":"202","x":"\xff"}', 'latin1')],
  ])('HTTP 200 with %s is unknown', { tags: ['F8'] }, async (_what, body) => {
    expect(await payText(200, body)).toMatchObject({
      kind: 'unknown',
      answer: { code: 'HTTP 200' },
      reason: 'The payment service gave an answer that cannot be read (HTTP 200).',
    });
    expect(Object.hasOwn(Object.prototype, 'response_code')).toBe(false);
  });

  it.each([
    ['further fields', '{"response_code":"202","a":[1,{"b":"c:\\"d\\":"}],"e":{}}'],
    ['a byte order mark', '\ufeff{"response_code":"202"}'],
    ['response_data of another kind', '{"response_code":"202","response_data":[1]}'],
    ['response_data of null', '{"response_code":"202","response_data":null}'],
    ['keys that look like Object members', '{"response_code":"202","toString":1,"__proto__":2}'],
    ['blanks everywhere', ' {\n "response_code" :\t"202" } \n'],
  ])('%s do no harm', async (_what, body) => {
    expect(await payText(200, body)).toMatchObject({ kind: 'accepted', answer: { code: '202' } });
  });

  it('shows no phone number that stands in the place of a code', async () => {
    const { reason } = (await pay(200, says('0244123456'))) as { reason: string };
    expect(reason).toMatch(/ \(code \S+\)\.$/);
    expect(reason).not.toContain('244123456');
  });

  it('keeps words of the service, without control characters and not without end', async () => {
    const message = `Kofi\u202e\r\n\u0000said ${'long '.repeat(500)}`;
    const { answer } = (await pay(200, says('202', message))) as { answer: { message: string } };
    expect(answer.message).toMatch(/^Kofi said long long/);
    expect(answer.message.length).toBeLessThanOrEqual(500);
  });

  it('hands on the checkout link, from the top or from response_data', async () => {
    const link = 'https://checkout.example/pay/1?a=b';
    const linked = { kind: 'accepted', checkoutUrl: link };
    expect(await pay(200, { ...says('000'), redirect_url: link })).toMatchObject(linked);
    expect(await pay(200, { ...says('202'), response_data: { link } })).toMatchObject(linked);
    const plain = await pay(200, { ...says('202'), url: 'http://plain.example/' });
    expect(plain).not.toHaveProperty('checkoutUrl');
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    ['-5', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('429 with Retry-After %s is rate limited', async (retryAfter, retryAfterMs) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    expect(await pay(429, says('429', 'Slow down'), headers)).toStrictEqual({
      kind: 'rateLimited',
      answer: { code: '429', message: 'Slow down' },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  });
});

describe('send_sms', () => {
  const send = (status: number, body: unknown) => {
    service.script = jsonScript(status, body);
    const recipients = ['+233244123456'];
    return gateway.sendSms({ senderId: 'A', text: 'b', recipients, uniqueId: 'c' });
  };

  it('is sent under code 000, with what the service says of the message', async () => {
    const data = { message_id: 'M-1', status: 'sent' };
    expect(await send(200, { ...says('000'), response_data: data })).toEqual({
      kind: 'sent',
      messageId: 'M-1',
      status: 'sent',
      answer: { code: '000', message: WORDS },
    });
    expect(await send(200, says(0))).toMatchObject({ kind: 'sent', messageId: '', status: '' });
  });

  it.each(['Sent', 'DELIVERED', 'accepted', 'submitted', 'queued', 'success', 'in_progress', 'ok'])(
    'is sent when the service says "%s" of the message',
    async (word) => {
      expect(await send(200, { ...says('000'), response_data: { status: word } })).toMatchObject({
        kind: 'sent',
        status: word,
      });
    },
  );

  it.each([
    ...['failed', 'FAILED', 'rejected', 'expired', 'undelivered', 'not sent', 'blocked'],
    ...['insufficient balance', '1'],
  ])(
    'is not clear under code 000 when the service says "%s" of the message',
    { tags: ['F79'] },
    async (word) => {
      expect(await send(200, { ...says('000'), response_data: { status: word } })).toEqual({
        kind: 'unknown',
        answer: { code: '000', message: WORDS },
        reason: `The payment service says "${word}" of this SMS.`,
      });
    },
  );

  it.each([
    [200, '202', 'unknown'],
    [200, '064', 'unknown'],
    [500, '000', 'unknown'],
    [500, '500', 'unknown'],
    [400, '400', 'refused'],
    [403, '100', 'refused'],
    [429, '429', 'rateLimited'],
  ])('HTTP %i with code %s is %s', async (status, code, kind) => {
    expect(await send(status, says(code))).toMatchObject({ kind, answer: { code } });
  });
});

describe('payment_account_lookup', () => {
  const lookUp = (status: number, body: unknown) => {
    service.script = jsonScript(status, body);
    return gateway.lookUpAccount({ number: '+233244123456', network: 'MTN' });
  };
  const account = {
    account_name: 'Ama Mensah',
    account_status: 'Active',
    account_type: 'mobile_money',
  };

  it('is found under code 000 with a name', async () => {
    expect(await lookUp(200, { ...says('000'), response_data: account })).toEqual({
      kind: 'found',
      name: 'Ama Mensah',
      status: 'active',
      type: 'mobile_money',
      answer: { code: '000', message: WORDS },
    });
  });

  it.each([
    ['another code', 200, '033', account],
    ['code 202', 200, '202', account],
    ['no data', 200, '000', undefined],
    ['an empty name', 200, '000', { ...account, account_name: ' \u200b ' }],
    ['a name that is no text', 200, '000', { ...account, account_name: { first: 'Ama' } }],
    ['HTTP 404 with a code', 404, '033', undefined],
    ['HTTP 400 with a code', 400, '009', undefined],
  ])('%s confirms no account', async (_what, status, code, response_data) => {
    const outcome = await lookUp(status, { ...says(code), response_data });
    expect(outcome).toEqual({
      kind: 'notFound',
      answer: { code, message: WORDS },
    });
  });
});

describe('check_transaction_status', () => {
  const check = (status: number, body: unknown) => {
    service.script = jsonScript(status, body);
    return gateway.checkStatus('PT7K3M9Q2XWZ', 'person');
  };
  const record = {
    transaction_id: 'PT7K3M9Q2XWZ',
    status: 'Completed',
    amount: 50,
    payment_date: '2026-01-15T12:00:00Z',
  };

  it('gives the record as the service gave it', async () => {
    expect(await check(200, { ...says('000'), response_data: record })).toEqual({
      kind: 'status',
      status: 'completed',
      word: 'Completed',
      transactionId: 'PT7K3M9Q2XWZ',
      amount: '50',
      paymentDate: '2026-01-15T12:00:00Z',
      answer: { code: '000', message: WORDS },
    });
  });

  it.each([
    ['50.00', '50.00'],
    ['19.99', '19.99'],
    ['1e999', '1e999'],
    ['12345678901234567890.01', '12345678901234567890.01'],
    ['" 50.00 "', '50.00'],
    ['"GHS 50"', 'GHS 50'],
    ['{"value":50}', '(unreadable)'],
    ['null', undefined],
    ['""', undefined],
  ])('an amount of %s is given as %s', async (written, amount) => {
    const body = `{"response_code":"000","response_data":{"status":"completed","amount":${written}}}`;
    service.script = bytesScript(httpAnswer(200, body));
    const outcome = await gateway.checkStatus('PT7K3M9Q2XWZ', 'person');
    expect(outcome).toMatchObject({ kind: 'status', status: 'completed' });
    expect((outcome as { amount?: string }).amount).toBe(amount);
  });

  it('a failed payment under code 000 is failed', async () => {
    const response_data = { ...record, status: 'failed' };
    expect(await check(200, { ...says('000', 'success'), response_data })).toMatchObject({
      kind: 'status',
      status: 'failed',
    });
  });

  it.each([
    ['an unlisted code', 200, '067', record],
    ['code 202', 200, '202', record],
    ['no data', 200, '000', undefined],
    ['no status', 200, '000', { amount: 50 }],
    ['an empty status', 200, '000', { ...record, status: '' }],
    ['HTTP 404 with a code', 404, '067', undefined],
  ])('%s is no status', async (_what, status, code, response_data) => {
    const outcome = await check(status, { ...says(code), response_data });
    expect(outcome).toMatchObject({ kind: 'noStatus', answer: { code } });
  });

  it('two different statuses in one answer are no answer', async () => {
    const body = '{"response_code":"000","response_data":{"status":"failed","status":"completed"}}';
    service.script = bytesScript(httpAnswer(200, body));
    expect(await gateway.checkStatus('X', 'person')).toMatchObject({ kind: 'noAnswer' });
  });
});

describe('check_sms_balance', () => {
  const ask = (status: number, body: unknown) => {
    service.script = jsonScript(status, body);
    return gateway.checkBalance();
  };

  it('gives the balances as text, and leaves out what is missing', async () => {
    const response_data = { sms_balance: 120, payout_balance: '7.50', other_balance: 3 };
    expect(await ask(200, { ...says('000'), response_data })).toEqual({
      kind: 'balances',
      sms: '120',
      payout: '7.50',
      answer: { code: '000', message: WORDS },
    });
    expect(await ask(200, says('000'))).toMatchObject({ kind: 'balances' });
  });

  it('an unlisted code is no answer', async () => {
    expect(await ask(200, says('064', 'Not now'))).toMatchObject({
      kind: 'noAnswer',
      answer: { code: '064', message: 'Not now' },
      reason: 'The payment service gave an answer that its document does not explain (code 064).',
    });
  });
});
