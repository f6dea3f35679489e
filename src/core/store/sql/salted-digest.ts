import { createHash } from 'node:crypto';
import type { Random } from '../../runtime/random.ts';

const SALT_BYTES = 16;

export const newSalt = (random: Random): Uint8Array => random.bytes(SALT_BYTES);

/**
 * SHA-256 over a salt and a text, in hex. Stored where the text itself must not be: once the salt is deleted with
 * the text, trying all phone numbers does not lead back to it.
 */
export const saltedDigest = (salt: Uint8Array, text: string): string =>
  createHash('sha256').update(salt).update(text).digest('hex');
