import type { Log } from '../../src/core/runtime/log.ts';

const nothing = () => undefined;

/** A log that nobody reads. */
export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
