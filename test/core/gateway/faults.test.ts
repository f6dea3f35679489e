import { execFile } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bytesScript,
  httpAnswer,
  jsonScript,
  type Script,
  type ScriptedHttp,
  startScriptedHttp,
} from '../../support/scripted-http.ts';
import { makeSelfSigned } from '../../support/self-signed.ts';
import { accepted, gatewayTo, paymentRequest } from './scripted-gateway.ts';

const started: { stop(): Promise<void> }[] = [];
const start = async (script: Script, tls?: { key: string; cert: string }) => {
  const server = await startScriptedHttp(script, tls);
  started.push(server);
  return server;
};
let service: ScriptedHttp;
beforeEach(async () => {
  service = await start(jsonScript(200, accepted));
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});

const pay = (baseUrl = service.baseUrl, timeoutMs = 5000) =>
  gatewayTo(baseUrl, { timeoutMs }).makePayment(paymentRequest);

/** A port on which nobody listens. */
const closedPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

describe('a request is certainly not sent', () => {
  const closedAddress = async () => `http://127.0.0.1:${await closedPort()}`;
  it.each([
    ['the connection is refused', closedAddress, 'it refused the connection.'],
    [
      'nobody has the name',
      async () => 'https://no-such-host.invalid/api',
      'its name could not be looked up.',
    ],
  ])('when %s', { tags: ['F5'] }, async (_what, address, why) => {
    const reason = `The payment service could not be reached: ${why}`;
    expect(await pay(await address())).toEqual({ kind: 'notSent', reason });
  });

  it('when each of several addresses refuses the connection', async () => {
    expect(await pay(`http://localhost:${await closedPort()}`)).toMatchObject({ kind: 'notSent' });
  });

  it('when nobody signed the certificate', { tags: ['F5', 'T19'] }, async () => {
    const server = await start(jsonScript(200, accepted), makeSelfSigned());
    expect(await pay(server.baseUrl)).toEqual({
      kind: 'notSent',
      reason:
        'The payment service could not be reached: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).',
    });
    expect(server.requests).toHaveLength(0);
  });

  it('when the server at an https address speaks no TLS', async () => {
    let requests = 0;
    const plain = createHttpServer(() => requests++);
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    started.push({
      stop: () => new Promise((resolve) => plain.close(() => resolve()).closeAllConnections()),
    });
    const { port } = plain.address() as AddressInfo;
    expect(await pay(`https://127.0.0.1:${port}`)).toEqual({
      kind: 'notSent',
      reason: 'The payment service could not be reached: it does not speak TLS as it should.',
    });
    expect(requests).toBe(0);
  });

  it('when the host takes no connection until patience ends', { tags: ['F5'] }, async () => {
    // Takes the TCP connection and never shakes hands.
    const mute = await start(() => undefined);
    expect(await pay(mute.baseUrl.replace('http:', 'https:'), 600)).toEqual({
      kind: 'notSent',
      reason: 'The payment service could not be reached: it did not answer.',
    });
  });
});

