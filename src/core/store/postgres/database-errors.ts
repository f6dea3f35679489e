import { DatabaseError } from 'pg';
import { connectFailure } from '../../runtime/connect-failure.ts';
import { StoreAwayError } from '../store.ts';

/** What only the running of a statement can cause, so the server has undone it and says so. */
const UNDONE = /^(22|23|25006|40001|40P01|42|54|55|57014|P0|PT)/;
/** The server is going away, is not there yet, or takes no more connections. */
const AWAY = /^(08|57P|53300)/;
/** Two transactions got in each other's way; the same again will do. */
const IN_THE_WAY = /^(40001|40P01)/;

/** No connection was to be had, so nothing was asked of the database. */
export class DatabaseAwayError extends StoreAwayError {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${shortReason(cause)}.`, { cause });
    this.name = 'DatabaseAwayError';
  }
}

/** The database went away during a commit and did not come back in time. The change may be stored or not. */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('The database went away during a commit, so it is not known whether it was stored.', {
      cause,
    });
    this.name = 'OutcomeUnknownError';
  }
}

/** The SQLSTATE; undefined when the server has not spoken. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

const hasState = (error: unknown, states: RegExp): boolean => states.test(sqlState(error) ?? '');

/** The server has undone what it was asked; the connection is as good as before. */
export const isUndone = (error: unknown): boolean => hasState(error, UNDONE);

/** What the driver says of a connection, without a code (pg 8.23 and pg-pool 3.14: their sources have no other texts). */
const BROKEN =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|timeout (expired|exceeded)|Received unexpected|The server does not support SSL|There was an error establishing an SSL)/;
/** Errors of a socket after it was connected; those of connecting are in `connectFailure`. */
const BROKEN_SOCKET = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ERR_SSL|ERR_TLS|ERR_STREAM)/;

/** No answer came, or one that says goodbye. Any other error without a SQLSTATE is a mistake in the program. */
export const isCut = (error: unknown): boolean => {
  if (error instanceof DatabaseError || !(error instanceof Error)) return hasState(error, AWAY);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return (
    error instanceof DatabaseAwayError ||
    BROKEN.test(message) ||
    BROKEN_SOCKET.test(code) ||
    connectFailure(error, { isConnecting: true }) !== undefined
  );
};

/** The driver has waited for an answer long enough. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** Cut on the way, and not for want of patience: on another connection the same may work at once. */
export const isWorthAnotherTry = (error: unknown): boolean => {
  if (error instanceof DatabaseAwayError || error instanceof OutcomeUnknownError) return false;
  return hasState(error, IN_THE_WAY) || (isCut(error) && !isUnanswered(error));
};

/** A few words for people. An error of several addresses has no message, only a code. */
export const shortReason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof DatabaseError || code === undefined ? message : code;
};
