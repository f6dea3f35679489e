import { isSettled, type Payment } from '../../core/records/payment.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { showClock } from '../../core/values/format-time.ts';
import type { CardPart } from './card.ts';
import { quotes, saidText } from './reply-cards.ts';

/** By these a customer is known, with any country code or none. */
const NATIONAL_DIGITS = 9;
/** How long a customer can answer the prompt; MTN's own limit, and the others are about the same. */
const PROMPT_MS = 5 * 60_000;

/** What the people around the card can do now. */
export const guidanceText = (payment: Payment, timeZone: string): string | undefined => {
  switch (payment.state) {
    case 'confirmed':
      return payment.rateLimits === 0
        ? undefined
        : 'The payment service is busy and took nothing yet. I ask again in a moment.';
    case 'submitting':
      return undefined;
    case 'pending':
      return pendingText(payment, timeZone);
    case 'completed':
    case 'failed':
    case 'not sent':
    case 'refused':
    case 'unknown':
      return outcomeText(payment);
    default:
      return assertNever(payment.state);
  }
};

const pendingText = (payment: Payment, timeZone: string): string => {
  const { terms, checkoutUrl, submittedAtMs, confirmedAtMs, lastCheckAtMs = 0 } = payment;
  if (terms.option !== 'MOM')
    return checkoutUrl === undefined
      ? 'The payment service gave no link for the customer. Ask it how to continue.'
      : 'Send the customer the link. Never type card numbers in this chat.';
  const untilMs = (submittedAtMs ?? confirmedAtMs) + PROMPT_MS;
  const isMtn = terms.network === 'MTN';
  // Compared with the last check, not with a clock: the card is rendered at changes only.
  if (lastCheckAtMs > untilMs)
    return isMtn
      ? 'The prompt is probably over. The customer can still approve it: *170#, My Wallet, My Approvals.'
      : 'The prompt is probably over. I keep checking.';
  const patience = `The customer has about 5 minutes, until ${showClock(untilMs, timeZone)}.`;
  return isMtn ? `${patience} No prompt? Dial *170#, My Wallet, My Approvals.` : patience;
};

/** The outcome in sentences, the money first. */
export const outcomeText = (payment: Payment): string | undefined => {
  // The service contradicts the recorded state, so it is not asserted.
  if (payment.flag === 'conflict' && isSettled(payment)) return `Recorded as ${payment.state}.`;
  switch (payment.state) {
    case 'completed':
      return 'The payment service confirmed the payment.';
    case 'failed':
      return reasonOf(payment) ?? 'The payment service reported the payment as failed.';
    case 'refused':
      return refusedText(payment);
    case 'not sent':
      return joined('Nothing was charged.', reasonOf(payment));
    case 'unknown':
      return joined(
        'Not clear yet: the customer may still be charged. Do not ask again.',
        payment.overdue === 'given up' ? undefined : 'I keep checking.',
        // The reason of a conflict is told with the flag.
        payment.flag === 'conflict' ? undefined : reasonOf(payment),
      );
    default:
      return undefined;
  }
};

const refusedText = (payment: Payment): string => {
  const { reason, answer } = payment;
  const said = answer === undefined ? undefined : saidText(answer);
  const isQuoted = reason !== undefined && answer !== undefined && quotes(reason, answer);
  const text = joined('Nothing was charged.', reason, isQuoted ? undefined : said);
  return withoutNumber(text, payment);
};

const reasonOf = (payment: Payment): string | undefined =>
  payment.reason === undefined ? undefined : withoutNumber(payment.reason, payment);

/** Removes the number where it has other digits around it and so does not match as a phone number. */
export const withoutNumber = (text: string, { terms: { customerNumber } }: Payment): string =>
  text.replaceAll(customerNumber.slice(-NATIONAL_DIGITS), '•••••');

/** What a flag means and what to do about it. */
export const flagParts = (payment: Payment): CardPart[] => {
  const { flag } = payment;
  switch (flag) {
    case undefined:
      return [];
    case 'conflict':
      return [{ kind: 'warning', text: joined(reasonOf(payment), ASK_THE_SERVICE, DO_NOT_ASK) }];
    case 'needs a person':
      return [{ kind: 'warning', text: overdueText(payment) }];
    default:
      return assertNever(flag);
  }
};

const ASK_THE_SERVICE = 'A person should ask the payment service.';
const DO_NOT_ASK = 'Do not ask the customer again before.';

const overdueText = (payment: Payment): string =>
  // While nothing is clear the card says already not to ask again.
  joined(
    overdueSince(payment),
    ASK_THE_SERVICE,
    payment.state === 'unknown' ? undefined : DO_NOT_ASK,
  );

const overdueSince = ({ overdue }: Payment): string => {
  switch (overdue) {
    case 'half an hour':
      return 'No answer for 30 minutes.';
    case 'a day':
      return 'No answer for a day.';
    case 'set aside':
      return 'Checking it stopped me three times, so I wait for an hour.';
    case 'given up':
    case undefined:
      return 'No answer came, and I stopped checking.';
    default:
      return assertNever(overdue);
  }
};

const joined = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter((sentence) => sentence !== undefined).join(' ');
