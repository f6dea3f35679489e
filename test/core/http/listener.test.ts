import { connect } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Callbacks } from '../../../src/core/callbacks/callbacks.ts';
import { UnmatchedCallbacks } from '../../../src/core/callbacks/unmatched-callbacks.ts';
import { Listener, TIMEOUTS } from '../../../src/core/http/listener.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { aPayment } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { testSeal } from '../../support/test-seal.ts';

const OLD_SECRET = 'old-secret-of-the-shop';
const policy = { scheduleMs: [10_000], giveUpMs: 3_600_000 };
const payment = aPayment({ state: 'pending', due: { queue: 'check', atMs: 4_000_000_000_000 } });
let store: Store;
let port: number;
let callbacks: Callbacks;
let lateMs: number;
let missing: string[];
let listener: Listener;

beforeEach(async () => {
  lateMs = 0;
  missing = [];
  store = await openStore();
  await store.commit({ put: [{ kind: 'payment', record: payment }] });
  listener = new Listener({
    health: { lateMs: async () => lateMs, missing: () => missing, metrics: async () => 'up 1\n' },
    log: silentLog,
    // A connection that is kept keeps a test from ending.
    timeouts: { ...TIMEOUTS, keepAliveTimeout: 600_000, timeout: 600_000 },
  });
  port = await listener.listen('127.0.0.1', 0);
  onTestFinished(() => listener.stop());
  callbacks = callbacksWith(`http://127.0.0.1:${port}/`, 'new-secret-of-the-shop', OLD_SECRET);
});

const clock = systemClock;
const unmatched = () => new UnmatchedCallbacks({ store, clock, log: silentLog });
const callbacksWith = (publicUrl: string, ...secrets: string[]): Callbacks => {
  const alerts = noOperators({ store, clock });
  const payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
  return new Callbacks({
    ...{ payments, clock, unmatched: unmatched(), log: silentLog },
    ...{ secrets, publicUrl },
  });
};

const openUp = () => {
  listener.serveCallbacks(callbacks);
  listener.open();
};

const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
const post = (url: string, body?: RequestInit['body'], headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: body ?? null, headers });

/** Sends raw bytes and gives back all that comes until the server closes. */
const raw = (...chunks: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(answer) : reject(error),
    );
    for (const chunk of chunks) socket.write(chunk);
  });

describe('while it only starts', () => {
  it('lets callbacks and messages wait until somebody can take them', async () => {
    const early = [
      post(callbacks.address(payment.id), '{}'),
      post(`http://127.0.0.1:${port}/chat`),
    ];
    expect((await get('/healthz')).status).toBe(200);
    listener.mount('/chat', (_, response) => response.end('taken'));
    openUp();
    const answers = await Promise.all(early);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await store.get('payment', payment.id)).toMatchObject({ hints: 1 });
  });

  it('asks for them again when it does not come to that', async () => {
    const early = post(callbacks.address(payment.id), '{}');
    await get('/healthz');
    await listener.stop();
    expect((await early).status).toBe(503);
  });
});