describe('an answer cut short', () => {
  const whole = httpAnswer(202, JSON.stringify(accepted), { 'content-type': 'application/json' });
  const endless = Buffer.from(
    `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${JSON.stringify(accepted)}`,
  );
  const chunked = Buffer.from(
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${JSON.stringify(accepted).length.toString(16)}\r\n${JSON.stringify(accepted)}\r\n0\r\n\r\n`,
  );

  it.each([
    ['with its length', whole],
    ['until the connection closes', endless],
    ['in chunks', chunked],
  ])(
    '%s is accepted only when the body is whole, and never "not sent"',
    { tags: ['F7'] },
    async (_how, bytes) => {
      const outcomes = await Promise.all(
        Array.from({ length: bytes.length + 1 }, async (_, offset) => {
          const server = await start(bytesScript(bytes.subarray(0, offset)));
          const outcome = await pay(server.baseUrl);
          expect(server.requests).toHaveLength(1);
          return outcome.kind;
        }),
      );
      const bodyEnd = bytes.lastIndexOf('}') + 1;
      expect(new Set(outcomes.slice(0, bodyEnd))).toEqual(new Set(['unknown']));
      expect(outcomes.at(-1)).toBe('accepted');
    },
  );

  it.each([0, 1, 20, 60])('reset after %i bytes is unknown', { tags: ['F7'] }, async (offset) => {
    service.script = (socket) => {
      socket.write(whole.subarray(0, offset), () => socket.resetAndDestroy());
    };
    expect(await pay()).toMatchObject({ kind: 'unknown' });
    expect(service.requests).toHaveLength(1);
  });

  it('a "no" whose page breaks off is a "no" still', async () => {
    for (const [status, kind] of [
      [401, 'refused'],
      [429, 'rateLimited'],
      [200, 'unknown'],
    ] as const) {
      service.script = bytesScript(httpAnswer(status, 'abcdef').subarray(0, -3));
      expect(await pay()).toMatchObject({ kind });
    }
  });
});

describe('patience', { tags: ['F6'] }, () => {
  it('ends when no head comes', async () => {
    service.script = () => undefined;
    expect(await pay(service.baseUrl, 200)).toEqual({
      kind: 'unknown',
      answer: {},
      reason: 'No answer came within 0.2 seconds.',
    });
    expect(service.requests).toHaveLength(1);
  });

  it('ends when the body does not', async () => {
    service.script = (socket) =>
      socket.write(httpAnswer(200, JSON.stringify(accepted)).subarray(0, -2));
    expect(await pay(service.baseUrl, 200)).toMatchObject({ kind: 'unknown' });
  });

  it('is one for the whole call, however the answer drips', async () => {
    const drops: NodeJS.Timeout[] = [];
    service.script = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      drops.push(setInterval(() => socket.write(' '), 20));
    };
    expect(await pay(service.baseUrl, 300)).toMatchObject({ kind: 'unknown' });
    for (const drop of drops) clearInterval(drop);
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'HTTP %i is not followed',
    { tags: ['F12', 'T19'] },
    async (status) => {
      const elsewhere = await start(jsonScript(200, accepted));
      service.script = bytesScript(
        httpAnswer(status, '', { location: `${elsewhere.baseUrl}/make_payment` }),
      );
      expect(await pay()).toMatchObject({ kind: 'unknown', answer: { code: `HTTP ${status}` } });
      expect(elsewhere.connections).toBe(0);
      expect(service.requests).toHaveLength(1);
    },
  );
});

describe('oversized answers', () => {
  const zeros = Buffer.alloc(200 * 1024 * 1024);
  const bomb = gzipSync(zeros);

  const peakMemoryDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const memory = () => process.memoryUsage().rss;
    const before = memory();
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, memory());
    }, 5);
    await work();
    clearInterval(timer);
    return Math.max(peak, memory()) - before;
  };

  it.each([
    ['10 MB', httpAnswer(200, Buffer.alloc(10 * 1024 * 1024, 0x20))],
    ['a gzip bomb', httpAnswer(200, bomb, { 'content-encoding': 'gzip' })],
    ['a double gzip bomb', httpAnswer(200, gzipSync(bomb), { 'content-encoding': 'gzip, gzip' })],
    [
      'a brotli bomb',
      httpAnswer(200, brotliCompressSync(zeros.subarray(0, 20 * 1024 * 1024)), {
        'content-encoding': 'br',
      }),
    ],
    ['a head of 1 MB', Buffer.from(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1024 * 1024)}\r\n\r\n`)],
  ])('%s is unknown, and memory stays bounded', { tags: ['F8'] }, async (_what, bytes) => {
    service.script = bytesScript(bytes);
    const grownBytes = await peakMemoryDuring(async () => {
      expect(await pay()).toMatchObject({ kind: 'unknown' });
    });
    expect(grownBytes).toBeLessThan(60 * 1024 * 1024);
    expect(service.requests).toHaveLength(1);
  });

  it('an endless body is left, and its connection closed', { tags: ['F8'] }, async () => {
    let closed = false;
    service.script = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pour = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65536, 0x20)));
      };
      socket.on('drain', pour).on('close', () => {
        closed = true;
      });
      pour();
    };
    expect(await pay()).toMatchObject({ kind: 'unknown' });
    await expect.poll(() => closed).toBe(true);
  });

  it('a compressed answer of bearable size is read', async () => {
    service.script = bytesScript(
      httpAnswer(200, gzipSync(JSON.stringify(accepted)), { 'content-encoding': 'gzip' }),
    );
    expect(await pay()).toMatchObject({ kind: 'accepted' });
  });
});

it('proxies and switched-off certificate checks in the environment are ignored', {
  tags: ['T19'],
}, async () => {
  const proxy = await start(jsonScript(200, accepted));
  const untrusted = await start(jsonScript(200, accepted), makeSelfSigned());
  const program = `
    import { gatewayTo, paymentRequest } from './test/core/gateway/scripted-gateway.ts';
    for (const url of process.argv.slice(1))
      console.log((await gatewayTo(url).makePayment(paymentRequest)).kind);
    process.exit(0);
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program, service.baseUrl, untrusted.baseUrl],
    {
      env: {
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxy.baseUrl,
        HTTPS_PROXY: proxy.baseUrl,
        http_proxy: proxy.baseUrl,
        https_proxy: proxy.baseUrl,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      },
    },
  );
  expect(stdout.trim().split('\n')).toEqual(['accepted', 'notSent']);
  expect(proxy.connections).toBe(0);
  expect(service.requests).toHaveLength(1);
});
