/** How long a client may take, in ms, as Node's HTTP server names it. */
export type ListenerTimeouts = {
  /** From the connection, or the answer before, to the end of the headers. */
  readonly headersTimeout: number;
  /** To the end of the body. */
  readonly requestTimeout: number;
  /** Without a request, on a connection that had one. */
  readonly keepAliveTimeout: number;
  /** Without a byte in either direction: for those who do not read their answers. */
  readonly timeout: number;
  readonly connectionsCheckingInterval: number;
};

/** Slow requests are cut off; Node looks for them once a second. */
export const TIMEOUTS: ListenerTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 15_000,
  timeout: 30_000,
  connectionsCheckingInterval: 1_000,
};

export const LARGEST_HEADERS_BYTES = 16 * 1024;
export const MOST_HEADERS = 100;
