/** One request to the sandbox with its answer, or one callback of the sandbox with what it was answered. */
export type SandboxExchange = {
  readonly kind: 'request' | 'callback';
  readonly path: string;
  /** Parsed JSON; the text itself when it is none. Without credentials. */
  readonly body: unknown;
  /** Undefined: no answer. */
  readonly status: number | undefined;
  /** What a request was answered, as `body`; absent for callbacks. */
  readonly answered?: unknown;
};

/** Must not throw. */
export type OnExchange = (exchange: SandboxExchange) => void;
