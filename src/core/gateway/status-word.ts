export type KnownStatus = 'pending' | 'completed' | 'failed' | 'unrecognised';

const COMPLETED = new Set(['completed', 'success', 'successful', '000']);
const FAILED = new Set([
  'failed',
  'failure',
  'expired',
  'cancelled',
  'canceled',
  'declined',
  'rejected',
]);
const PENDING = new Set([
  'pending',
  'processing',
  'ongoing',
  'in progress',
  'in process',
  'received',
  'submitted',
  'queued',
  'initiated',
]);

/**
 * What the service's word for a payment's status means. Documented are `pending`, `completed` and
 * `failed`; the others are plain synonyms. Numbers such as 001 and 002 mean "failed" to one service
 * and "still waiting" to the next, and `approved` may be one step of several: none of them decides.
 */
export const readStatusWord = (word: string): KnownStatus => {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  // `000/01` is how some write "done" with a detail behind it.
  if (COMPLETED.has(plain) || /^000\/\w+$/.test(plain)) return 'completed';
  if (FAILED.has(plain)) return 'failed';
  if (PENDING.has(plain)) return 'pending';
  return 'unrecognised';
};
