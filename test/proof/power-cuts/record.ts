/** One call of the recorded process that changed a file, or its word to the outside. Paths are below the root. */
export type Call =
  | {
      readonly kind: 'open';
      readonly handle: number;
      readonly path: string;
      readonly isCreated: boolean;
      readonly isCut: boolean;
    }
  | {
      readonly kind: 'write';
      readonly handle: number;
      readonly offset: number;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'resize'; readonly handle: number; readonly size: number }
  | { readonly kind: 'sync'; readonly handle: number }
  /** A sync that failed: the system has dropped what it had to write. */
  | { readonly kind: 'lost'; readonly handle: number }
  /** A call that was let fail. */
  | { readonly kind: 'fault'; readonly what: string; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'mkdir'; readonly path: string }
  | { readonly kind: 'told'; readonly text: string };

/** Reads what `recorder.c` wrote. @throws when the process made a call that the replay does not know. */
export const readRecord = (record: Buffer): Call[] => {
  const calls: Call[] = [];
  for (let at = 0; at < record.length; ) {
    const end = record.indexOf('\n', at);
    // Killed while it wrote: that call was not finished.
    if (end < 0) break;
    const words = record.toString('utf8', at, end).split(' ');
    const length = lengthAfter(words);
    const bytes = record.subarray(end + 1, end + 1 + length);
    if (bytes.length < length) break;
    calls.push(callOf(words, bytes));
    at = end + 1 + length;
  }
  return calls;
};

const lengthAfter = ([kind, ...rest]: readonly string[]): number =>
  kind === 'write' || kind === 'told' ? Number(rest.at(-1)) : 0;

const callOf = (words: readonly string[], bytes: Buffer): Call => {
  const [kind, first = '', second = '', third, fourth = ''] = words;
  const handle = Number(first);
  switch (kind) {
    case 'open':
      return { kind, handle, isCreated: second === '1', isCut: third === '1', path: fourth };
    case 'write':
      return { kind, handle, offset: Number(second), bytes };
    case 'resize':
      return { kind, handle, size: Number(second) };
    case 'sync':
    case 'lost':
      return { kind, handle };
    case 'fault':
      return { kind, what: first, path: second };
    case 'rename':
      return { kind, from: first, to: second };
    case 'unlink':
    case 'mkdir':
      return { kind, path: first };
    case 'told':
      return { kind, text: bytes.toString('utf8') };
    default:
      throw new Error(`The replay does not know this call: ${words.join(' ')}`);
  }
};
