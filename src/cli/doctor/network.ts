import type { Clock } from '../../core/runtime/clock.ts';

/** Longer than any service takes that works. */
const PATIENCE_MS = 10_000;
/** Enough for any answer that is looked at. */
const MOST_CHARACTERS = 100_000;

/** What came back over HTTP, or in a few words why nothing did. */
export type HttpReply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Headers;
      readonly text: string;
    }
  | { readonly kind: 'silent'; readonly why: string };

/** Asks services over HTTP, and notes what time each of them has. */
export class Network {
  readonly #clock: Clock;
  /** How far our clock is ahead of each service's that told its time; below zero: behind. */
  readonly aheadMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Never rejects, follows no redirect. The address is no part of the reply: it may hold a token. */
  async ask(service: string, url: string, init: RequestInit = {}): Promise<HttpReply> {
    const reply = await this.askOurselves(url, init);
    if (reply.kind === 'answered') this.#noteTime(service, reply.headers.get('date'));
    return reply;
  }

  /** The same, of what has our own clock. */
  async askOurselves(url: string, init: RequestInit = {}): Promise<HttpReply> {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      const text = (await response.text()).slice(0, MOST_CHARACTERS);
      return { kind: 'answered', status: response.status, headers: response.headers, text };
    } catch (error) {
      return { kind: 'silent', why: whySilent(error) };
    }
  }

  #noteTime(service: string, date: string | null): void {
    const theirsMs = Date.parse(date ?? '');
    if (!Number.isNaN(theirsMs)) this.aheadMs.set(service, this.#clock.now() - theirsMs);
  }
}

/** The system's own word for it; messages of fetch may repeat the address. */
const whySilent = (error: unknown): string => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} s`;
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string') return WORDS[code] ?? code;
  }
  return 'no connection';
};

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host name',
  EAI_AGAIN: 'host names cannot be looked up now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is not complete',
  UND_ERR_CONNECT_TIMEOUT: 'the connection takes too long',
  UND_ERR_SOCKET: 'the connection was cut',
  ECONNRESET: 'the connection was cut',
};
