import type { ConnectPhase } from './single-use-connection.ts';

/** What became of a request that got no answer. */
export type Failure = {
  /** Proven that not one byte of the request was sent. */
  readonly unsent: boolean;
  /** A sentence for people. */
  readonly reason: string;
};

/** Errors of `connect(2)` that leave no connection behind. A reset is left out: it is not sure of itself. */
const CONNECT_ERRORS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'it refused the connection.'],
  ['EHOSTUNREACH', 'there is no way to its address.'],
  ['ENETUNREACH', 'there is no way to its network.'],
  ['EHOSTDOWN', 'its host is down.'],
  ['ENETDOWN', 'the network is down.'],
  ['ETIMEDOUT', 'it did not answer.'],
  ['EADDRNOTAVAIL', 'this machine has no free address for a connection.'],
  ['EACCES', 'this machine does not allow the connection.'],
  ['EPERM', 'this machine does not allow the connection.'],
  ['EMFILE', 'this machine has too many open connections.'],
  ['ENFILE', 'this machine has too many open connections.'],
]);

/** Verdicts on the certificate; Node ends the connection on them before a request is written. */
const CERTIFICATE_ERRORS = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** `AggregateError`s and causes are a few levels deep; anything deeper is no chain but a loop. */
const MAX_DEPTH = 10;

/**
 * Reads the end of a call. "Not sent" is claimed only on proof: there was no connection yet, and what
 * stood in its way is known, by errno and syscall of a connect or a name look-up, by a verdict on the
 * certificate, or because patience ran out. Everything else may have arrived.
 */
export const explainFailure = (
  error: unknown,
  phase: ConnectPhase,
  deadline: { readonly passed: boolean; readonly timeoutMs: number },
): Failure => {
  const why = deadline.passed ? 'it did not answer.' : whyNoConnection(error, 0);
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

const whyNoConnection = (error: unknown, depth: number): string | undefined => {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return undefined;
  // Several addresses were tried: every one of them must have failed for certain.
  if (error instanceof AggregateError) {
    const whys = error.errors.map((one) => whyNoConnection(one, depth + 1));
    return whys.includes(undefined) ? undefined : whys[0];
  }
  return whyThisOne(error) ?? whyNoConnection(error.cause, depth + 1);
};

const whyThisOne = (error: Error): string | undefined => {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  // A number in the exceptions of the web's own functions.
  if (typeof code !== 'string') return undefined;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'it did not answer.';
  if (CERTIFICATE_ERRORS.has(code)) return `its certificate is not trusted (${code}).`;
  if (code.startsWith('ERR_SSL_')) return 'it does not speak TLS as it should.';
  if (syscall === 'getaddrinfo') return 'its name could not be looked up.';
  return syscall === 'connect' ? CONNECT_ERRORS.get(code) : undefined;
};
