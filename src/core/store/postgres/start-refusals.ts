import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { isCut, shortReason, sqlState } from './database-errors.ts';

/** What went wrong while the store was opened, in words for the person who starts the program. */
export const asStartError = (error: unknown, place: string): unknown => {
  if (error instanceof StartError) return error;
  const state = sqlState(error);
  const refused = (message: string): StartError =>
    new StartError(message, EX_CONFIG, { cause: error });
  if (isWrongPassword(error, state))
    return refused(
      `The server refused to let Paythread into ${place}: ${whyLockedOut(error)}. Set the right user and password in DATABASE_URL.`,
    );
  const thePlace = upperFirst(place);
  if (state === '3D000')
    return refused(`${thePlace} does not exist. Create it, or set DATABASE_URL to another one.`);
  const reason = shortReason(error);
  if (state === '42501')
    return refused(
      `The role in DATABASE_URL lacks a right in ${place}: ${reason}. Make it the owner of the database, or of a schema named paythread in it.`,
    );
  if (isCut(error))
    return new StartError(
      `${thePlace} cannot be reached: ${reason}. Is the server running, and is DATABASE_URL right?`,
      1,
      { cause: error },
    );
  // A mistake in the program is no refusal.
  if (state === undefined) return error;
  return new StartError(`${thePlace} cannot be used: ${reason}.`, 1, { cause: error });
};

/** Trying again within the next seconds will not help. */
export const isFinal = (error: unknown): boolean =>
  error instanceof StartError || !isCut(error) || isWrongPassword(error, sqlState(error));

/** Class 28; or no password at all where one is asked for, which only the driver notices. */
const isWrongPassword = (error: unknown, state: string | undefined): boolean =>
  state?.startsWith('28') === true || (error instanceof Error && /^SASL/.test(error.message));

/** In other words than the driver's. */
const whyLockedOut = (error: unknown): string =>
  error instanceof Error && /client password must be/.test(error.message)
    ? 'it asks for a password, and there is none'
    : shortReason(error);

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
