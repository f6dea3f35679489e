import { describe, expect } from 'vitest';
import { parseAddressRanges } from '../../../src/core/http/address-range.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { attack, head, statusesOf, statusOf } from '../../support/attack.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openListener } from '../../support/open-listener.ts';
import { together } from '../../support/together.ts';

const it = together();

const LOOPBACK = parseAddressRanges('loopback') ?? [];
const forged = `/callbacks/${newTransactionId(1_000)}/${'0'.repeat(64)}`;
const post = (path: string, ...headers: string[]): string =>
  head(path, 'content-length: 2', ...headers).concat('{}');
const last = (path: string, ...headers: string[]): string =>
  post(path, 'connection: close', ...headers);
const from = (address: string): string => `x-forwarded-for: ${address}`;

const open = async (options: Parameters<typeof openListener>[0] = {}) => {
  const clock = new ManualClock();
  const { callbacks, ...opened } = await openListener({ clock, ...options });
  const { port } = opened;
  return {
    ...opened,
    clock,
    pathFor: (id: string) => new URL(callbacks.address(id)).pathname,
    /** Answers to requests on one connection, in their order. */
    ask: (...requests: string[]) => attack(port, requests.join('')).closed,
    /** Has this sender refused so often that it is limited. */
    exhaust: (...headers: string[]) =>
      attack(port, post(forged, ...headers).repeat(99) + last(forged, ...headers)).closed,
  };
};

describe('who is refused again and again', () => {
  it('is told to wait, and for how long, until the wait is over', {
    tags: ['F27', 'T3'],
  }, async () => {
    const { clock, ask, exhaust } = await open();
    expect(new Set(statusesOf(await exhaust()))).toEqual(new Set(['404']));
    expect(await ask(last(forged))).toMatch(
      /^HTTP\/1\.1 429 .*\r\nretry-after: 1\r\n.*\r\n\r\n$/is,
    );
    await clock.advance(1_000);
    expect(statusesOf(await ask(post(forged), last(forged)))).toEqual(['404', '429']);
  });

  it('is told the same at unknown and at forged addresses, to the byte', {
    tags: ['F25'],
  }, async () => {
    const { ask, exhaust, pathFor } = await open();
    await exhaust();
    const right = pathFor(newTransactionId(2_000));
    const paths = [forged, `${right.slice(0, -1)}x`, `${right}/x`, '/callbacks/x', '/.env', '/'];
    const answers = await Promise.all(paths.map((path) => ask(last(path))));
    expect(new Set(answers.map((text) => text.replace(/^date: .*\r\n/im, ''))).size).toBe(1);
  });

  it.each([
    ['a method that is not for this', 'DELETE /healthz HTTP/1.1\r\nhost: x\r\n\r\n', '405'],
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', '400'],
    ['an expectation', head('/', 'expect: 200-maybe', 'connection: close'), '417'],
    ['what is not there', 'GET /wp-login.php HTTP/1.1\r\nhost: x\r\n\r\n', '404'],
  ])('is counted by every refusal: %s', async (_what, request, status) => {
    const { ask, exhaust } = await open();
    const once = request.replace('host: x\r\n\r\n', 'host: x\r\nconnection: close\r\n\r\n');
    expect(statusOf(await ask(once))).toBe(status);
    await exhaust();
    expect(statusOf(await ask(once))).toBe('429');
  });

  it('is counted by callbacks that are too large', async () => {
    const { ask, pathFor } = await open();
    const large = head(pathFor(newTransactionId(2_000)), 'content-length: 1048576');
    const answers = [];
    for (let n = 0; n < 101; n++) answers.push(statusOf(await ask(large)));
    expect(answers).toEqual([...Array(100).fill('413'), '429']);
  });

  it('has callbacks taken all the same, thousands of them, and pages shown', async () => {
    const { ask, exhaust, pathFor, recorded } = await open();
    await exhaust();
    const ids = Array.from({ length: 2_000 }, () => newTransactionId(3_000));
    const page = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    const answers = await ask(...ids.map((id) => post(pathFor(id))), page, last(forged));
    expect(statusesOf(answers)).toEqual([...Array(2_001).fill('200'), '429']);
    expect(recorded).toEqual(ids);
  });

  it('has a platform’s requests taken once they prove themselves, whatever handles them', async () => {
    const { listener, ask, exhaust } = await open();
    listener.mount('/chat', (request, response) => {
      request.resume();
      if (request.headers['secret'] === 'right') response.end('taken');
      else response.writeHead(401, { 'content-type': 'text/plain' }).end('not for you');
    });
    listener.mount('/other-chat', (request, response) => {
      request.resume();
      response.statusCode = 401;
      response.end('not for you');
    });
    expect(await ask(last('/chat'))).toMatch(/^HTTP\/1\.1 401 .*not for you/s);
    await exhaust();
    const answers = await ask(post('/chat', 'secret: right'), post('/chat'), last('/other-chat'));
    expect(statusesOf(answers)).toEqual(['200', '429', '429']);
    expect(answers).not.toContain('not for you');
  });

  it('is one address of its own behind a trusted proxy, and a /64 where it has many', async () => {
    const { ask, exhaust } = await open({ proxies: LOOPBACK });
    const ours = `${from('10.9.9.9, 2001:db8:0:1::7')}`;
    await exhaust(ours);
    expect(statusOf(await ask(last(forged, ours)))).toBe('429');
    expect(statusOf(await ask(last(forged, from('2001:db8:0:1:ffff::1'))))).toBe('429');
    expect(statusOf(await ask(last(forged, from('2001:db8:0:2::7'))))).toBe('404');
    expect(statusOf(await ask(last(forged, from('10.9.9.9'))))).toBe('404');
    expect(statusOf(await ask(last(forged)))).toBe('404');
  });

  it('does not become somebody else by a header that nobody asked for', async () => {
    const { ask, exhaust } = await open();
    await exhaust(from('192.0.2.7'));
    for (const address of ['192.0.2.8', '::1', 'nonsense', ', ,', '\x80\xff'])
      expect(statusOf(await ask(last(forged, from(address))))).toBe('429');
  });

  it('does not lose its proxy’s word behind thousands of headers', async () => {
    const { ask } = await open({ proxies: LOOPBACK });
    const many = Array.from({ length: 2_500 }, () => 'a:');
    expect(statusOf(await ask(head('/', ...many, from('192.0.2.7'))))).toBe('431');
    for (let n = 0; n < 99; n++) await ask(head('/', ...many, from('192.0.2.7')));
    // Counted as that sender, who stands in the last of them.
    expect(statusOf(await ask(last(forged, from('192.0.2.7'))))).toBe('429');
  });
});

