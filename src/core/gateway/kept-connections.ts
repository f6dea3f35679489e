import { type buildConnector, Client } from 'undici';
import { CLIENT_OPTIONS, type Connection, type ConnectPhase } from './single-use-connection.ts';

/** Idle connections kept at most; more than the status checks that run at once. */
const MAX_IDLE = 32;
/** Shorter than servers keep an idle connection (Node 5 s, nginx 75 s), so that few are found stale. */
const KEEP_ALIVE_MS = 4_000;

/** A keep-alive connection; undici opens its socket again when it was closed while idle. */
export type KeptConnection = Connection & {
  /** Whether its present socket has carried an answer: the server may have closed that one since. */
  hasAnswered: boolean;
};

/** Keep-alive connections for questions, which may be asked twice. Never for requests that move money. */
export class KeptConnections {
  readonly #origin: string;
  readonly #connect: buildConnector.connector;
  readonly #idle: KeptConnection[] = [];

  constructor(origin: string, connect: buildConnector.connector) {
    this.#origin = origin;
    this.#connect = connect;
  }

  /** Returns the connection that was used last, which is the least likely to be stale, or a new one. */
  take(): KeptConnection {
    return this.#idle.pop() ?? this.open();
  }

  open(): KeptConnection {
    let phase: ConnectPhase = 'idle';
    const dispatcher = new Client(this.#origin, {
      ...CLIENT_OPTIONS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: (options, callback) => {
        phase = 'connecting';
        connection.hasAnswered = false;
        this.#connect(options, (...result) => {
          if (result[0] === null) phase = 'connected';
          callback(...result);
        });
      },
    });
    const connection: KeptConnection = {
      dispatcher,
      phase: () => phase,
      close: () => dispatcher.destroy().catch(() => undefined),
      hasAnswered: false,
    };
    return connection;
  }

  /** Keeps a connection whose answer has been read. */
  giveBack(connection: KeptConnection): void {
    connection.hasAnswered = true;
    this.#idle.push(connection);
    if (this.#idle.length > MAX_IDLE) void this.#idle.shift()?.close();
  }
}
