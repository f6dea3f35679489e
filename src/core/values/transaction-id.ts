import { createHash } from 'node:crypto';
import { type Random, systemRandom } from '../runtime/random.ts';
import { hasCardNumber } from './card-number.ts';

/** Crockford's: no I, L, O and U, so an id read aloud or copied by hand is not misread. In ASCII order. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_PER_CHAR = 5;

/** 45 bits of milliseconds: enough until the year 3084. */
const TIME_CHARS = 9;
/** 35 random bits for each millisecond. */
const RANDOM_CHARS = 7;
const MAX_TIME_MS = 2 ** (TIME_CHARS * BITS_PER_CHAR) - 1;

const SHORT_ID_CHARS = 12;

const TRANSACTION_ID = /^[0-9A-HJKMNP-TV-Z]{16}$/;

type RandomBytes = Pick<Random, 'bytes'>;

/** A new `transaction_id`: 16 characters of A-Z and 0-9 that sort by time. */
export const newTransactionId = (nowMs: number, random: RandomBytes = systemRandom): string => {
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > MAX_TIME_MS)
    throw new RangeError(`No transaction id can be made for the time ${nowMs}.`);
  for (;;) {
    const id = timeChars(nowMs) + charsOf(random.bytes(RANDOM_CHARS), RANDOM_CHARS);
    // One in some hundred million; `/payment` with it would be refused as a card number.
    if (!hasCardNumber(id)) return id;
  }
};

const timeChars = (ms: number): string => {
  let chars = '';
  for (let rest = ms; chars.length < TIME_CHARS; rest = Math.floor(rest / ALPHABET.length))
    chars = ALPHABET.charAt(rest % ALPHABET.length) + chars;
  return chars;
};

/** One character of each byte; 256 is a multiple of 32, so all are equally likely. */
const charsOf = (bytes: Uint8Array, count: number): string =>
  [...bytes.subarray(0, count)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');

/** Whether this could be an id that Paythread made, exactly as it is written. */
export const isTransactionId = (text: string): boolean => TRANSACTION_ID.test(text);

/** An id that was typed or read out, in the form it was made. */
export const normaliseTransactionId = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    // Again: characters that were removed kept others apart that combine.
    .normalize('NFKC')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

/** A random id of 12 lower-case characters, for drafts and forms. */
export const newShortId = (random: RandomBytes = systemRandom): string =>
  charsOf(random.bytes(SHORT_ID_CHARS), SHORT_ID_CHARS).toLowerCase();

/** The same text always makes the same id, so an event delivered twice makes one draft. */
export const shortIdFrom = (text: string): string =>
  charsOf(createHash('sha256').update(text).digest(), SHORT_ID_CHARS).toLowerCase();