describe('callbacks', () => {
  beforeEach(openUp);

  it.each([
    ['JSON', '{"transaction_id":"x","status":"completed","message":"Paid"}', 'application/json'],
    [
      'a form',
      'trans_ref=x&trans_status=000%2F01&message=Paid',
      'application/x-www-form-urlencoded',
    ],
    ['nothing', '', 'text/plain'],
    ['no JSON at all', '{"a":', 'application/json'],
    ['prototype tricks', '{"__proto__":{"state":"completed"},"message":"x"}', 'application/json'],
    ['depth', '['.repeat(30_000), 'application/json'],
  ])('are stored before 200 is answered: %s', { tags: ['T22'] }, async (_name, body, type) => {
    const response = await post(callbacks.address(payment.id), body, { 'content-type': type });
    expect(response.status).toBe(200);
    const stored = await store.get('payment', payment.id);
    expect(stored).toMatchObject({ hints: 1, state: 'pending', due: { queue: 'check' } });
    expect(stored?.due?.atMs).toBeLessThanOrEqual(Date.now());
  });

  it('are taken at addresses signed with an older secret', { tags: ['T25'] }, async () => {
    const old = callbacksWith(`http://127.0.0.1:${port}`, OLD_SECRET);
    expect((await post(old.address(payment.id), '{}')).status).toBe(200);
  });

  it('get the same 404 at every address that was not issued, and leave nothing behind', {
    tags: ['F25', 'T1'],
  }, async () => {
    const address = callbacks.address(payment.id);
    const forged = [
      address.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      address.slice(0, -1),
      `${address}0`,
      address.replace(payment.id, '01JD2M4X9QK7T3VC'),
      `http://127.0.0.1:${port}/callbacks/${payment.id}/`,
      `http://127.0.0.1:${port}/callbacks/__proto__/constructor`,
      `http://127.0.0.1:${port}/callbacks`,
      `http://127.0.0.1:${port}/`,
    ];
    for (const url of forged) {
      const response = await post(url, '{"status":"completed"}');
      expect([response.status, await response.text()]).toEqual([404, 'not found']);
    }
    expect((await store.get('payment', payment.id))?.version).toBe(payment.version);
  });

  it('are kept, once each, when the payment was lost by a restore', async () => {
    const lost = callbacks.address('01JD2M4X9QK7T3VC');
    for (const body of ['{"status":"completed"}', 'x'.repeat(60_000)])
      expect((await post(lost, body)).status).toBe(200);
    expect(await unmatched().all()).toEqual([
      {
        paymentId: '01JD2M4X9QK7T3VC',
        firstAtMs: expect.any(Number),
        body: '{"status":"completed"}',
      },
    ]);
  });

  it('get 404 for what is no transaction id, whoever signed it', async () => {
    expect((await post(callbacks.address('doctor'), '{}')).status).toBe(404);
  });

  it('get 413 over 64 KiB, announced or not, and good ones are still answered', async () => {
    const address = callbacks.address(payment.id);
    expect((await post(address, 'x'.repeat(65_537))).status).toBe(413);
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
    });
    const response = await fetch(address, {
      method: 'POST',
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect((await post(address, 'x'.repeat(65_536))).status).toBe(200);
  });

  it('decide nothing: a forged success only asks for a check', {
    tags: ['F24', 'T1'],
  }, async () => {
    await post(callbacks.address(payment.id), '{"status":"completed","amount":50}');
    expect((await store.get('payment', payment.id))?.state).toBe('pending');
  });
});

describe('the other routes', () => {
  beforeEach(openUp);

  it('tell when due work is late', { tags: ['F33'] }, async () => {
    lateMs = 120_001;
    const response = await get('/healthz');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ ok: false, lateSeconds: 120 });
  });

  it('tell what is missing until ready', async () => {
    missing = ['slack: not connected'];
    const response = await get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ ready: false, missing });
    missing = [];
    expect((await get('/readyz')).status).toBe(200);
  });

  it('give the metrics as Prometheus text', async () => {
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toBe('up 1\n');
  });

  it.each([
    ['/metrics', '1', '2'],
    ['/healthz', '{"ok":true,"lateSeconds":1}', '{"ok":true,"lateSeconds":2}'],
  ] as const)(
    'ask the store for %s once a second at most, however many ask',
    { tags: ['T80'] },
    async (page, first, second) => {
      let counted = 0;
      const health = {
        lateMs: async () => ++counted * 1_000,
        missing: () => [],
        metrics: async () => `${++counted}`,
      };
      const manual = new ManualClock();
      const own = new Listener({ health, pages: [page], log: silentLog, clock: manual });
      const at = await own.listen('127.0.0.1', 0);
      onTestFinished(() => own.stop());
      const shown = async () => (await fetch(`http://127.0.0.1:${at}${page}`)).text();
      expect(new Set(await Promise.all(Array.from({ length: 20 }, shown)))).toEqual(
        new Set([first]),
      );
      await manual.advance(1_000);
      expect(await shown()).toBe(second);
      expect((await fetch(`http://127.0.0.1:${at}/readyz`)).status).toBe(404);
    },
  );

  it('answer 404 to everything else', async () => {
    for (const path of ['/', '/healthz/x', '/.env', '/slack/events', '/telegram/webhook'])
      expect((await post(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
  });
});

describe('a request in hand when it stops', () => {
  it('is answered, and its connection is not kept for another one that nobody would take', async () => {
    const taken = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<200>();
    listener.serveCallbacks({
      issued: () => true,
      receive: () => {
        taken.resolve();
        return stored.promise;
      },
    });
    listener.open();
    const { pathname } = new URL(callbacks.address(payment.id));
    const answer = raw(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`);
    await taken.promise;
    const stopping = listener.stop();
    stored.resolve(200);
    expect(await answer).toMatch(/^HTTP\/1.1 200 /);
    await stopping;
  });
});

describe('abuse of the socket', () => {
  beforeEach(openUp);

  it.each([
    ['no HTTP', 'hello\r\n\r\n', '400'],
    ['a giant header', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      '400',
    ],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
  ])('is refused: %s', async (_name, bytes, status) => {
    expect(await raw(bytes)).toContain(` ${status} `);
    expect((await get('/healthz')).status).toBe(200);
  });
});
