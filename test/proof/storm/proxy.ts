import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** As an operator would set it up: patience with an answer, and how long one that failed is left alone. */
const ANSWER_WITHIN_MS = 6_000;
const LEFT_ALONE_MS = 2_000;

type Backend = { readonly port: number; leftAloneUntilMs: number };

/**
 * What became of passing a request on. `refused`: nobody listened, so nothing was sent and the next one
 * may be tried; `broken` and `silent`: it may have been carried out, so it is repeated to nobody.
 */
type Passed = 'answered' | 'refused' | 'broken' | 'silent';

/** One address in front of all instances, in turns. */
export class RoundRobinProxy {
  readonly #backends: Backend[];
  readonly #server: Server;
  #turn = 0;

  private constructor(ports: readonly number[]) {
    this.#backends = ports.map((port) => ({ port, leftAloneUntilMs: 0 }));
    this.#server = createServer((incoming, response) => {
      // A caller that goes away while still sending is nobody's loss.
      this.#serve(incoming, response).catch(() => response.destroy());
    });
  }

  static async start(backends: readonly number[]): Promise<RoundRobinProxy> {
    const proxy = new RoundRobinProxy(backends);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    for (const backend of this.#inTurn()) {
      const passed = await passOn(backend.port, incoming, body, response);
      if (passed === 'answered') return;
      backend.leftAloneUntilMs = Date.now() + LEFT_ALONE_MS;
      if (passed !== 'refused') return fail(response, passed === 'silent' ? 504 : 502);
    }
    fail(response, 502);
  }

  /** The next one first; those that failed a moment ago only when no other is left. */
  #inTurn(): Backend[] {
    this.#turn += 1;
    const { length } = this.#backends;
    const order = this.#backends.map((_, at) => this.#backends[(this.#turn + at) % length]);
    const all = order.filter((backend) => backend !== undefined);
    const isWell = (backend: Backend) => backend.leftAloneUntilMs <= Date.now();
    return [...all.filter(isWell), ...all.filter((backend) => !isWell(backend))];
  }
}

const fail = (response: ServerResponse, status: number): void => {
  if (response.headersSent) response.destroy();
  else response.writeHead(status).end();
};

/** A connection of its own for each request: none can turn out to be stale. */
const passOn = (
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<Passed> =>
  new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, method, path: url, agent: false };
    const outgoing = request({ ...options, headers: { ...headers, connection: 'close' } });
    const timer = setTimeout(() => {
      resolve('silent');
      outgoing.destroy();
    }, ANSWER_WITHIN_MS);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'broken'),
    );
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.on('end', () => resolve('answered'));
      answer.pipe(response);
    });
    // The caller has given up; what was sent has been sent.
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  });
