import { readFile } from 'node:fs/promises';
import type { Clock } from './clock.ts';

export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  /** It is there, and the system refused to read it; `code` is such as `EACCES`. */
  | { readonly kind: 'unreadable'; readonly code: string };

const LOOK_EVERY_MS = 1_000;

/** Never rejects. */
export const readFileText = async (file: string): Promise<FileText> => {
  try {
    return { kind: 'text', text: await readFile(file, 'utf8') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'missing' }
      : { kind: 'unreadable', code };
  }
};

/**
 * Calls back when a small file has changed, a few seconds later. It compares the text itself: change
 * events and time stamps fail on bind mounts, on editors that rename, on links that are swapped and on
 * copies that keep the old time. Returns the way to stop.
 */
export const pollFile = ({
  file,
  known,
  clock,
  onChange,
}: {
  file: string;
  /** What the caller has read already. */
  known: FileText;
  clock: Clock;
  onChange: (now: FileText) => void;
}): (() => Promise<void>) => {
  const stopping = new AbortController();
  const watch = async (): Promise<void> => {
    for (let told = known, before = known; ; ) {
      await clock.sleep(LOOK_EVERY_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      const now = await readFileText(file);
      // Only what was read twice: between two looks an editor may have written half of it, or none.
      if (same(now, before) && !same(now, told)) {
        told = now;
        onChange(now);
      }
      before = now;
    }
  };
  const watching = watch();
  return async () => {
    stopping.abort();
    await watching;
  };
};

const same = (a: FileText, b: FileText): boolean => JSON.stringify(a) === JSON.stringify(b);
