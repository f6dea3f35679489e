import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Attributes, Context, SpanKind as Kind } from '@opentelemetry/api';
import { auditIdOf } from '../records/draft.ts';
import type { Notice } from '../records/notice.ts';
import type { Change, Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { AroundCall, OnCommit } from './observer.ts';

const require = createRequire(import.meta.url);
/** The copy that `prom-client` loads as well: an import would load fifty files more. */
const api: typeof import('@opentelemetry/api') = require('@opentelemetry/api');
const { ProxyTracerProvider, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = api;

/** One event or piece of work. A span is made when it has ended: only then is it known which payment it was about. */
type Scope = {
  subject: string | undefined;
  /** The span that it became; what it left behind may end after it. */
  readonly span: PromiseWithResolvers<Context>;
};

type Named = { name: string; kind: Kind; attributes?: Attributes; subject?: string };

/**
 * Shows where the time of a payment goes: one trace from the typed command to the posted outcome, over restarts and
 * instances, because its id is made from the transaction id. Nothing happens here until an operator loads the official
 * SDK of OpenTelemetry. No attribute holds a number, a name or a secret.
 */
export class Tracing {
  readonly #clock: Clock;
  readonly #store: Pick<Store, 'get'>;
  readonly #tracer;
  /** Whether an SDK was loaded before: without one nothing reads a span. */
  readonly #isLoaded: boolean;
  readonly #scopes = new AsyncLocalStorage<Scope>();

  constructor(options: { clock: Clock; store: Pick<Store, 'get'>; version: string }) {
    this.#clock = options.clock;
    this.#store = options.store;
    this.#tracer = trace.getTracer('paythread', options.version);
    const provider = trace.getTracerProvider();
    this.#isLoaded = !(
      provider instanceof ProxyTracerProvider && provider.getDelegateTracer('') === undefined
    );
  }

  /** The first payment or SMS that an event makes or changes is what it is about. */
  readonly onCommit: OnCommit = (change) => {
    const scope = this.#scopes.getStore();
    return (result) => {
      if (scope !== undefined && result === 'stored') scope.subject ??= subjectOf(change);
    };
  };

  /** Makes an operation of the gateway a span of the event or work that called it. */
  readonly aroundCall: AroundCall = async (operation, call) => {
    const scope = this.#scopes.getStore();
    if (scope === undefined) return call();
    const endSpan = this.#started({ name: operation, kind: SpanKind.CLIENT });
    const outcome = await call();
    const span = endSpan({ outcome: outcome.kind });
    void scope.span.promise.then((parent) => span(parent, scope.subject));
    return outcome;
  };

  /** An event from a chat. One that resolves with false was not for Paythread and leaves no span. */
  event(name: string, attributes: Attributes, work: () => Promise<boolean>): Promise<boolean> {
    const named = { name, kind: SpanKind.SERVER, attributes };
    return this.#run(named, work, (wasForUs) => (wasForUs ? {} : undefined));
  }

  /** A callback for a payment; resolves with the status it was answered with. */
  callback<T extends number>(paymentId: string, work: () => Promise<T>): Promise<T> {
    const named = { name: 'callback', kind: SpanKind.SERVER, subject: paymentId };
    return this.#run(named, work, (answer) => ({ answer }));
  }

  async due(work: Put, serve: () => Promise<void>): Promise<void> {
    const named = this.#isLoaded ? await this.#nameOf(work) : undefined;
    return named === undefined ? serve() : this.#run(named, serve, () => ({}));
  }

  async #nameOf({ kind, record }: Put): Promise<Named | undefined> {
    // Removing expired records belongs to no payment.
    if (record.due === undefined || record.due.queue === 'tidy') return undefined;
    const work = { name: record.due.queue, kind: SpanKind.INTERNAL };
    if (kind === 'payment' || kind === 'sms') return { ...work, subject: record.id };
    if (kind !== 'notice') return undefined;
    const { about, conversation, attempts } = record;
    const subject = await this.#subjectOf(about);
    if (subject === undefined) return undefined;
    const name = `notice: ${about.kind === 'outcome' ? about.of : about.kind}`;
    const attributes = { platform: conversation.platform, attempts };
    return { ...work, name, attributes, subject };
  }

  async #subjectOf(about: Notice['about']): Promise<string | undefined> {
    if ('batchId' in about) return about.batchId;
    if ('paymentId' in about) return about.paymentId;
    if (about.kind === 'alert' && about.alert.kind === 'payment') return about.alert.paymentId;
    if (!('draftId' in about)) return undefined;
    const draft = await this.#store.get('draft', about.draftId);
    return draft === undefined ? about.draftId : auditIdOf(draft);
  }

  /** `more` says what came of it; undefined: it leaves no span. */
  async #run<T>(named: Named, work: () => Promise<T>, more: (result: T) => Attributes | undefined) {
    if (!this.#isLoaded) return work();
    const scope: Scope = { subject: named.subject, span: Promise.withResolvers() };
    const endSpan = this.#started(named);
    const end = (came: Attributes, hasFailed = false) => {
      const parent = scope.subject === undefined ? ROOT_CONTEXT : contextOf(scope.subject);
      const span = endSpan({ ...named.attributes, ...came }, hasFailed);
      scope.span.resolve(span(parent, scope.subject));
    };
    try {
      const result = await this.#scopes.run(scope, work);
      const came = more(result);
      if (came !== undefined) end(came);
      return result;
    } catch (error) {
      end({}, true);
      throw error;
    }
  }

  /** Something begins: what ends it says what to make its span from. */
  #started({ name, kind }: Named) {
    const startTime = new Date(this.#clock.now());
    return (came: Attributes, hasFailed = false) => {
      const endTime = new Date(this.#clock.now());
      return (parent: Context, subject: string | undefined): Context => {
        const attributes = { ...came, 'paythread.transaction_id': subject };
        const span = this.#tracer.startSpan(name, { kind, startTime, attributes }, parent);
        if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(endTime);
        return trace.setSpan(parent, span);
      };
    };
  }
}

/** Ids made from the transaction id alone: whatever happens to a payment, wherever, finds the same trace. */
const contextOf = (subject: string): Context => {
  const ids = createHash('sha256').update(`paythread:${subject}`).digest('hex');
  const [traceId, spanId] = [ids.slice(0, 32), ids.slice(32, 48)];
  const traceFlags = TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};

const subjectOf = ({ put = [] }: Change): string | undefined => {
  for (const { kind, record } of put) {
    if (kind === 'draft' && 'paymentId' in record) return record.paymentId;
    if (kind === 'payment' || kind === 'sms') return record.id;
  }
  return undefined;
};
