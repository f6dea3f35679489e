import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

type Side = 'client' | 'server';

/** Which message is the last that gets through, counted from the client message that contains `from` on. */
export type Cut = { readonly from: string; readonly side: Side; readonly message: number };

const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** Stands between a client and PostgreSQL, understands where their messages end, and cuts between them. */
export class PostgresProxy {
  readonly #server: Server;
  readonly #targetPort: number;
  readonly #relays = new Set<Relay>();
  #cut: Cut | undefined;
  #cutting: Relay | undefined;
  #swallowsNew = false;
  cuts = 0;

  private constructor(targetPort: number) {
    this.#targetPort = targetPort;
    // Messages are passed on one by one, so waiting to send them together would only cost time.
    this.#server = createServer({ noDelay: true }, (client) => this.#relay(client));
  }

  /** Stopped when the test has finished. */
  static async start(targetPort: number): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => proxy.#stop());
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The next connection to which it applies is cut, once. */
  cutOnce(cut: Cut): void {
    this.#cut = cut;
    this.#cutting = undefined;
  }

  /** Connections stay open, and nothing gets through any more; new ones work unless they are swallowed too. */
  swallow({ newToo = false } = {}): void {
    this.#swallowsNew = newToo;
    for (const relay of this.#relays) relay.swallow();
  }

  /** Whether this message is the last. */
  isLast(relay: Relay, side: Side, message: Buffer): boolean {
    const cut = this.#cut;
    if (cut === undefined) return false;
    if (this.#cutting === undefined && side === 'client' && message.includes(cut.from)) {
      this.#cutting = relay;
      relay.counted = { client: 0, server: 0 };
    }
    if (this.#cutting !== relay) return false;
    relay.counted[side]++;
    if (side !== cut.side || relay.counted[side] < cut.message) return false;
    this.#cut = undefined;
    this.cuts++;
    return true;
  }

  #relay(client: Socket): void {
    const relay = new Relay(this, client, connectTo(this.#targetPort));
    if (this.#swallowsNew) relay.swallow();
    this.#relays.add(relay);
    client.on('close', () => this.#relays.delete(relay));
  }

  async #stop(): Promise<void> {
    for (const relay of this.#relays) relay.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const connectTo = (port: number): Socket => connect({ port, host: '127.0.0.1', noDelay: true });

/** One connection and its other half. */
class Relay {
  readonly #proxy: PostgresProxy;
  readonly #sockets: Readonly<Record<Side, Socket>>;
  readonly #rest: Record<Side, Buffer> = { client: Buffer.alloc(0), server: Buffer.alloc(0) };
  #started = false;
  #swallows = false;
  #over = false;
  counted: Record<Side, number> = { client: 0, server: 0 };

  constructor(proxy: PostgresProxy, client: Socket, server: Socket) {
    this.#proxy = proxy;
    this.#sockets = { client, server };
    for (const [side, other] of [
      ['client', 'server'],
      ['server', 'client'],
    ] as const) {
      const socket = this.#sockets[side];
      socket.on('data', (data: Buffer) => this.#pass(side, data));
      // A reset on one side is passed on as an end.
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!this.#swallows) this.#sockets[other].end();
      });
    }
  }

  swallow(): void {
    this.#swallows = true;
  }

  destroy(): void {
    this.#sockets.client.destroy();
    this.#sockets.server.destroy();
  }

  #pass(side: Side, data: Buffer): void {
    const other = this.#sockets[side === 'client' ? 'server' : 'client'];
    this.#rest[side] = Buffer.concat([this.#rest[side], data]);
    for (let message = this.#next(side); message !== undefined; message = this.#next(side)) {
      if (this.#swallows || this.#over) continue;
      if (!this.#proxy.isLast(this, side, message)) {
        other.write(message);
        continue;
      }
      this.#over = true;
      // What got through arrives; then both sides find the connection gone.
      other.end(message);
      this.#sockets[side].destroy();
    }
  }

  /** The next whole message; the client's very first has no type. */
  #next(side: Side): Buffer | undefined {
    const typeBytes = side === 'client' && !this.#started ? 0 : TYPE_BYTES;
    const rest = this.#rest[side];
    if (rest.length < typeBytes + LENGTH_BYTES) return undefined;
    const length = typeBytes + rest.readUInt32BE(typeBytes);
    if (rest.length < length) return undefined;
    if (side === 'client') this.#started = true;
    this.#rest[side] = rest.subarray(length);
    return rest.subarray(0, length);
  }
}
