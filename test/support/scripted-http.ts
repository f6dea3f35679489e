import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** One request, read whole before it is answered. */
export type ScriptedRequest = {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Answers on the bare socket: bytes, half of them, nothing, or a reset. */
export type Script = (socket: Socket, request: ScriptedRequest) => void;

export type ScriptedHttp = {
  readonly baseUrl: string;
  readonly port: number;
  readonly requests: readonly ScriptedRequest[];
  /** How many connections were opened. */
  readonly connections: number;
  /** What is answered from now on. */
  script: Script;
  stop(): Promise<void>;
};

/** An HTTP server that answers exactly the bytes it is told to, on a free port of this machine. */
export const startScriptedHttp = async (
  script: Script,
  tls?: { key: string; cert: string },
): Promise<ScriptedHttp> => {
  const sockets = new Set<Socket>();
  const requests: ScriptedRequest[] = [];
  let connections = 0;
  const serve = (socket: Socket) => {
    connections++;
    sockets.add(socket);
    // The tests cut connections on purpose; the other side's complaints are no news.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onRequests(socket, (request) => {
      requests.push(request);
      scripted.script(socket, request);
    });
  };
  const server: Server =
    tls === undefined
      ? createServer(serve)
      : createTlsServer(tls, serve).on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const scripted: ScriptedHttp = {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    get connections() {
      return connections;
    },
    script,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return scripted;
};

const onRequests = (socket: Socket, take: (request: ScriptedRequest) => void): void => {
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [requestLine = '', ...lines] = received.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    if (received.length < bodyEnd) return;
    const body = Buffer.from(received.slice(end + 4, bodyEnd), 'latin1').toString('utf8');
    received = received.slice(bodyEnd);
    const [method = '', path = ''] = requestLine.split(' ');
    take({ method, path, headers, body });
  });
};

/** The bytes of an answer with a body, its length given. */
export const httpAnswer = (
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Buffer => {
  const bytes = Buffer.from(body);
  const head = Object.entries({ 'content-length': String(bytes.length), ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Whatever\r\n${head}\r\n`), bytes]);
};

/** Answers with a status and JSON, and leaves the connection open. */
export const jsonScript =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script =>
  (socket) =>
    socket.write(
      httpAnswer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers }),
    );

/** Sends these bytes and closes the connection. */
export const bytesScript =
  (bytes: Buffer): Script =>
  (socket) =>
    socket.end(bytes);