describe('connections of one sender', () => {
  const PAGE = 'GET /healthz HTTP/1.1\r\nhost: x\r\n';
  /** Resolves once the listener has taken all of them: it takes connections in their order. */
  const hoard = async (port: number, howMany: number, opening = '') => {
    const held = Array.from({ length: howMany }, () => attack(port, opening));
    await eventually(() => expect(held.every(({ socket }) => !socket.connecting)).toBe(true));
    await attack(port, `${PAGE}connection: close\r\n\r\n`).closed;
    return held;
  };
  const openOf = (held: Awaited<ReturnType<typeof hoard>>): boolean[] =>
    held.map(({ socket }) => !socket.destroyed && !socket.readableEnded);

  it('are 512 at most: another one takes the place of the one that has waited longest', {
    tags: ['F27', 'T3'],
  }, async () => {
    const { port, ask, pathFor, recorded } = await open();
    const held = await hoard(port, 700, 'POST / HTTP/1.1\r\n');
    const id = newTransactionId(2_000);
    expect(statusOf(await ask(last(pathFor(id))))).toBe('200');
    expect(recorded).toEqual([id]);
    // Of 700 and one that asked for a page; the callback found a place that had become free.
    await eventually(() =>
      expect(openOf(held)).toEqual([...Array(189).fill(false), ...Array(511).fill(true)]),
    );
  });

  it('are not taken from requests in hand, nor from those who asked of late', async () => {
    const { listener, port } = await open();
    const slow = Promise.withResolvers<void>();
    listener.mount('/slow', (_request, response) => void slow.promise.then(() => response.end()));
    const inHand = attack(port, last('/slow'));
    const asked = attack(port);
    const held = await hoard(port, 400);
    asked.socket.write(`${PAGE}\r\n`);
    await eventually(() => expect(asked.socket.bytesRead).toBeGreaterThan(0));
    const more = await hoard(port, 400);
    await eventually(() => expect(openOf(held)).toContain(false));
    expect(openOf([asked, ...more])).not.toContain(false);
    slow.resolve();
    expect(statusOf(await inHand.closed)).toBe('200');
  });

  it('that were used make room as well', async () => {
    const { port, ask, pathFor } = await open();
    await hoard(port, 600, `${PAGE}\r\n`);
    expect(statusOf(await ask(last(pathFor(newTransactionId(2_000)))))).toBe('200');
  });

  it('are not counted when they are a trusted proxy’s', async () => {
    const { port, ask, pathFor } = await open({ proxies: LOOPBACK });
    const held = await hoard(port, 700);
    expect(statusOf(await ask(last(pathFor(newTransactionId(2_000)))))).toBe('200');
    expect(openOf(held)).not.toContain(false);
  });
});
