import { connectFailure } from '../runtime/connect-failure.ts';
import type { ConnectPhase } from './connections.ts';

/** What became of a request that got no answer. */
export type Failure = {
  /** Proven that not one byte of the request was sent. */
  readonly unsent: boolean;
  readonly reason: string;
};

/**
 * Classifies a request without an answer. `unsent` only on proof: the connection was not established, and
 * either the error proves why ({@link connectFailure}) or the deadline ended the attempt. Otherwise the request
 * may have arrived.
 */
export const explainFailure = (
  error: unknown,
  phase: ConnectPhase,
  deadline: { readonly passed: boolean; readonly timeoutMs: number },
): Failure => {
  const why = deadline.passed
    ? 'it did not answer.'
    : connectFailure(error, { isConnecting: true })?.why;
  if (phase === 'idle') return unsent('its address cannot be used.');
  if (phase === 'connecting' && why !== undefined) return unsent(why);
  const reason = deadline.passed
    ? `No answer came within ${deadline.timeoutMs / 1000} seconds.`
    : 'The connection broke before an answer had come.';
  return { unsent: false, reason };
};

const unsent = (why: string): Failure => ({
  unsent: true,
  reason: `The payment service could not be reached: ${why}`,
});
