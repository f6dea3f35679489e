import { describe, expect, it } from 'vitest';
import { parseAddressRanges } from '../../../src/core/http/address-range.ts';
import { type ListenerTimeouts, TIMEOUTS } from '../../../src/core/http/listener.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { attack, head, statusOf } from '../../support/attack.ts';
import { openListener } from '../../support/open-listener.ts';

const rangesOf = (text: string) => parseAddressRanges(text) ?? [];
const CLOSE = 'connection: close';
const get = (path: string, ...headers: string[]): string =>
  head(path, CLOSE, ...headers).replace('POST', 'GET');

const SHORT: ListenerTimeouts = {
  ...TIMEOUTS,
  headersTimeout: 100,
  requestTimeout: 200,
  connectionsCheckingInterval: 20,
};

describe('every answer', () => {
  const HEADERS = {
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };

  it.each<[what: string, request: string, status: string]>([
    ['a page', get('/healthz'), '200'],
    ['the head of a page', get('/readyz').replace('GET', 'HEAD'), '200'],
    ['a page that could not be made', get('/metrics'), '500'],
    ['a callback', 'CALLBACK', '200'],
    ['a callback that is too large', 'LARGE', '413'],
    ['what a platform takes', head('/chat', CLOSE, 'content-length: 0'), '200'],
    ['what a platform refuses', head('/chat', CLOSE, 'content-length: 0', 'x: no'), '401'],
    ['what is not there', get('/index.html'), '404'],
    ['what is asked in another way', get('/chat'), '405'],
    ['a request to go on that is not known', get('/', 'expect: 200-maybe'), '417'],
    ['no host', `GET /healthz HTTP/1.1\r\n${CLOSE}\r\n\r\n`, '400'],
    ['no HTTP', 'hello\r\n\r\n', '400'],
    ['a header that is too large', get('/', `x: ${'a'.repeat(20_000)}`), '431'],
    ['more than 100 headers', get('/', ...Array.from({ length: 100 }, () => 'x: y')), '431'],
    ['headers that never end', 'GET / HTTP/1.1\r\n', '408'],
  ])('forbids browsers everything, and names no program: to %s', async (_what, request, status) => {
    const { listener, port, callbacks } = await openListener({
      health: {
        lateMs: async () => 0,
        missing: () => [],
        metrics: () => Promise.reject(new Error('the store is away')),
      },
      ...(status === '408' ? { timeouts: SHORT } : {}),
    });
    listener.mount('/chat', ({ headers }, response) => {
      if (headers['x'] === undefined) response.end('ok');
      else response.writeHead(401, 'Unauthorized', ['content-type', 'text/plain']).end('no');
    });
    const path = new URL(callbacks.address(newTransactionId(1_000))).pathname;
    const bytes = request
      .replace('CALLBACK', head(path, CLOSE, 'content-length: 0'))
      .replace('LARGE', head(path, 'content-length: 65537'));
    const [answer = ''] = (await attack(port, bytes).closed).split('\r\n\r\n');
    expect(statusOf(answer)).toBe(status);
    const lines = answer.split('\r\n').map((line) => line.toLowerCase());
    for (const [name, value] of Object.entries(HEADERS))
      expect(lines.filter((line) => line.startsWith(`${name}:`))).toEqual([`${name}: ${value}`]);
    expect(answer).not.toMatch(/^(server|x-powered-by|set-cookie|access-control-[\w-]+|via):/im);
  });

  it.each([
    'OPTIONS * HTTP/1.1',
    'GET /healthz/ HTTP/1.1',
    'GET //healthz HTTP/1.1',
    'GET /HEALTHZ HTTP/1.1',
    'GET /./healthz HTTP/1.1',
    'GET /%68ealthz HTTP/1.1',
    'GET /slack/events HTTP/1.1',
    'TRACE / HTTP/1.1',
  ])('is 404 for what is nearly a route: %s', async (line) => {
    const { port } = await openListener();
    expect(statusOf(await attack(port, `${line}\r\nhost: x\r\n${CLOSE}\r\n\r\n`).closed)).toBe(
      '404',
    );
  });

  it('to a refused body that may have no end closes the connection, however much is still sent', async () => {
    const { port } = await openListener();
    const endless = attack(port, head('/', 'transfer-encoding: chunked'), '5\r\nhello\r\n');
    const answer = await endless.closed;
    expect(statusOf(answer)).toBe('404');
    expect(answer).toMatch(/^connection: close\r$/im);
  });

  it('is an ordinary one to whoever would speak another protocol', async () => {
    const { port } = await openListener();
    const upgrade = ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'];
    const { socket, closed } = attack(
      port,
      `GET /healthz HTTP/1.1\r\nhost: x\r\n${upgrade.join('\r\n')}\r\n\r\n`,
    );
    socket.once('data', () => socket.end());
    expect(statusOf(await closed)).toBe('200');
  });
});

describe('callbacks from certain addresses alone', () => {
  const id = newTransactionId(1_000);
  const asked = async (options: Parameters<typeof openListener>[0], ...headers: string[]) => {
    const { port, callbacks, recorded } = await openListener(options);
    const right = new URL(callbacks.address(id)).pathname;
    const ask = async (path: string) =>
      (await attack(port, head(path, CLOSE, 'content-length: 2', ...headers), '{}').closed).replace(
        /^date: .*\r\n/im,
        '',
      );
    return { answer: await ask(right), unknown: await ask(`${right.slice(0, -1)}x`), recorded };
  };

  it('are taken from there', async () => {
    const { answer, recorded } = await asked({ callbackAllow: rangesOf('127.0.0.0/8') });
    expect([statusOf(answer), recorded]).toEqual(['200', [id]]);
  });

  it('are taken from there when the system calls an IPv4 address one of IPv6', async () => {
    const { answer, recorded } = await asked({ host: '::', callbackAllow: rangesOf('127.0.0.1') });
    expect([statusOf(answer), recorded]).toEqual(['200', [id]]);
  });

  it('are told from elsewhere what an unknown address is told, to the byte, and leave nothing', async () => {
    const { answer, unknown, recorded } = await asked({ callbackAllow: rangesOf('192.0.2.0/24') });
    expect(statusOf(answer)).toBe('404');
    expect([answer, recorded]).toEqual([unknown, []]);
  });

  it('are not let in by a header that anybody can write', async () => {
    const { answer, recorded } = await asked(
      { callbackAllow: rangesOf('192.0.2.0/24') },
      'x-forwarded-for: 192.0.2.7',
    );
    expect([statusOf(answer), recorded]).toEqual(['404', []]);
  });

  it.each([
    ['192.0.2.7', '200'],
    ['198.51.100.1, 192.0.2.7', '200'],
    ['::ffff:192.0.2.7', '200'],
    ['192.0.2.7, 198.51.100.1', '404'],
    ['192.0.2.7, nonsense', '404'],
  ])('are judged behind a trusted proxy by what it says: %s', async (forwarded, status) => {
    const { answer } = await asked(
      { callbackAllow: rangesOf('192.0.2.0/24'), proxies: rangesOf('loopback') },
      `x-forwarded-for: ${forwarded}`,
    );
    expect(statusOf(answer)).toBe(status);
  });
});
