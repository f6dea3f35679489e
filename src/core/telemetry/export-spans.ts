import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

const EVERY_MS = 5_000;
const PATIENCE_MS = 3_000;
/** As many as this are sent at once, and before their time. */
const BATCH = 256;
/** While the collector is away the newest are lost: memory is for payments. */
const MOST_WAITING = 4_096;

/** Sends spans to a collector as OTLP over HTTP in JSON. An error there loses spans and nothing else. */
export class SpanExport {
  readonly #url: string;
  readonly #version: string;
  readonly #instance = randomUUID();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #nap = new AbortController();
  #waiting: Span[] = [];
  #isAway = false;
  readonly #loop: Promise<void>;

  constructor(options: { endpoint: string; version: string; clock: Clock; log: Log }) {
    this.#url = `${options.endpoint}/v1/traces`;
    this.#version = options.version;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#loop = this.#sendNowAndThen();
  }

  add(...spans: readonly Span[]): void {
    if (this.#waiting.length >= MOST_WAITING) return;
    this.#waiting.push(...spans);
    if (this.#waiting.length >= BATCH) this.#nap.abort();
  }

  /** Sends what waits, if the collector takes it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#nap.abort();
    await this.#loop;
  }

  async #sendNowAndThen(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#nap = new AbortController();
      await this.#clock.sleep(EVERY_MS, this.#nap.signal);
      await this.#sendAll();
    }
    // What ended while the last ones were on their way.
    await this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    const spans = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < spans.length; from += BATCH) {
      const problem = await this.#send(spans.slice(from, from + BATCH));
      // Once per change: a collector that is away for a day is one line.
      if (problem !== undefined && !this.#isAway)
        this.#log.warn(
          { problem },
          'traces could not be sent; the payments are not touched by that',
        );
      this.#isAway = problem !== undefined;
      if (this.#isAway) return;
    }
  }

  /** Undefined: they were taken. */
  async #send(spans: readonly Span[]): Promise<string | undefined> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(this.#request(spans)),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `the collector answers with ${response.status}`;
    } catch (error) {
      return error instanceof Error ? error.name : 'no connection';
    }
  }

  #request(spans: readonly Span[]): object {
    const resource = {
      'service.name': 'paythread',
      'service.version': this.#version,
      'service.instance.id': this.#instance,
    };
    const scope = { name: 'paythread', version: this.#version };
    const scopeSpans = [{ scope, spans: spans.map(otlpSpan) }];
    return { resourceSpans: [{ resource: { attributes: otlpAttributes(resource) }, scopeSpans }] };
  }
}

const otlpSpan = ({ trace, id, parent, name, kind, ...span }: Span): object => {
  const parentId = typeof parent === 'object' ? parent.id : parent;
  const about = trace.subject === undefined ? {} : { 'paythread.transaction_id': trace.subject };
  return {
    traceId: trace.id,
    spanId: id,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: otlpAttributes({ ...about, ...span.attributes }),
    status: span.failed === true ? { code: 2 } : {},
  };
};

/** Text, because JSON's numbers do not reach so far. */
const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

const otlpAttributes = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** What a span says beside its name and its times: never a number, a name or a secret. */
export type Attributes = Readonly<Record<string, string | number>>;

/** OTLP's numbers for the kinds of spans. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;

/** What belongs to one payment, or to one event that is about none. */
type Trace = {
  id: string;
  /** The payment or SMS it is about, once that is known. */
  subject?: string;
};

/** One thing that took time. Its ids are read when it is exported: only then is it certain which payment it was about. */
export type Span = {
  readonly trace: Trace;
  id: string;
  /** Another span of this process, or the id of one that may be anywhere. */
  parent?: Span | string;
  readonly name: string;
  readonly kind: (typeof KIND)[keyof typeof KIND];
  readonly startMs: number;
  endMs: number;
  attributes: Attributes;
  failed?: true;
};

/** 16 bytes, computed from the transaction id alone. */
export const traceIdOf = (subject: string): string => hash(`paythread:${subject}`, 16);

/** 8 bytes: the command that everything about the payment goes back to, wherever that ran. */
export const rootSpanIdOf = (subject: string): string => hash(`paythread:command:${subject}`, 8);

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

const hash = (text: string, bytes: number): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);
