import { Client, type ClientConfig } from 'pg';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';

/** How long the server is waited for. Every call ends within these. */
const PATIENCE = {
  /** Until a connection is open, or until one of the pool's is free. */
  connectMs: 4_000,
  /** The server's own limits for a statement and for the locks it wants. */
  statementMs: 4_000,
  lockMs: 3_000,
  idleInTransactionMs: 10_000,
  /** For an answer, in case the network swallows it. */
  answerMs: 5_500,
  /** TCP asks a silent other side for a sign of life after this time. */
  keepAliveMs: 5_000,
} as const;

export type ConnectionSettings = {
  readonly config: ClientConfig;
  /** For messages to people: no user, no password. */
  readonly place: string;
};

/**
 * Reads a `postgres://` address.
 * @throws {StartError} with exit code 78; it never repeats the address, which may have a password in it.
 */
export const connectionSettings = (url: string): ConnectionSettings => {
  if (!/^postgres(ql)?:\/\//.test(url)) throw unreadable('it does not begin with postgres://');
  const config: ClientConfig = {
    connectionString: url,
    fallback_application_name: 'paythread',
    connectionTimeoutMillis: PATIENCE.connectMs,
    query_timeout: PATIENCE.answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: PATIENCE.keepAliveMs,
  };
  return { config, place: placeOf(config) };
};

/** Making a client reads the address and the certificates it names, and connects nowhere. */
const placeOf = (config: ClientConfig): string => {
  try {
    const { host, port, database = '' } = new Client(config);
    return `the database ${database} on ${host}:${port}`;
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw unreadable(syscall === undefined ? 'it is not an address' : message);
  }
};

const unreadable = (why: string): StartError =>
  new StartError(
    `DATABASE_URL cannot be read: ${why}. Example: DATABASE_URL=postgres://paythread:password@localhost/paythread`,
    EX_CONFIG,
  );

/** Said to the server at the start of each connection; here and not in the address, so that an address cannot undo it. */
export const SESSION_START = `
  SET search_path = paythread;
  SET default_transaction_isolation = 'read committed';
  SET statement_timeout = ${PATIENCE.statementMs};
  SET lock_timeout = ${PATIENCE.lockMs};
  SET idle_in_transaction_session_timeout = ${PATIENCE.idleInTransactionMs};
  SET tcp_keepalives_idle = 3;
  SET tcp_keepalives_interval = 1;
  SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 6000;
`;
