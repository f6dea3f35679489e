import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Callbacks } from '../../../src/core/callbacks/callbacks.ts';
import type { ListenerTimeouts } from '../../../src/core/http/listener.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aPayment } from '../../support/a-payment.ts';
import {
  type Attack,
  attack as attackOn,
  head,
  statusesOf,
  statusOf,
} from '../../support/attack.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { eventually } from '../../support/eventually.ts';
import { openListener } from '../../support/open-listener.ts';

/** A tenth of the real ones and less, where a test waits until somebody is cut off. */
const SHORT = {
  headersTimeout: 300,
  requestTimeout: 600,
  keepAliveTimeout: 200,
  timeout: 1_000,
  connectionsCheckingInterval: 50,
};
/** Elsewhere no machine is too slow to be in time. */
const PATIENT = {
  headersTimeout: 300_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 200,
  timeout: 300_000,
  connectionsCheckingInterval: 50,
};
const payment = aPayment();

let port: number;
let callbacks: Callbacks;
let recorded: string[];
let log: ReturnType<typeof capturedLog>;

const open = async (timeouts: ListenerTimeouts): Promise<void> => {
  log = capturedLog();
  ({ port, callbacks, recorded } = await openListener({
    health: { lateMs: async () => 0, missing: () => [], metrics: async () => 'x'.repeat(50_000) },
    log: log.log,
    timeouts,
  }));
};
beforeEach(() => open(PATIENT));

const attack = (...chunks: (string | Buffer)[]): Attack => attackOn(port, ...chunks);

/** Sends a piece again and again until the other side has had enough. */
const keepSending = ({ socket }: Attack, piece: string | Buffer): void => {
  const send = (): void => {
    if (socket.destroyed || !socket.writable) return;
    if (socket.write(piece)) setImmediate(send);
    else socket.once('drain', send);
  };
  send();
};

const pathOf = (id: string): string => new URL(callbacks.address(id)).pathname;

/** What others meet meanwhile. Where limits are short they meet them too on a slow machine, and send again as the service does. */
const goodIsAnswered = (): Promise<void> =>
  eventually(async () => {
    const id = newTransactionId(1_000);
    const answer = await fetch(callbacks.address(id), { method: 'POST', body: '{}' });
    expect([answer.status, recorded]).toEqual([200, expect.arrayContaining([id])]);
  });

