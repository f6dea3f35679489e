import { assertNever } from '../runtime/errors.ts';
import { type Classified, isAccepted, isSuccess } from './classify-response.ts';
import type {
  BalanceOutcome,
  LookupOutcome,
  NoAnswer,
  PaymentOutcome,
  Refusal,
  SmsOutcome,
  StatusOutcome,
} from './gateway.ts';
import { unlistedReason } from './reason-texts.ts';

type Said = Extract<Classified, { kind: 'said' }>;
type NotSaid = Exclude<Classified, Said>;

/** Only a clear "accepted" or a clear "no" is taken as such; whatever else was sent stays unknown. */
export const paymentOutcome = (verdict: Classified): PaymentOutcome => {
  if (verdict.kind !== 'said') return sendingOutcome(verdict);
  const { answer, envelope } = verdict;
  // 000 says that a checkout link was made, which is no more than "accepted" either.
  if (!isAccepted(envelope.code) && !isSuccess(envelope.code)) return unlisted(verdict);
  const { checkoutUrl } = envelope;
  return { kind: 'accepted', answer, ...(checkoutUrl !== undefined && { checkoutUrl }) };
};

export const smsOutcome = (verdict: Classified): SmsOutcome => {
  if (verdict.kind !== 'said') return sendingOutcome(verdict);
  const { answer, envelope } = verdict;
  if (!isSuccess(envelope.code)) return unlisted(verdict);
  const { message_id: messageId = '', status = '' } = envelope.data;
  return { kind: 'sent', messageId, status, answer };
};

/** A name is confirmed by code 000 together with a name; nothing less will do. */
export const lookupOutcome = (verdict: Classified): LookupOutcome => {
  if (isPlainNo(verdict)) return { kind: 'notFound', answer: verdict.answer };
  if (verdict.kind !== 'said') return questionOutcome(verdict);
  const { answer, envelope } = verdict;
  const {
    account_name: name,
    account_status: status = '',
    account_type: type = '',
  } = envelope.data;
  if (!isSuccess(envelope.code) || name === undefined) return { kind: 'notFound', answer };
  return { kind: 'found', name, status: status.toLowerCase(), type: type.toLowerCase(), answer };
};

/**
 * The outer code only says whether the question was answered. What became of the payment is in
 * `response_data.status` and nowhere else: a failed payment comes back under code 000 as well.
 */
export const statusOutcome = (verdict: Classified): StatusOutcome => {
  if (isPlainNo(verdict)) return { kind: 'noStatus', answer: verdict.answer };
  if (verdict.kind !== 'said') return questionOutcome(verdict);
  const { answer, envelope } = verdict;
  const { status: word, transaction_id, amount, payment_date } = envelope.data;
  if (!isSuccess(envelope.code) || word === undefined) return { kind: 'noStatus', answer };
  return {
    kind: 'status',
    status: readStatusWord(word),
    word,
    answer,
    ...(transaction_id !== undefined && { transactionId: transaction_id }),
    ...(amount !== undefined && { amount }),
    ...(payment_date !== undefined && { paymentDate: payment_date }),
  };
};

export const balanceOutcome = (verdict: Classified): BalanceOutcome => {
  if (verdict.kind !== 'said') return questionOutcome(verdict);
  const { answer, envelope } = verdict;
  if (!isSuccess(envelope.code))
    return { kind: 'noAnswer', answer, reason: unlistedReason(answer) };
  const { sms_balance, payout_balance, collection_balance } = envelope.data;
  return {
    kind: 'balances',
    answer,
    ...(sms_balance !== undefined && { sms: sms_balance }),
    ...(payout_balance !== undefined && { payout: payout_balance }),
    ...(collection_balance !== undefined && { collection: collection_balance }),
  };
};

/** "No such account", "no such payment": said with HTTP 404 as often as with a code under HTTP 200. */
const isPlainNo = (verdict: Classified): verdict is Extract<Classified, { kind: 'refused' }> =>
  verdict.kind === 'refused' && verdict.understood;

type Unknown = Extract<PaymentOutcome, { kind: 'unknown' }>;

/** An undocumented code may mean anything, a payment on its way included. */
const unlisted = ({ answer }: Said): Unknown => ({
  kind: 'unknown',
  answer,
  reason: unlistedReason(answer),
});

type SendingOutcome = Exclude<PaymentOutcome, { kind: 'accepted' }>;

const sendingOutcome = (verdict: NotSaid): SendingOutcome => {
  switch (verdict.kind) {
    case 'notSent':
    case 'rateLimited':
      return verdict;
    case 'refused':
      return refusal(verdict);
    case 'unclear':
      return { kind: 'unknown', answer: verdict.answer, reason: verdict.reason };
    default:
      return assertNever(verdict);
  }
};

const refusal = (verdict: Extract<Classified, { kind: 'refused' }>): Refusal => ({
  kind: 'refused',
  answer: verdict.answer,
  reason: verdict.reason,
  ...(verdict.keysRefused && { keysRefused: true }),
});

const questionOutcome = (verdict: NotSaid): NoAnswer => {
  switch (verdict.kind) {
    case 'rateLimited':
      return verdict;
    case 'refused':
      return refusal(verdict);
    case 'notSent':
      return { kind: 'noAnswer', answer: {}, reason: verdict.reason };
    case 'unclear':
      return { kind: 'noAnswer', answer: verdict.answer, reason: verdict.reason };
    default:
      return assertNever(verdict);
  }
};

type KnownStatus = 'pending' | 'completed' | 'failed' | 'unrecognised';

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
