import { defined } from '../runtime/defined.ts';
import { type Classified, isAccepted, isSuccess } from './classify-response.ts';
import type {
  BalanceOutcome,
  LookupOutcome,
  NoAnswer,
  NotAccepted,
  PaymentOutcome,
  ServiceAnswer,
  SmsOutcome,
  StatusOutcome,
  Unknown,
} from './gateway.ts';
import { quotable, unlistedReason } from './reason-texts.ts';

type NotSaid = Exclude<Classified, { kind: 'said' }>;

/** Only an unambiguous acceptance or refusal counts; every other request that was sent is unknown. */
export const paymentOutcome = (verdict: Classified): PaymentOutcome => {
  if (verdict.kind !== 'said') return notAccepted(verdict);
  const { answer, envelope } = verdict;
  // 000 says that a checkout link was made, which is no more than "accepted" either.
  if (!isAccepted(envelope.code) && !isSuccess(envelope.code)) return unlisted(answer);
  return { kind: 'accepted', answer, ...defined({ checkoutUrl: envelope.checkoutUrl }) };
};

export const smsOutcome = (verdict: Classified): SmsOutcome => {
  if (verdict.kind !== 'said') return notAccepted(verdict);
  const { answer, envelope } = verdict;
  if (!isSuccess(envelope.code)) return unlisted(answer);
  const { message_id: messageId = '', status = '' } = envelope.data;
  // The code says that the question was answered; a word that is no yes may mean that nothing was sent.
  return status === '' || SENT.test(plainWord(status))
    ? { kind: 'sent', messageId, status, answer }
    : {
        kind: 'unknown',
        answer,
        reason: `The payment service says "${quotable(status)}" of this SMS.`,
      };
};

/** A name is confirmed by code 000 together with a name; nothing less will do. */
export const lookupOutcome = (verdict: Classified): LookupOutcome => {
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
export const statusOutcome = (verdict: Classified): StatusOutcome => {
  if (isPlainNo(verdict)) return { kind: 'noStatus', answer: verdict.answer };
  if (verdict.kind !== 'said') return noAnswer(verdict);
  const { answer, envelope } = verdict;
  const { status: word, transaction_id: transactionId, amount, payment_date } = envelope.data;
  if (!isSuccess(envelope.code) || word === undefined) return { kind: 'noStatus', answer };
  const status = readStatusWord(word);
  const given = defined({ transactionId, amount, paymentDate: payment_date });
  return { kind: 'status', status, word, answer, ...given };
};

export const balanceOutcome = (verdict: Classified): BalanceOutcome => {
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

/** "No such account", "no such payment": said with HTTP 404 as often as with a code under HTTP 200. */
const isPlainNo = (verdict: Classified): verdict is Extract<Classified, { kind: 'refused' }> =>
  verdict.kind === 'refused' && verdict.understood;

/** An undocumented code may mean anything, a payment on its way included. */
const unlisted = (answer: ServiceAnswer): Unknown => ({
  kind: 'unknown',
  answer,
  reason: unlistedReason(answer),
});

const notAccepted = (verdict: NotSaid): NotAccepted => {
  if (verdict.kind !== 'refused') return verdict;
  const { understood: _, ...refusal } = verdict;
  return refusal;
};

const noAnswer = (verdict: NotSaid): NoAnswer => {
  const outcome = notAccepted(verdict);
  if (outcome.kind === 'rateLimited' || outcome.kind === 'refused') return outcome;
  return { answer: {}, ...outcome, kind: 'noAnswer' };
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
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

/**
 * What the service's word for a payment's status means. Documented are `pending`, `completed` and
 * `failed`; the others are plain synonyms. Numbers such as 001 and 002 mean "failed" to one service
 * and "still waiting" to the next, and `approved` may be one step of several: none of them decides.
 */
export const readStatusWord = (
  word: string,
): Extract<StatusOutcome, { kind: 'status' }>['status'] => {
  const plain = plainWord(word);
  // `000/01` is how some write "done" with a detail behind it.
  if (COMPLETED.test(plain) || /^000\/\w+$/.test(plain)) return 'completed';
  if (FAILED.test(plain)) return 'failed';
  if (PENDING.test(plain)) return 'pending';
  return 'unrecognised';
};