describe('bytes that are no proper request', () => {
  const close = 'connection: close';
  it.each<[what: string, bytes: string | Buffer, expected: string]>([
    ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex'), '400'],
    ['the opening of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400'],
    ['HTTP/0.9', 'GET /\r\n\r\n', '404'],
    ['HTTP/9.9', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n', '400'],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', '400'],
    ['line feeds alone', 'GET /healthz HTTP/1.1\nhost: x\n\n', '400'],
    ['NUL in the path', 'GET /health\0z HTTP/1.1\r\nhost: x\r\n\r\n', '400'],
    ['NUL in a header', 'GET /healthz HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n', '400'],
    ['a space in the path', 'GET /health z HTTP/1.1\r\nhost: x\r\n\r\n', '400'],
    ['a space before the colon', head('/', 'transfer-encoding : chunked'), '400'],
    ['a folded encoding', head('/', 'transfer-encoding:', ' chunked', 'content-length: 3'), '400'],
    ['two encodings', head('/', 'transfer-encoding: chunked', 'transfer-encoding: x'), '400'],
    ['length before encoding', head('/', 'content-length: 3', 'transfer-encoding: chunked'), '400'],
    ['a length with a sign', head('/', 'content-length: +3'), '400'],
    ['a length below zero', head('/', 'content-length: -1'), '400'],
    ['a length in hex', head('/', 'content-length: 0x3'), '400'],
    ['the same length twice', head('/', 'content-length: 3', 'content-length: 3'), '400'],
    ['a length beyond counting', head('/', `content-length: ${'9'.repeat(30)}`), '400'],
    ['a method nobody knows', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n', '400'],
    ['a tunnel', 'CONNECT bank.example:443 HTTP/1.1\r\nhost: x\r\n\r\n', 'closed'],
    ['a path without end', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, '431'],
    ['2,000 headers', head('/', ...Array.from({ length: 2_000 }, (_, at) => `h${at}: 1`)), '431'],
    [
      'somebody else’s address',
      `GET http://x/healthz HTTP/1.1\r\nhost: x\r\n${close}\r\n\r\n`,
      '404',
    ],
    ['an expectation', head('/', 'expect: 200-maybe', close), '417'],
  ])('are refused: %s', async (_what, bytes, expected) => {
    const { closed } = attack(bytes);
    await goodIsAnswered();
    expect(statusOf(await closed)).toBe(expected);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'say for what they are there to %s',
    async (method) => {
      for (const path of ['/healthz', '/metrics', pathOf(payment.id)]) {
        const { closed } = attack(
          `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
        );
        const answer = await closed;
        expect(statusOf(answer)).toBe('405');
        const allowed = path === pathOf(payment.id) ? 'POST' : 'GET, HEAD';
        expect(answer).toContain(`\r\nallow: ${allowed}\r\n`);
      }
      expect(recorded).toEqual([]);
    },
  );
});

describe('a body', () => {
  it('that is announced as 1 MB is refused before it is sent', { tags: ['F27'] }, async () => {
    const { closed } = attack(head(pathOf(payment.id), 'content-length: 1048576'));
    expect(statusOf(await closed)).toBe('413');
    expect(recorded).toEqual([]);
  });

  it('that never ends is cut off at 64 KiB, and is told of in no other way', {
    tags: ['F27', 'T3'],
  }, async () => {
    const endless = attack(head(pathOf(payment.id), 'transfer-encoding: chunked'));
    keepSending(endless, `1000\r\n${'x'.repeat(0x1000)}\r\n`);
    await goodIsAnswered();
    expect(statusOf(await endless.closed)).toBe('413');
    expect(recorded).not.toContain(payment.id);
    expect(log.entries).toEqual([]);
  });

  it('that never ends is cut off in time where nobody asked for one', async () => {
    const endless = attack(head('/', 'transfer-encoding: chunked'));
    keepSending(endless, `1000\r\n${'x'.repeat(0x1000)}\r\n`);
    await goodIsAnswered();
    expect(statusOf(await endless.closed)).toBe('404');
  });

  it.each([
    ['a chunk of no number', 'zz\r\nhello\r\n0\r\n\r\n'],
    ['a chunk longer than it says', '3\r\nhello\r\n0\r\n\r\n'],
    ['a chunk larger than memory', 'fffffffffffffffff\r\n'],
    ['a chunk with a tale behind it', `5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`],
  ])('with %s is refused, and no hint is stored', async (_what, body) => {
    const { closed } = attack(head(pathOf(payment.id), 'transfer-encoding: chunked'), body);
    expect(statusOf(await closed)).toMatch(/^(400|413)$/);
    expect(recorded).toEqual([]);
  });

  it.each(['identity', 'gzip', 'chunked, gzip', 'xchunked'])(
    'in the encoding %s, of which nobody knows the end, is refused',
    async (encoding) => {
      const { closed } = attack(head(pathOf(payment.id), `transfer-encoding: ${encoding}`), '{}');
      expect(statusOf(await closed)).toBe('400');
      expect(recorded).toEqual([]);
    },
  );

  it('that breaks off is no callback', async () => {
    const { socket } = attack(head(pathOf(payment.id), 'content-length: 50'), '{"status":');
    await goodIsAnswered();
    socket.destroy();
    await eventually(() =>
      expect(log.entries.map(({ message }) => message)).toEqual(['a callback broke off']),
    );
    expect(recorded).not.toContain(payment.id);
  });

  it('cannot hide a second request in front of somebody else', { tags: ['F27'] }, async () => {
    const hidden = `POST ${pathOf(payment.id)} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`;
    const { closed } = attack(
      head('/', `content-length: ${hidden.length}`, 'connection: close'),
      hidden,
    );
    expect((await closed).match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(recorded).toEqual([]);
  });
});

describe('clients that take their time', () => {
  beforeEach(() => open(SHORT));

  it('with headers are cut off, however steadily they go on', { tags: ['F27'] }, async () => {
    const slow = attack('POST / HTTP/1.1\r\nhost: x\r\n');
    const drip = setInterval(() => slow.socket.write('x: y\r\n'), 20);
    onTestFinished(() => clearInterval(drip));
    await goodIsAnswered();
    expect(statusOf(await slow.closed)).toBe('408');
  });

  it('with the body are cut off, however steadily they go on', {
    tags: ['F27', 'T3'],
  }, async () => {
    const slow = attack(head(pathOf(payment.id), 'content-length: 60000'));
    const drip = setInterval(() => slow.socket.write('x'), 20);
    onTestFinished(() => clearInterval(drip));
    await goodIsAnswered();
    expect(statusOf(await slow.closed)).toBe('408');
    expect(recorded).not.toContain(payment.id);
  });

  it('by the hundreds, silent or half through a request, keep nobody waiting and are all let go', {
    tags: ['F27'],
  }, async () => {
    const openings = ['', 'G', 'GET / HTTP/1.1\r\n', head(pathOf(payment.id), 'content-length: 9')];
    const idle = Array.from({ length: 400 }, (_, at) => attack(openings[at % 4] ?? ''));
    await goodIsAnswered();
    const answers = await Promise.all(idle.map(({ closed }) => closed));
    expect(new Set(answers.map(statusOf))).toEqual(new Set(['408']));
    await goodIsAnswered();
  });

  it('after an answer are let go too', async () => {
    const { closed } = attack('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(statusOf(await closed)).toBe('200');
  });

  it('in reading what they asked for a thousand times keep nobody waiting, and are let go', {
    tags: ['F27'],
  }, async () => {
    await open({ ...PATIENT, timeout: SHORT.timeout });
    // The other end: whoever does not read does not see that it is closed.
    const closed = new Promise((resolve) => {
      const accepted = (message: unknown): void => {
        unsubscribe('net.server.socket', accepted);
        (message as { socket: Socket }).socket.once('close', resolve);
      };
      subscribe('net.server.socket', accepted);
    });
    const { socket } = attack();
    socket.pause();
    socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000));
    await once(socket, 'connect');
    for (let round = 0; round < 5; round++) await goodIsAnswered();
    await closed;
  });
});

describe('requests in a row on one connection', () => {
  it('are answered one by one, in their order', async () => {
    const asks = Array.from({ length: 100 }, (_, at) =>
      at % 3 === 0
        ? 'GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n'
        : head(`/x${at}`, 'content-length: 0'),
    );
    const { closed } = attack(asks.join(''));
    expect(statusesOf(await closed)).toEqual(asks.map((_, at) => (at % 3 === 0 ? '200' : '404')));
  });
});

describe('whoever guesses an address', { tags: ['F25', 'T21'] }, () => {
  it('gets the same answer to the byte, whatever is wrong with it', async () => {
    const [, , , token = ''] = pathOf(payment.id).split('/');
    const other = newTransactionId(5_000);
    const guesses = [
      `/callbacks/${payment.id}/${'0'.repeat(64)}`,
      `/callbacks/${payment.id}/${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
      `/callbacks/${payment.id}/${token.slice(0, 32)}`,
      `/callbacks/${other}/${token}`,
      `/callbacks/${other}/x`,
      `/callbacks/${payment.id}`,
      '/callbacks/a/b/c',
      '/callbacks',
      '/telegram/webhook',
      '/',
    ];
    const answers = new Set<string>();
    for (const path of guesses) {
      const { closed } = attack(head(path, 'content-length: 2', 'connection: close'), '{}');
      answers.add((await closed).replace(/^date: .*\r\n/im, ''));
    }
    expect([...answers]).toEqual([expect.stringMatching(/^HTTP\/1\.1 404 .*not found$/s)]);
    expect(recorded).toEqual([]);
  });

  it('learns nothing from the time it takes: near misses and wild guesses are alike', () => {
    const [, , , token = ''] = pathOf(payment.id).split('/');
    const near = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    const wild = [...token].map((digit) => (digit === '0' ? '1' : '0')).join('');
    const perCallUs = (id: string, guess: string): number => {
      const startedMs = performance.now();
      for (let call = 0; call < 100; call++) callbacks.issued(id, guess);
      return (performance.now() - startedMs) * 10;
    };
    const unknown = newTransactionId(9_000);
    const samples: Record<'near' | 'wild' | 'unknown', number[]> = {
      near: [],
      wild: [],
      unknown: [],
    };
    // 100,000 calls in turns, so that whatever else the machine does meets all three alike.
    for (let round = 0; round < 340; round++) {
      samples.near.push(perCallUs(payment.id, near));
      samples.wild.push(perCallUs(payment.id, wild));
      samples.unknown.push(perCallUs(unknown, wild));
    }
    // Of the fastest tenth: other work only ever makes a call slower.
    const fastUs = (times: number[]): number =>
      times.sort((a, b) => a - b)[Math.floor(times.length / 10)] ?? 0;
    const nearUs = fastUs(samples.near);
    for (const times of [samples.wild, samples.unknown])
      expect(Math.abs(fastUs(times) / nearUs - 1)).toBeLessThan(0.3);
  });
});
