import { createHash, hash } from 'node:crypto';

const OPENING = ',"hash":"';
const CLOSING = '"}';
const HASH_LENGTH = 64;
const SEAL_LENGTH = OPENING.length + HASH_LENGTH + CLOSING.length;

export type Unsealed =
  | { readonly ok: true; readonly value: object; readonly hash: string }
  /** It is not a JSON object at all. */
  | { readonly ok: false; readonly why: 'unreadable' }
  /** Its bytes are not those that were sealed, or it never was. */
  | { readonly ok: false; readonly why: 'changed'; readonly value: object };

/**
 * Ends a JSON object with the SHA-256 of everything before: `{"a":1` becomes `{"a":1,"hash":"…"}`.
 * So what was written can be told from what is found later, byte by byte, and it is still plain JSON.
 */
export const seal = (open: string): { text: string; hash: string } => {
  const sum = hash('sha256', open);
  return { text: open + sealWith(sum), hash: sum };
};

/** The same for a text that is made piece by piece. */
export class Sealer {
  readonly #hash = createHash('sha256');

  add(piece: string): void {
    this.#hash.update(piece);
  }

  end(): string {
    return sealWith(this.#hash.digest('hex'));
  }
}

export const unseal = (bytes: Buffer): Unsealed => {
  const value = readObject(bytes);
  if (value === undefined) return { ok: false, why: 'unreadable' };
  const sealAt = Math.max(0, bytes.length - SEAL_LENGTH);
  const sum = hash('sha256', bytes.subarray(0, sealAt));
  return bytes.toString('latin1', sealAt) === sealWith(sum)
    ? { ok: true, value, hash: sum }
    : { ok: false, why: 'changed', value };
};

const sealWith = (sum: string): string => OPENING + sum + CLOSING;

const readObject = (bytes: Buffer): object | undefined => {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Not JSON is an answer here, not a failure: the caller decides what it means.
    return undefined;
  }
};
