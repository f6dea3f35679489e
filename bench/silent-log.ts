import type { Log } from '../src/core/runtime/log.ts';

const nothing = (): void => {};

/** For programs that need one to be handed on. What fails is still told. */
export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: (...words: unknown[]) => process.stderr.write(`${JSON.stringify(words)}\n`),
  fatal: (...words: unknown[]) => process.stderr.write(`${JSON.stringify(words)}\n`),
};
