import { buildConnector, Client } from 'undici';

/** How far a connection got. Before `connected` not one byte of a request can have been written. */
export type ConnectPhase = 'idle' | 'connecting' | 'connected';

/** One fresh connection for one request. */
export type SingleUseConnection = {
  readonly dispatcher: Client;
  readonly phase: () => ConnectPhase;
  /** Afterwards nothing is written any more, and `phase` is final. */
  readonly close: () => Promise<void>;
};

/**
 * Makes lines to `origin`. Every request gets a connection of its own: a kept one may have gone stale,
 * and then nobody can tell whether the request arrived. A connection connects once and refuses a second
 * time, so nothing below can send a request again, and a failed connect proves that nothing was sent.
 * Proxies and switched-off certificate checks in the environment are ignored.
 */
export const singleUseConnections = (
  origin: string,
  connectTimeoutMs: number,
): (() => SingleUseConnection) => {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    rejectUnauthorized: true,
  });
  return () => {
    let phase: ConnectPhase = 'idle';
    const dispatcher = new Client(origin, {
      pipelining: 0, // "Connection: close"
      allowH2: false, // HTTP/2 sends requests again that the server gave back
      // The caller's one deadline covers connection, head and body.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        if (phase !== 'idle') return callback(new Error('A connection connects only once'), null);
        phase = 'connecting';
        connect(options, (...result) => {
          if (result[0] === null) phase = 'connected';
          callback(...result);
        });
      },
    });
    return {
      dispatcher,
      phase: () => phase,
      // Rejects when it is closed already, which is what is wanted.
      close: () => dispatcher.destroy().catch(() => undefined),
    };
  };
};
