import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { jsonScript, type ScriptedHttp, startScriptedHttp } from '../../support/scripted-http.ts';
import { accepted, gatewayTo, paymentRequest } from './scripted-gateway.ts';

/** How a connection ends once so many bytes of the request are through. */
type Ending = (client: Socket, service: Socket) => void;

/** A TCP proxy that lets n bytes through on its n-th connection, from 0 on, and then ends it. */
const proxyTo = async (service: ScriptedHttp, end: Ending) => {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    const other = connect(service.port, '127.0.0.1');
    let left = connections++;
    for (const socket of [client, other])
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    if (left === 0) end(client, other);
    client.on('data', (data: Buffer) => {
      if (left > 0) other.write(data.subarray(0, left));
      left -= data.length;
      if (left <= 0) end(client, other);
    });
    other.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, connections: () => connections };
};

/** Of the bytes that one payment request has on the wire. */
const lengthOfRequest = async (): Promise<number> => {
  let bytes = 0;
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (data: Buffer) => {
        bytes += data.length;
        if (data.includes('request_time')) socket.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await gatewayTo(`http://127.0.0.1:${port}`).makePayment(paymentRequest);
  await new Promise((resolve) => server.close(resolve));
  return bytes;
};

const endings: [string, Ending][] = [
  [
    'reset',
    (client, service) => {
      client.resetAndDestroy();
      service.destroy();
    },
  ],
  [
    'closed half, towards us',
    (client, service) => {
      client.end();
      service.destroy();
    },
  ],
];

it.each(endings)(
  'a request whose connection is %s after any of its bytes is unknown, and not sent again',
  { tags: ['F7'] },
  async (_how, end) => {
    const service = await startScriptedHttp(jsonScript(200, accepted));
    onTestFinished(() => service.stop());
    const requestBytes = await lengthOfRequest();
    expect(requestBytes).toBeGreaterThan(500);
    const proxy = await proxyTo(service, end);
    const gateway = gatewayTo(proxy.baseUrl);
    while (proxy.connections() < requestBytes) {
      const atOnce = Math.min(40, requestBytes - proxy.connections());
      const outcomes = await Promise.all(
        Array.from({ length: atOnce }, () => gateway.makePayment(paymentRequest)),
      );
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['unknown']));
    }
    expect(proxy.connections()).toBe(requestBytes);
    expect(service.requests).toEqual([]);
  },
);
