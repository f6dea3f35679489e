import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { takeCallback } from './callback-endpoint.ts';
import type { Callbacks } from './callbacks.ts';
import type { Log } from './log.ts';

/** Slow requests are cut off; Node looks for them once a second. */
const TIMEOUTS: ListenerTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
};
const LARGEST_HEADERS_BYTES = 16 * 1024;

/** How long a client may take, in ms, as Node's HTTP server names it. */
export type ListenerTimeouts = {
  /** From the connection, or the answer before, to the end of the headers. */
  readonly headersTimeout: number;
  /** To the end of the body. */
  readonly requestTimeout: number;
  /** Without a request, on a connection that had one. */
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
};

/** What the listener asks about the state of the program. */
export type Health = {
  /** How late the oldest due work is, in ms; 0 when nothing is late. */
  lateMs(): Promise<number>;
  /** What is missing until the program is ready; empty when it is. */
  missing(): string[];
  /** Prometheus text. */
  metrics(): Promise<string>;
};

/** A platform's own webhook: it reads the raw request itself. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

const TOO_LATE_MS = 120_000;

/** The HTTP server: callbacks of the payment service, the chat platforms' webhooks, and how we are. */
export class Listener {
  readonly #server: Server;
  readonly #log: Log;
  readonly #mounts = new Map<string, RawHandler>();
  /** Becomes `true` once all who take messages are there, `false` when it does not come to that. */
  readonly #opened = Promise.withResolvers<boolean>();
  #isOpen = false;
  #callbacks: Pick<Callbacks, 'issued' | 'receive'> | undefined;

  constructor(options: {
    health: Health;
    log: Log;
    /** Told of every callback when it comes, and of the status it was answered with. */
    onCallback?: () => (status: number) => void;
    /** @default TIMEOUTS */
    timeouts?: ListenerTimeouts;
  }) {
    this.#log = options.log;
    const { onCallback, timeouts = TIMEOUTS } = options;
    const pages = pagesOf(options.health);
    const serve: RawHandler = (request, response) => {
      const path = pathOf(request);
      const mounted = this.#mounts.get(path);
      if (mounted !== undefined && request.method === 'POST') {
        mounted(request, response);
        return;
      }
      if (onCallback !== undefined && path.startsWith('/callbacks/')) {
        const answered = onCallback();
        response.once('finish', () => answered(response.statusCode));
      }
      const callbacks = this.#callbacks;
      if (callbacks !== undefined && request.method === 'POST')
        if (takeCallback(request, response, { path, callbacks, log: this.#log })) return;
      void this.#show(pages.get(path), request, response);
    };
    this.#server = createServer(
      { ...timeouts, maxHeaderSize: LARGEST_HEADERS_BYTES },
      (request, response) => {
        if (this.#isOpen || request.method !== 'POST') serve(request, response);
        else this.#keepWaiting(request, response, serve);
      },
    );
  }

  /** From now on messages are taken, first those that came too early. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve(true);
  }

  /** "Not found" is final for whoever sends a callback, so a program that only starts must not say it. */
  #keepWaiting(request: IncomingMessage, response: ServerResponse, serve: RawHandler): void {
    void this.#opened.promise.then((isOpen) => {
      if (isOpen) serve(request, response);
      else response.writeHead(503, { connection: 'close' }).end('not ready, please send it again');
    });
  }

  /** Callbacks need the address that listening gives, so they come after it. */
  serveCallbacks(callbacks: Pick<Callbacks, 'issued' | 'receive'>): void {
    this.#callbacks = callbacks;
  }

  /** Hands POST requests on a path to a chat platform. */
  mount(path: string, handler: RawHandler): void {
    this.#mounts.set(path, handler);
  }

  /** Resolves with the port; rejects when it cannot be had. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => this.#log.error({ err: error }, 'listener'));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more requests and waits for those in hand. */
  async stop(): Promise<void> {
    this.#opened.resolve(false);
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
    });
  }

  /** Whoever asks for a page, or for its head, gets it; anything else is not there. */
  async #show(
    page: Page | undefined,
    { method }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    try {
      const isAsked = method === 'GET' || method === 'HEAD';
      if (page === undefined || !isAsked) answer(response, NOT_FOUND);
      else answer(response, await page.read());
    } catch (error) {
      this.#log.error({ err: error }, 'a page could not be made');
      answer(response, FAULT);
    }
  }
}

type Answer = { readonly status: number; readonly type: string; readonly text: string };
type Page = { read(): Promise<Answer> };

const PLAIN = 'text/plain; charset=utf-8';
const NOT_FOUND: Answer = { status: 404, type: PLAIN, text: 'not found' };
const FAULT: Answer = { status: 500, type: PLAIN, text: 'something went wrong and was logged' };

/** How we are, for whoever runs this. */
const pagesOf = (health: Health): ReadonlyMap<string, Page> => {
  const healthz = async (): Promise<Answer> => {
    const lateMs = await health.lateMs();
    const ok = lateMs <= TOO_LATE_MS;
    return json(ok, { ok, lateSeconds: Math.round(lateMs / 1000) });
  };
  const readyz = async (): Promise<Answer> => {
    const missing = health.missing();
    const ready = missing.length === 0;
    return json(ready, ready ? { ready } : { ready, missing });
  };
  const metrics = async (): Promise<Answer> => ({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
    text: await health.metrics(),
  });
  return new Map([
    ['/healthz', { read: healthz }],
    ['/readyz', { read: readyz }],
    ['/metrics', { read: metrics }],
  ]);
};

const json = (ok: boolean, value: object): Answer => ({
  status: ok ? 200 : 503,
  type: 'application/json',
  text: JSON.stringify(value),
});

const answer = (response: ServerResponse, { status, type, text }: Answer): void => {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
};

/** The path without query, as it was sent: it is only compared. */
const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? '';
