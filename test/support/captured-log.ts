import type { Log } from '../../src/core/runtime/log.ts';

type Entry = { readonly level: string; readonly fields: unknown; readonly message: string };

/** A log that keeps its entries, newest last. */
export const capturedLog = (): { log: Log; entries: Entry[] } => {
  const entries: Entry[] = [];
  const keep =
    (level: string) =>
    (...args: unknown[]): void => {
      const [first, second] = args;
      const bare = typeof first === 'string';
      entries.push({ level, fields: bare ? {} : first, message: String(bare ? first : second) });
    };
  const log = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    fatal: keep('fatal'),
  };
  return { log, entries };
};
