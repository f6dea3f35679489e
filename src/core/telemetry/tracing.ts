import type { Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import type { AroundCall } from './observed-gateway.ts';

/** What a span says beside its name and its times: never a number, a name or a secret. */
export type Attributes = Readonly<Record<string, string | number>>;

/**
 * Shows where the time of a payment goes: one trace from the typed command to the posted outcome. Its id is
 * made from the transaction id, so it holds over restarts and over instances, and nothing is stored for it.
 */
export interface Tracing {
  /** The same store; by what is committed an event learns which payment it is about. */
  store(store: Store): Store;
  /** Makes an operation of the gateway a span of the event or work that asked for it. */
  readonly aroundCall: AroundCall;
  /** An event from a chat. One that resolves with false was not for Paythread and leaves no trace. */
  event(name: string, attributes: Attributes, work: () => Promise<boolean>): Promise<boolean>;
  /** A callback for a payment; resolves with what it was answered. */
  callback<T extends number>(paymentId: string, work: () => Promise<T>): Promise<T>;
  /** A piece of due work. */
  due(work: Put, serve: () => Promise<void>): Promise<void>;
  /** Sends what has not been sent yet. */
  stop(): Promise<void>;
}

/** Without a collector nothing is traced, and it costs nothing. */
const noTracing: Tracing = {
  store: (store) => store,
  aroundCall: (_operation, call) => call(),
  event: (_name, _attributes, work) => work(),
  callback: (_paymentId, work) => work(),
  due: (_work, serve) => serve(),
  stop: async () => {},
};

/** `endpoint` is the collector's OTLP/HTTP address; without one nothing is loaded. */
export const startTracing = async (
  endpoint: string | undefined,
  options: { clock: Clock; log: Log; version: string },
): Promise<Tracing> => {
  if (endpoint === undefined) return noTracing;
  const { PaymentTracing } = await import('./payment-tracing.ts');
  return new PaymentTracing({ ...options, endpoint });
};
