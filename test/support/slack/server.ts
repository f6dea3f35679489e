import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, BOT_SCOPES } from './emulator.ts';
import type { Fault, Faults } from './faults.ts';

/** One call of the Web API or one post to a `response_url`, as it came in. */
export type Call = {
  readonly method: string;
  readonly args: Record<string, unknown>;
  /** What was answered; absent when the connection was cut. */
  answer?: Answer;
  /** What was made to go wrong with it. */
  readonly fault?: Fault;
};

export type Handlers = {
  api(method: string, args: Record<string, unknown>, token: string): Promise<Answer>;
  responseUrl(id: string, body: Record<string, unknown>): Promise<Answer>;
  upload(id: string, request: IncomingMessage, bytes: Buffer): Promise<number>;
  /** Undefined: it is not there, or not for this token. */
  download(id: string, authorization: string | undefined): Buffer | undefined;
};

/** Our front: notes every call in the ledger, makes go wrong what is planned, answers the rest. */
export class FrontServer {
  readonly calls: Call[] = [];
  /** The scopes of the bot's token, as Slack names them with every answer. */
  scopes: readonly string[] = BOT_SCOPES;
  readonly #faults: Faults;
  readonly #handlers: Handlers;
  readonly #upgrade: (server: Server) => void;
  #server: Server | undefined;
  #port = 0;

  constructor(options: {
    faults: Faults;
    handlers: Handlers;
    /** Takes WebSocket connections of the server. */
    upgrade: (server: Server) => void;
  }) {
    this.#faults = options.faults;
    this.#handlers = options.handlers;
    this.#upgrade = options.upgrade;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens; on the same port as before when it did before. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
    this.#upgrade(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Connections are cut, new ones refused. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bytesOf(request);
    const [, kind = '', name = '', id = ''] = (request.url ?? '').split('/');
    if (kind === 'upload') return this.#take(id, request, response, bytes);
    if (kind === 'files-pri') return this.#give(name, request, response);
    const body = bytes.toString('utf8');
    const isApi = kind === 'api';
    const method = isApi ? name : 'response_url';
    const args = isApi ? formArgs(body) : (JSON.parse(body) as Record<string, unknown>);
    const fault = this.#faults.take(method);
    const call: Call = { method, args, ...(fault === undefined ? {} : { fault }) };
    this.calls.push(call);
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault !== undefined && failsBefore(fault, response)) return;
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    const answer = isApi
      ? await this.#handlers.api(method, args, token)
      : await this.#handlers.responseUrl(name, args);
    if (fault?.kind === 'cut after') {
      response.destroy();
      return;
    }
    call.answer = answer;
    const status = isApi || answer.ok ? 200 : 404;
    const headers = { 'content-type': 'application/json', 'x-oauth-scopes': this.scopes.join(',') };
    response.writeHead(status, headers);
    response.end(JSON.stringify(answer));
  }

  async #take(
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
    bytes: Buffer,
  ): Promise<void> {
    const fault = this.#faults.take('upload');
    this.calls.push({ method: 'upload', args: { id, ...request.headers } });
    if (fault !== undefined && failsBefore(fault, response)) return;
    response.writeHead(await this.#handlers.upload(id, request, bytes)).end('OK');
  }

  /** Without the right token Slack sends to its page for signing in. */
  #give(id: string, request: IncomingMessage, response: ServerResponse): void {
    const fault = this.#faults.take('download');
    this.calls.push({ method: 'download', args: { id, ...request.headers } });
    if (fault !== undefined && failsBefore(fault, response)) return;
    const bytes = this.#handlers.download(id, request.headers.authorization);
    if (bytes === undefined) response.writeHead(302, { location: '/?redir=files' }).end();
    else response.writeHead(200, { 'content-type': 'text/csv' }).end(bytes);
  }
}

/** True when the fault was the whole answer. */
const failsBefore = (fault: Fault, response: ServerResponse): boolean => {
  switch (fault.kind) {
    case 'rateLimited': {
      const wait = fault.retryAfterSeconds;
      const headers = wait === undefined ? {} : { 'retry-after': String(wait) };
      response.writeHead(429, headers).end('{"ok":false,"error":"ratelimited"}');
      return true;
    }
    case 'http':
      response.writeHead(fault.status, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
      return true;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to the Wi-Fi</h1>');
      return true;
    case 'error':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, error: fault.error }));
      return true;
    case 'cut before':
      response.destroy();
      return true;
    case 'cut after':
    case 'slow':
      return false;
  }
};

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const JSON_ARGS = new Set(['blocks', 'metadata', 'view', 'attachments']);

/** The client sends a form in which objects are JSON. */
const formArgs = (body: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, value]) => [
      name,
      JSON_ARGS.has(name) ? JSON.parse(value) : value,
    ]),
  );
