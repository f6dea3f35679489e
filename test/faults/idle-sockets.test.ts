import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parseAddressRanges } from '../../src/core/http/address-range.ts';
import { Listener, TIMEOUTS } from '../../src/core/http/listener.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { silentLog } from '../support/silent-log.ts';

const IDLE = 2_000;

/** An idle connection; resolves once it stands. */
const idleSocket = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });

it('2,000 idle connections keep no callback waiting', { tags: ['F27'] }, async () => {
  const received: string[] = [];
  const listener = new Listener({
    health: { lateMs: async () => 0, missing: () => [], metrics: async () => '' },
    log: silentLog,
    // Of one sender it would let the oldest go.
    proxies: parseAddressRanges('loopback') ?? [],
    // However long this machine takes to open all of them.
    timeouts: { ...TIMEOUTS, headersTimeout: 300_000, requestTimeout: 300_000, timeout: 300_000 },
  });
  const port = await listener.listen('127.0.0.1', 0);
  listener.serveCallbacks({
    issued: () => true,
    receive: async (id) => {
      received.push(id);
      return 200;
    },
  });
  listener.open();
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await listener.stop();
  });
  while (sockets.length < IDLE)
    sockets.push(...(await Promise.all(Array.from({ length: 500 }, () => idleSocket(port)))));

  const id = newTransactionId(1_000);
  const answer = await fetch(`http://127.0.0.1:${port}/callbacks/${id}/x`, {
    method: 'POST',
    body: '{}',
  });
  expect([answer.status, received]).toEqual([200, [id]]);
  expect(sockets.every(({ destroyed }) => !destroyed)).toBe(true);
});
