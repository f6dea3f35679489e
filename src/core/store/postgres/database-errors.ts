import { DatabaseError } from 'pg';
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

const isInTheWay = (error: unknown): boolean => hasState(error, IN_THE_WAY);

/** No answer came, or one that says goodbye. */
export const isCut = (error: unknown): boolean =>
  sqlState(error) === undefined || hasState(error, AWAY);

/** The driver has waited for an answer long enough. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** Cut on the way, and not for want of patience: on another connection the same may work at once. */
export const isWorthAnotherTry = (error: unknown): boolean => {
  if (error instanceof DatabaseAwayError || error instanceof OutcomeUnknownError) return false;
  return isInTheWay(error) || (isCut(error) && !isUnanswered(error));
};

/** A few words for people. An error of several addresses has no message, only a code. */
export const shortReason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof DatabaseError || code === undefined ? message : code;
};
