import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. Digests have one length, so neither a secret's length nor its beginning leaks. */
export const isSameSecret = (expected: string, given: string): boolean =>
  timingSafeEqual(hash('sha256', expected, 'buffer'), hash('sha256', given, 'buffer'));
