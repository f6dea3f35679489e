import type { Log } from '../../../src/core/runtime/log.ts';
import { maskerFor } from '../../../src/core/runtime/masking.ts';

/** A log whose lines are kept as they would come out: behind the mask. */
export const overheardLog = (lines: string[], secrets: readonly string[]): Log => {
  const mask = maskerFor(secrets);
  const keep = (...entry: unknown[]): void => {
    // Through JSON, as the log does it; an error keeps what the log shows of it.
    const shown = JSON.parse(JSON.stringify(entry, (_, value: unknown) => plain(value)));
    lines.push(JSON.stringify(mask(shown)));
  };
  return { debug: keep, info: keep, warn: keep, error: keep, fatal: keep };
};

const plain = (value: unknown): unknown =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
    : value;
