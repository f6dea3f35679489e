import { buildConnector, Client } from 'undici';

/** How far a connection got. Before `connected` not one byte of a request can have been written. */
export type ConnectPhase = 'idle' | 'connecting' | 'connected';

export type Connection = {
  readonly dispatcher: Client;
  readonly phase: () => ConnectPhase;
  /** Destroys the socket. Afterwards nothing is written any more, and `phase` is final. */
  readonly close: () => Promise<void>;
};

export const CLIENT_OPTIONS = {
  allowH2: false, // HTTP/2 sends requests again that the server gave back
  // The caller's one deadline covers connection, head and body.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

/** Connects over HTTP/1.1. Proxies and switched-off certificate checks in the environment are ignored. */
export const createConnector = (timeoutMs: number): buildConnector.connector =>
  buildConnector({ timeout: timeoutMs, allowH2: false, rejectUnauthorized: true });

/**
 * Opens a connection for one request that must not be sent twice. On a kept connection that has gone stale
 * it cannot be told whether the request arrived. This one connects once and refuses a second time, so undici
 * cannot send the request again, and a failed connect proves that nothing was sent.
 */
export const openSingleUse = (origin: string, connect: buildConnector.connector): Connection => {
  let phase: ConnectPhase = 'idle';
  const dispatcher = new Client(origin, {
    ...CLIENT_OPTIONS,
    pipelining: 0, // "Connection: close"
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
