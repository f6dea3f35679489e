import { createHmac } from 'node:crypto';

/** What kind of request it is; Slack wraps each differently. */
export type Kind = 'slash_commands' | 'interactive' | 'events_api';

export type Payload = Record<string, unknown>;

/** How the app took a request. */
export type Delivered = {
  /** Acknowledged in time. */
  readonly ok: boolean;
  /** HTTP status; 200 for an acknowledged envelope; 0 without any answer. */
  readonly status: number;
  /** What was in it; undefined when empty, as most must be. */
  readonly answer: unknown;
  readonly kind: Kind;
  readonly payload: Payload;
};

/** A delivery that can be made again, as Slack does when it got no answer. */
export type Done = Delivered & { again(): Promise<Done> };

/** Brings requests to the app. `retry` counts redeliveries of the same request, from 1. */
export interface Transport {
  deliver(kind: Kind, payload: Payload, retry?: number): Promise<Delivered>;
}

/** Slack itself waits for 3 s; here a slow machine is no late acknowledgement. */
export const PATIENCE_MS = 60_000;

/** Headers of a request signed as Slack signs it. */
export const signedHeaders = (
  body: string,
  options: { secret: string; timestampSeconds?: number },
): Record<string, string> => {
  const timestamp = options.timestampSeconds ?? Math.floor(Date.now() / 1_000);
  const hash = createHmac('sha256', options.secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(timestamp), 'x-slack-signature': `v0=${hash}` };
};

/** The body and content type that Slack uses for a kind of request. */
export const encoded = (kind: Kind, payload: Payload): { body: string; contentType: string } => {
  if (kind === 'events_api')
    return { body: JSON.stringify(payload), contentType: 'application/json' };
  const form =
    kind === 'interactive'
      ? new URLSearchParams({ payload: JSON.stringify(payload) })
      : new URLSearchParams(payload as Record<string, string>);
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
};

/** Signed POSTs to the app's address. */
export class HttpTransport implements Transport {
  readonly #secret: string;
  readonly #urlOf: () => string;

  constructor(options: { secret: string; urlOf: () => string }) {
    this.#secret = options.secret;
    this.#urlOf = options.urlOf;
  }

  async deliver(kind: Kind, payload: Payload, retry?: number): Promise<Delivered> {
    const { body, contentType } = encoded(kind, payload);
    const headers = {
      ...signedHeaders(body, { secret: this.#secret }),
      'content-type': contentType,
      ...(retry === undefined
        ? {}
        : { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'http_timeout' }),
    };
    const { status, text } = await post(this.#urlOf(), headers, body);
    const answer = text === '' ? undefined : asJson(text);
    return { ok: status === 200, status, answer, kind, payload };
  }
}

const post = async (
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; text: string }> => {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    return { status: response.status, text: await response.text() };
  } catch {
    // Refused, cut off or too late: for Slack it is all the same.
    return { status: 0, text: '' };
  }
};

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
