import { defined } from '../../runtime/defined.ts';
import {
  type Classified,
  isPlainNo,
  noAnswer,
  notAccepted,
  unlisted,
} from '../classify-response.ts';
import type {
  BalanceOutcome,
  LookupOutcome,
  PaymentOutcome,
  SmsOutcome,
  StatusAnswer,
  StatusOutcome,
} from '../gateway.ts';
import { quotable } from '../reason-texts.ts';
import { isSuccess, type ServiceEnvelope } from './envelope.ts';

type Answer = Classified<ServiceEnvelope>;

/** Only an unambiguous acceptance or refusal counts; every other request that was sent is unknown. */
export const paymentOutcome = (verdict: Answer): PaymentOutcome => {
  if (verdict.kind !== 'said') return notAccepted(verdict);
  const { answer, envelope } = verdict;
  // 000 says that a checkout link was made, which is no more than "accepted" either.
  if (!envelope.isYes) return unlisted(answer);
  return { kind: 'accepted', answer, ...defined({ checkoutUrl: envelope.checkoutUrl }) };
};

export const smsOutcome = (verdict: Answer): SmsOutcome => {
  if (verdict.kind !== 'said') return notAccepted(verdict);
  const { answer, envelope } = verdict;
  if (!isSuccess(envelope.code)) return unlisted(answer);
  const { message_id: messageId = '', status = '' } = envelope.data;
  // The code says that the question was answered; a word that is no yes may mean that nothing was sent.
  const reason = `The payment service says "${quotable(status)}" of this SMS.`;
  const isYes = status === '' || SENT.test(plainWord(status));
  return isYes ? { kind: 'sent', messageId, status, answer } : { kind: 'unknown', answer, reason };
};

/** A name is confirmed by code 000 together with a name; nothing less will do. */
export const lookupOutcome = (verdict: Answer): LookupOutcome => {
  if (isPlainNo(verdict)) return { kind: 'notFound', answer: verdict.answer };
  if (verdict.kind !== 'said') return noAnswer(verdict);
  const { answer, envelope } = verdict;
  const { account_name: name, account_status = '', account_type = '' } = envelope.data;
  if (!isSuccess(envelope.code) || name === undefined) return { kind: 'notFound', answer };
  const [status, type] = [account_status.toLowerCase(), account_type.toLowerCase()];
  return { kind: 'found', name, status, type, answer };
};

/**
 * The outer code only says whether the question was answered. What became of the payment is in
 * `response_data.status` and nowhere else: a failed payment comes back under code 000 as well.
 */
export const statusOutcome = (verdict: Answer): StatusOutcome => {
  if (isPlainNo(verdict)) return { kind: 'noStatus', answer: verdict.answer };
  if (verdict.kind !== 'said') return noAnswer(verdict);
  const { answer, envelope } = verdict;
  const { status: word, transaction_id: transactionId, amount, payment_date } = envelope.data;
  if (!isSuccess(envelope.code) || word === undefined) return { kind: 'noStatus', answer };
  const status = readStatusWord(word);
  const given = defined({ transactionId, amount, paymentDate: payment_date });
  return { kind: 'status', status, word, answer, ...given };
};

export const balanceOutcome = (verdict: Answer): BalanceOutcome => {
  if (verdict.kind !== 'said') return noAnswer(verdict);
  const { answer, envelope } = verdict;
  if (!isSuccess(envelope.code)) return noAnswer(unlisted(answer));
  const {
    sms_balance: sms,
    payout_balance: payout,
    collection_balance: collection,
  } = envelope.data;
  return { kind: 'balances', answer, ...defined({ sms, payout, collection }) };
};

const COMPLETED = /^(?:completed|success|successful|000)$/;
const FAILED = /^(?:failed|failure|expired|cancell?ed|declined|rejected)$/;
const PENDING =
  /^(?:pending|processing|ongoing|in progress|in process|received|submitted|queued|initiated)$/;

/** The documented word for an SMS, and plain synonyms. */
const SENT =
  /^(?:sent|delivered|accepted|submitted|queued|received|pending|processing|in progress|success|successful|ok|000)$/;

const plainWord = (word: string): string =>
  word
    .toLowerCase()
    .split(/[\s_-]+/)
    .join(' ')
    .trim();

/**
 * What the service's word for a payment's status means. Documented are `pending`, `completed` and
 * `failed`; the others are plain synonyms. Numbers such as 001 and 002 mean "failed" to one service
 * and "still waiting" to the next, and `approved` may be one step of several: none of them decides.
 */
export const readStatusWord = (word: string): StatusAnswer['status'] => {
  const plain = plainWord(word);
  // `000/01` is how some write "done" with a detail behind it.
  if (COMPLETED.test(plain) || /^000\/\w+$/.test(plain)) return 'completed';
  if (FAILED.test(plain)) return 'failed';
  if (PENDING.test(plain)) return 'pending';
  return 'unrecognised';
};
