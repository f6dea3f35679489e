import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import type { PaymentTracing } from './payment-tracing.ts';

export type TracingOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** Of the program, as `service.version`. */
  readonly version: string;
  /** Drafts are looked up there to name the spans of their notices. */
  readonly store: Pick<Store, 'get'>;
};

/**
 * Shows where the time of a payment goes: one trace from the typed command to the posted outcome. Its id is
 * made from the transaction id, so it holds over restarts and over instances, and nothing is stored for it.
 */
export type Tracing = Pick<PaymentTracing, keyof PaymentTracing>;

const NO_TRACING: Tracing = {
  onCommit: () => () => {},
  aroundCall: (_operation, call) => call(),
  event: (_name, _attributes, work) => work(),
  callback: (_paymentId, work) => work(),
  due: (_work, serve) => serve(),
  stop: async () => {},
};

/** `endpoint`: the collector's OTLP/HTTP address; undefined: nothing is loaded and nothing traced. */
export const startTracing = async (
  endpoint: string | undefined,
  options: TracingOptions,
): Promise<Tracing> => {
  if (endpoint === undefined) return NO_TRACING;
  const { PaymentTracing } = await import('./payment-tracing.ts');
  return new PaymentTracing({ ...options, endpoint });
};
