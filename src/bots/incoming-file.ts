import { type IncomingFile, MOST_FILE_BYTES } from '../commands/inbound.ts';
import { inTime } from '../core/runtime/clock.ts';
import { parsed, wrong } from '../core/runtime/errors.ts';
import type { BotParts } from './platform.ts';

/** For 5 MB over a slow line. */
const FILE_PATIENCE_MS = 60_000;

type RemoteFile = {
  readonly name: string;
  /** As the platform says; a larger one is not even asked for. */
  readonly size?: number | undefined;
  /** Rejects when it cannot be had. */
  readonly download: (mostBytes: number, signal: AbortSignal) => Promise<Uint8Array>;
  /** The error without what is secret in it. */
  readonly safeError: (error: unknown) => unknown;
};

/** A file that is downloaded once it is wanted. */
export const incomingFile = (
  { name, size = 0, download, safeError }: RemoteFile,
  { clock, log }: Pick<BotParts, 'clock' | 'log'>,
): IncomingFile => ({
  name,
  read: async () => {
    if (size > MOST_FILE_BYTES) return TOO_LARGE;
    const over = new AbortController();
    try {
      const downloading = download(MOST_FILE_BYTES, over.signal);
      const bytes = await inTime(clock, downloading, FILE_PATIENCE_MS);
      if (bytes === undefined) throw new Error('too slow');
      return parsed(bytes);
    } catch (error) {
      log.warn({ error: safeError(error) }, 'a file could not be downloaded');
      return NOT_THERE;
    } finally {
      over.abort();
    }
  },
});

export const TOO_LARGE = wrong(
  'This file is larger than 5 MB. Please split it into smaller files.',
);

const NOT_THERE = wrong('I could not get this file. Nothing was charged. Please send it again.');
