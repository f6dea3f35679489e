/** Proof that a connection was never established, so that not one byte of a request was sent. */
export type ConnectFailure = {
  /** Such as `ECONNREFUSED`. */
  readonly code: string;
  /** Half a sentence for people: "it refused the connection.". */
  readonly why: string;
};

/**
 * Errors of `connect(2)`. Node's net.js gives them the syscall `connect` only before the first write; the
 * same code with another syscall may come later. ECONNRESET is left out: a reset proves too little.
 */
const CONNECT_ERRORS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'it refused the connection.'],
  ['EHOSTUNREACH', 'there is no way to its address.'],
  ['ENETUNREACH', 'there is no way to its network.'],
  ['EHOSTDOWN', 'its host is down.'],
  ['ENETDOWN', 'the network is down.'],
  ['ETIMEDOUT', 'it did not answer.'],
  ['EADDRNOTAVAIL', 'this machine has no free address for a connection.'],
  ['ENOENT', 'there is no socket at its path.'],
  ['EACCES', 'this machine does not allow the connection.'],
  ['EPERM', 'this machine does not allow the connection.'],
  ['EMFILE', 'this machine has too many open connections.'],
  ['ENFILE', 'this machine has too many open connections.'],
]);

/** Failed checks of the server's certificate; Node destroys the socket on them before a request is written. */
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

/** `AggregateError`s and causes are a few levels deep; a deeper chain is a loop. */
const MAX_DEPTH = 10;

/**
 * Returns why no connection was established, or undefined when the error proves nothing: then the request may
 * have arrived. The only list of such errors; the payment service, Slack and Telegram are judged by it.
 * @param isConnecting the caller knows that the handshake had not ended; only then TLS errors are proof, because
 * a server may send an alert later as well
 */
export const connectFailure = (
  error: unknown,
  { isConnecting = false, depth = 0 }: { isConnecting?: boolean; depth?: number } = {},
): ConnectFailure | undefined => {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return undefined;
  const inner = { isConnecting, depth: depth + 1 };
  // Several addresses were tried: every one of them must have failed for certain.
  if (error instanceof AggregateError) {
    const failures = error.errors.map((one) => connectFailure(one, inner));
    return failures.includes(undefined) ? undefined : failures[0];
  }
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  // DOMExceptions have a number there.
  const why = typeof code === 'string' ? whyOf(code, syscall, isConnecting) : undefined;
  return why === undefined ? connectFailure(error.cause, inner) : { code: String(code), why };
};

const whyOf = (code: string, syscall: unknown, isConnecting: boolean): string | undefined => {
  // undici's connector alone throws it.
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'it did not answer.';
  if (CERTIFICATE_ERRORS.has(code)) return `its certificate is not trusted (${code}).`;
  if (isConnecting && code.startsWith('ERR_SSL_')) return 'it does not speak TLS as it should.';
  if (syscall === 'getaddrinfo') return 'its name could not be looked up.';
  return syscall === 'connect' ? CONNECT_ERRORS.get(code) : undefined;
};
