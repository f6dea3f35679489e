import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { StartError } from './errors.ts';
import { maskerFor } from './masking.ts';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export type LogOptions = {
  readonly level: string;
  /** Masked wherever they occur in a line. */
  readonly secrets: readonly string[];
  /** A file to append to, made for this user alone; standard output when absent. */
  readonly destination?: string;
};

/** For some readers the end of a line, for some terminals an order, or a turn of the direction of writing. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** How many causes of an error are followed. */
const DEEPEST_CAUSE = 5;

const UNMASKABLE_LINE = `${JSON.stringify({ level: 50, msg: 'a log line could not be masked and was left out' })}\n`;

/**
 * The log: one JSON line per entry. Every line passes one mask on its way out, so that no caller
 * has to remember what must not be seen.
 * @throws {StartError} when the file cannot be opened.
 */
export const createLog = ({ level, secrets, destination }: LogOptions): Log => {
  const mask = maskerFor(secrets);
  const options: LoggerOptions = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError, error: serializeError },
    hooks: { streamWrite: (line) => maskLine(line, mask) },
  };
  return pino(options, openDestination(destination));
};

const maskLine = (line: string, mask: ReturnType<typeof maskerFor>): string => {
  try {
    return `${JSON.stringify(mask(JSON.parse(line))).replace(UNSAFE, escaped)}\n`;
  } catch {
    // Logging must neither stop the work that is logged nor let the line out as it is.
    return UNMASKABLE_LINE;
  }
};

/** JSON leaves these characters as they are. */
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Written at once and not behind the program's back: the last lines before a crash are the ones needed. */
const openDestination = (file: string | undefined): DestinationStream => {
  const stream = file === undefined ? pino.destination({ dest: 1, sync: true }) : openFile(file);
  // A full disk or a closed pipe costs log lines, never a payment.
  stream.on('error', () => {});
  return stream;
};

const openFile = (file: string) => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const stream = pino.destination({ dest: file, sync: true, mode: 0o600 });
    // The mode above is for a new file; this is for one that was there. A device is not ours to change.
    if (statSync(file).isFile()) chmodSync(file, 0o600);
    return stream;
  } catch (error) {
    throw new StartError(
      `The log file ${file} cannot be opened: ${(error as Error).message}. Make it writable for the user Paythread runs as.`,
      1,
      { cause: error },
    );
  }
};

/** A selection: errors of HTTP and chat libraries carry whole requests. `code` is what a reader searches for. */
const serializeError = (error: unknown, depth = 0): unknown => {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    type: name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message,
    stack,
    ...(cause instanceof Error && depth < DEEPEST_CAUSE
      ? { cause: serializeError(cause, depth + 1) }
      : {}),
  };
};
