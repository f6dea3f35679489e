import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../core/runtime/log.ts';

/**
 * The SDK's log within the program's. Its debug lines hold whole payloads with customers' numbers, so they are
 * dropped whatever the level.
 */
export const sdkLog = (log: Log): Logger => ({
  debug: () => {},
  info: (...words) => log.debug({ sdk: textOf(words) }, 'slack sdk'),
  warn: (...words) => log.warn({ sdk: textOf(words) }, 'slack sdk'),
  error: (...words) => log.warn({ sdk: textOf(words) }, 'slack sdk'),
  setLevel: () => {},
  getLevel: () => LogLevel.INFO,
  setName: () => {},
});

const LONGEST = 500;

/** Messages of errors only: their other properties may hold requests and answers. */
const textOf = (words: readonly unknown[]): string =>
  shortened(
    words
      .map((word) => (word instanceof Error ? `${word.name}: ${word.message}` : String(word)))
      .join(' '),
  );

/** Cut between words: of half a token the log's mask would not know that it is one. */
const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\S+$/, '')}…`;
