import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Callbacks } from '../callbacks/callbacks.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { type AddressRange, AddressSet } from './address-range.ts';
import { type Answer, answer, closing, NOT_FOUND, NOT_READY, notAllowed } from './answer.ts';
import { isCallbackPath, takeCallback } from './callback-endpoint.ts';
import { ClientAddresses } from './client-address.ts';
import { capConnections } from './connection-cap.ts';
import { type Health, healthPages, type Page, type PagePath } from './health-pages.ts';
import { ClientErrorLimit, endBadRequest, limitedResponse } from './limited-response.ts';
import { UnverifiedBodies } from './unverified-bodies.ts';

/** How long a client may take, in ms, as Node's HTTP server names it. Slow requests are cut off. */
export const TIMEOUTS = {
  /** From the connection, or the answer before, to the end of the headers. */
  headersTimeout: 10_000,
  /** To the end of the body. */
  requestTimeout: 20_000,
  /** Without a request, on a connection that had one. */
  keepAliveTimeout: 15_000,
  /** Without a byte in either direction: cuts off clients that do not read their answers. */
  timeout: 30_000,
  /** How often Node looks for them. */
  connectionsCheckingInterval: 1_000,
};

export type ListenerTimeouts = Readonly<typeof TIMEOUTS>;

const LARGEST_HEADERS_BYTES = 16 * 1024;
const MOST_HEADERS = 100;

/** A platform's own webhook: it reads the raw request itself. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

export type ListenerOptions = {
  health: Health;
  /** Which of the pages about it are shown. @default all */
  pages?: readonly PagePath[];
  log: Log;
  /** Told of every callback when it comes, and of the status it was answered with. */
  onCallback?: () => (status: number) => void;
  /** Proxies whose `X-Forwarded-For` is believed. @default none */
  proxies?: readonly AddressRange[] | undefined;
  /** Where callbacks may come from. @default anywhere */
  callbackAllow?: readonly AddressRange[] | undefined;
  /** @default TIMEOUTS */
  timeouts?: ListenerTimeouts;
  /** @default systemClock */
  clock?: Pick<Clock, 'monotonic'>;
};

/** The HTTP server: callbacks of the payment service, the chat platforms' webhooks, health and metrics. */
export class Listener {
  readonly #server: Server;
  readonly #log: Log;
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #mounts = new Map<string, RawHandler>();
  #ownPages: { readonly path: string; readonly handler: RawHandler } | undefined;
  readonly #onCallback: (() => (status: number) => void) | undefined;
  readonly #senders: ClientAddresses;
  readonly #callbackAllow: AddressSet | undefined;
  /** Of callbacks: their addresses show who sends them, so all together are not bounded. */
  readonly #bodies = new UnverifiedBodies(Number.POSITIVE_INFINITY);
  /** Resolves with `true` once the bots and the engine can take messages, with `false` when it is stopped before. */
  readonly #opened = Promise.withResolvers<boolean>();
  #isOpen = false;
  #callbacks: Pick<Callbacks, 'issued' | 'receive'> | undefined;

  constructor(options: ListenerOptions) {
    const { pages, timeouts = TIMEOUTS, clock = systemClock, callbackAllow } = options;
    this.#log = options.log;
    this.#onCallback = options.onCallback;
    this.#pages = new Map(
      [...healthPages(options.health, clock)].filter(([path]) => pages?.includes(path) ?? true),
    );
    this.#senders = new ClientAddresses(options.proxies ?? []);
    this.#callbackAllow = callbackAllow && new AddressSet(callbackAllow);
    const refusals = new ClientErrorLimit(clock);
    const refused = (request: IncomingMessage) => refusals.spend(this.#senders.of(request));
    this.#server = createServer(
      {
        ...timeouts,
        maxHeaderSize: LARGEST_HEADERS_BYTES,
        ServerResponse: limitedResponse(refused),
      },
      (request, response) => this.#take(request, response),
    );
    // Node drops headers over its maximum without a word, and with them what a proxy says.
    this.#server.maxHeadersCount = 0;
    this.#server.timeout = timeouts.timeout;
    this.#server.on('clientError', endBadRequest);
    capConnections(this.#server, this.#senders);
  }

  /** Takes messages from now on, first those that wait. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve(true);
  }

  /** Callbacks need the address that listening gives, so they come after it. */
  serveCallbacks(callbacks: Pick<Callbacks, 'issued' | 'receive'>): void {
    this.#callbacks = callbacks;
  }

  /** Hands POST requests on a path to a chat platform. */
  mount(path: string, handler: RawHandler): void {
    this.#mounts.set(path, handler);
  }

  /** Hands requests of any method on a path, and below it, to one handler. */
  mountPages(path: string, handler: RawHandler): void {
    this.#ownPages = { path, handler };
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

  /** Takes no more requests and waits for those in flight. */
  async stop(): Promise<void> {
    this.#opened.resolve(false);
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
    });
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    // Answered while the listener stops, a connection would be kept for a next request that is not served.
    response.once('finish', () => {
      if (!this.#server.listening) this.#server.closeIdleConnections();
    });
    if (request.rawHeaders.length > 2 * MOST_HEADERS) answer(response, TOO_MANY_HEADERS);
    else if (this.#isOpen || request.method !== 'POST') this.#serve(request, response);
    else this.#keepWaiting(request, response);
  }

  /** "Not found" is final for the sender of a callback, so it waits while the program starts. */
  #keepWaiting(request: IncomingMessage, response: ServerResponse): void {
    void this.#opened.promise.then((isOpen) => {
      if (isOpen) this.#serve(request, response);
      else answer(response, NOT_READY);
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request);
    const page = this.#pages.get(path);
    const mounted = this.#mounts.get(path);
    if (page !== undefined) void this.#show(page, request, response);
    else if (mounted !== undefined)
      if (request.method === 'POST') mounted(request, response);
      else answer(response, POST_ONLY);
    else if (path.startsWith('/callbacks/')) this.#takeCallback(path, request, response);
    else if (isUnder(this.#ownPages?.path, path)) this.#ownPages?.handler(request, response);
    else answer(response, NOT_FOUND);
  }

  #takeCallback(path: string, request: IncomingMessage, response: ServerResponse): void {
    const answered = this.#onCallback?.();
    if (answered !== undefined) response.once('finish', () => answered(response.statusCode));
    const callbacks = this.#callbacks;
    if (!isCallbackPath(path) || callbacks === undefined) answer(response, NOT_FOUND);
    else if (request.method !== 'POST') answer(response, POST_ONLY);
    else
      void takeCallback(request, response, {
        path,
        callbacks,
        isAllowed: this.#callbackAllow?.has(this.#senders.of(request)) ?? true,
        bodies: this.#bodies,
        log: this.#log,
      });
  }

  async #show(page: Page, { method }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD') return answer(response, PAGE_ONLY);
    try {
      answer(response, await page());
    } catch (error) {
      this.#log.error({ err: error }, 'a page could not be made');
      answer(response, FAULT);
    }
  }
}

const POST_ONLY = notAllowed('POST');
const PAGE_ONLY = notAllowed('GET, HEAD');
const FAULT: Answer = { status: 500, text: 'something went wrong and was logged' };
const TOO_MANY_HEADERS = closing(431, 'too many headers');

const isUnder = (folder: string | undefined, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The path without query, as it was sent: it is only compared. */
const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? '';
