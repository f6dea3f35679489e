import { buildConnector, Client } from 'undici';

/** How far a connection got. Before `connected` not one byte of a request can have been written. */
export type ConnectPhase = 'idle' | 'connecting' | 'connected';

export type Connection = {
  readonly dispatcher: Client;
  phase: ConnectPhase;
  /** Whether its present socket has carried an answer: the server may have closed that one since. */
  hasAnswered: boolean;
  /** Destroys the socket. Afterwards nothing is written any more, and `phase` is final. Never rejects. */
  readonly close: () => Promise<void>;
};

/** Idle connections kept at most; more than the status checks that run at once. */
const MAX_IDLE = 32;
/** Shorter than servers keep an idle connection (Node 5 s, nginx 75 s), so that few are found stale. */
const KEEP_ALIVE_MS = 4_000;

/** Connects over HTTP/1.1. Proxies and switched-off certificate checks in the environment are ignored. */
export const createConnector = (timeoutMs: number): buildConnector.connector =>
  buildConnector({ timeout: timeoutMs, allowH2: false, rejectUnauthorized: true });

const open = (
  origin: string,
  connect: buildConnector.connector,
  { connectsOnce, ...options }: Client.Options & { connectsOnce: boolean },
): Connection => {
  const dispatcher = new Client(origin, {
    ...options,
    allowH2: false, // HTTP/2 sends requests again that the server gave back
    // The caller's one deadline covers connection, head and body.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      if (connectsOnce && connection.phase !== 'idle')
        return callback(new Error('A connection connects only once'), null);
      connection.phase = 'connecting';
      connection.hasAnswered = false;
      connect(target, (...result) => {
        if (result[0] === null) connection.phase = 'connected';
        callback(...result);
      });
    },
  });
  const connection: Connection = {
    dispatcher,
    phase: 'idle',
    hasAnswered: false,
    // Rejects when it is closed already, which is what is wanted.
    close: () => dispatcher.destroy().catch(() => undefined),
  };
  return connection;
};

/**
 * Opens a connection for one request that must not be sent twice. On a kept connection that has gone stale
 * it cannot be told whether the request arrived. This one connects once and refuses a second time, so undici
 * cannot send the request again, and a failed connect proves that nothing was sent.
 */
export const openSingleUse = (origin: string, connect: buildConnector.connector): Connection =>
  open(origin, connect, { connectsOnce: true, pipelining: 0 }); // "Connection: close"

/**
 * Keep-alive connections for questions, which may be asked twice; undici opens a socket again that was closed
 * while idle. Never for requests that move money.
 */
export class KeptConnections {
  readonly #idle: Connection[] = [];
  readonly open: () => Connection;

  constructor(origin: string, connect: buildConnector.connector) {
    const options = { connectsOnce: false, keepAliveTimeout: KEEP_ALIVE_MS };
    this.open = () => open(origin, connect, options);
  }

  /** Returns the connection that was used last, which is the least likely to be stale, or a new one. */
  take(): Connection {
    return this.#idle.pop() ?? this.open();
  }

  /** Keeps a connection whose answer has been read. */
  giveBack(connection: Connection): void {
    connection.hasAnswered = true;
    this.#idle.push(connection);
    if (this.#idle.length > MAX_IDLE) void this.#idle.shift()?.close();
  }
}
