import { AsyncLocalStorage } from 'node:async_hooks';
import { auditIdOf } from '../records/draft.ts';
import type { Change, Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import {
  type Attributes,
  KIND,
  newSpanId,
  newTraceId,
  rootSpanIdOf,
  type Span,
  SpanExport,
  traceIdOf,
} from './export-spans.ts';
import type { AroundCall, OnCommit } from './observer.ts';
import type { TracingOptions } from './tracing.ts';

/** One event or piece of work, while it is carried out and what it started goes on. */
type Scope = { readonly span: Span; readonly inner: Span[]; ended: boolean };

/** Traces payments. The context of what runs travels with the calls; between processes it is the transaction id. */
export class PaymentTracing {
  readonly #clock: Clock;
  readonly #export: SpanExport;
  readonly #store: Pick<Store, 'get'>;
  readonly #scopes = new AsyncLocalStorage<Scope>();

  constructor(options: TracingOptions & { readonly endpoint: string }) {
    this.#clock = options.clock;
    this.#store = options.store;
    this.#export = new SpanExport(options);
  }

  /** An event learns from what it commits which payment it is about. */
  readonly onCommit: OnCommit = (change) => {
    const scope = this.#scopes.getStore();
    return (result) => {
      if (scope !== undefined && result === 'stored') learnSubject(scope.span, change);
    };
  };

  /** Makes an operation of the gateway a span of the event or work that called it. */
  readonly aroundCall: AroundCall = async (operation, call) => {
    const scope = this.#scopes.getStore();
    if (scope === undefined) return call();
    const startMs = this.#clock.now();
    const outcome = await call();
    const span: Span = {
      trace: scope.span.trace,
      id: newSpanId(),
      parent: scope.span,
      name: operation,
      kind: KIND.client,
      startMs,
      endMs: this.#clock.now(),
      attributes: { outcome: outcome.kind },
    };
    // What an event left behind may go on after it.
    if (scope.ended) this.#export.add(span);
    else scope.inner.push(span);
    return outcome;
  };

  /** An event from a chat. One that resolves with false was not for Paythread and leaves no span. */
  event(name: string, attributes: Attributes, work: () => Promise<boolean>): Promise<boolean> {
    const span = this.#begin(name, KIND.server, attributes);
    return this.#run(span, work, (wasForUs) => (wasForUs ? {} : undefined));
  }

  /** A callback for a payment; resolves with the status it was answered with. */
  callback<T extends number>(paymentId: string, work: () => Promise<T>): Promise<T> {
    const span = this.#begin('callback', KIND.server, {}, paymentId);
    return this.#run(span, work, (answer) => ({ answer }));
  }

  async due(work: Put, serve: () => Promise<void>): Promise<void> {
    const named = await this.#nameOf(work);
    if (named === undefined) return serve();
    const span = this.#begin(named.name, KIND.internal, named.attributes ?? {}, named.subject);
    return this.#run(span, serve, () => ({}));
  }

  stop(): Promise<void> {
    return this.#export.stop();
  }

  async #nameOf(
    work: Put,
  ): Promise<{ name: string; subject: string; attributes?: Attributes } | undefined> {
    // Removing expired records belongs to no payment.
    if (work.record.due?.queue === 'tidy') return undefined;
    switch (work.kind) {
      case 'payment': {
        const { id, due } = work.record;
        return { name: due?.queue ?? 'payment', subject: id };
      }
      case 'sms':
        return { name: 'sms', subject: work.record.id };
      case 'notice': {
        const { about, conversation, attempts } = work.record;
        const attributes = { platform: conversation.platform, attempts };
        const name = `notice: ${about.kind === 'outcome' ? about.of : about.kind}`;
        if ('batchId' in about) return { name, subject: about.batchId, attributes };
        if (about.kind === 'alert')
          return about.alert.kind === 'payment'
            ? { name, subject: about.alert.paymentId, attributes }
            : undefined;
        if ('requestId' in about || 'runId' in about || about.kind === 'digest') return undefined;
        if (!('draftId' in about)) return { name, subject: about.paymentId, attributes };
        const draft = await this.#store.get('draft', about.draftId);
        return { name, subject: draft ? auditIdOf(draft) : about.draftId, attributes };
      }
      default:
        return undefined;
    }
  }

  #begin(name: string, kind: Span['kind'], attributes: Attributes, subject?: string): Span {
    const startMs = this.#clock.now();
    const about =
      subject === undefined
        ? { trace: { id: newTraceId() } }
        : { trace: { id: traceIdOf(subject), subject }, parent: rootSpanIdOf(subject) };
    return { ...about, id: newSpanId(), name, kind, startMs, endMs: startMs, attributes };
  }

  /** `more` says what came of it; undefined: it leaves no trace. */
  async #run<T>(
    span: Span,
    work: () => Promise<T>,
    more: (result: T) => Attributes | undefined,
  ): Promise<T> {
    const scope: Scope = { span, inner: [], ended: false };
    let isKept = true;
    try {
      const result = await this.#scopes.run(scope, work);
      const attributes = more(result);
      isKept = attributes !== undefined;
      span.attributes = { ...span.attributes, ...attributes };
      return result;
    } catch (error) {
      span.failed = true;
      throw error;
    } finally {
      span.endMs = this.#clock.now();
      scope.ended = true;
      if (isKept) this.#export.add(span, ...scope.inner);
    }
  }
}

/** The first payment or SMS that an event makes or changes is what it is about. */
const learnSubject = (span: Span, { put = [] }: Change): void => {
  if (span.trace.subject !== undefined) return;
  for (const { kind, record } of put) {
    const isNewDraft = kind === 'draft' && record.version === 1;
    const subject =
      kind === 'draft' && record.kind === 'charge'
        ? record.paymentId
        : kind === 'payment' || kind === 'sms'
          ? record.id
          : undefined;
    if (subject === undefined) continue;
    span.trace.subject = subject;
    span.trace.id = traceIdOf(subject);
    // The command that made the draft is where the payment's story begins.
    if (isNewDraft) span.id = rootSpanIdOf(subject);
    else span.parent = rootSpanIdOf(subject);
    return;
  }
};
