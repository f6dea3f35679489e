import {
  isSettled,
  type Overdue,
  type Payment,
  type PaymentState,
} from '../../core/records/payment.ts';
import { showClock, showDay } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import {
  type Card,
  type CardPart,
  cardOf,
  type Fact,
  idFact,
  joined,
  linkButton,
  part,
  personFact,
  pressButton,
  type Tone,
} from './card.ts';
import { quotes, saidText } from './service-words.ts';
import { type Audience, payerFacts, payerFor } from './visibility.ts';

/** By these digits a customer is known, with any country code or none. */
const NATIONAL_DIGITS = 9;
/** How long a customer can answer the prompt; MTN's own limit, and the others are about the same. */
const PROMPT_MS = 5 * 60_000;

/** The word for a state, as every chat shows it. */
export const stateWord = (state: PaymentState): string =>
  state === 'confirmed' || state === 'submitting' ? 'being sent' : state;

/** The payment's one card in its conversation, edited as the state changes. `audience` reads it there. */
export const paymentCard = (
  payment: Payment,
  timeZone: string,
  audience: Audience = 'others too',
): Card => {
  const { id, state, terms, checkoutUrl } = payment;
  const guidance = guidanceText(payment, timeZone);
  return cardOf(
    `${formatMoney(terms.amount)} · ${stateWord(state)}`,
    [
      part.facts(...paymentFacts(payment, timeZone, audience)),
      guidance === undefined ? undefined : part.text(guidance),
      flagPart(payment),
    ],
    {
      tone: toneOf(payment),
      buttons: [
        linkButton('Open the checkout page', state === 'pending' ? checkoutUrl : undefined),
        audience === 'others too'
          ? pressButton('Show full number', 'reveal', id, { aside: true })
          : undefined,
      ],
    },
  );
};

/** The outcome, with a mention of the requester. `toldBefore`: the state that the same message showed first. */
export const outcomeCard = (
  payment: Payment,
  timeZone: string,
  {
    audience = 'others too',
    toldBefore = payment.state,
  }: { readonly audience?: Audience; readonly toldBefore?: PaymentState | undefined } = {},
): Card => {
  const { id, state, terms, requester, settledAtMs } = payment;
  const text = outcomeText(payment);
  const earlier = toldBefore === state ? '' : `${stateWord(toldBefore)}, then `;
  // With its time: the message may have waited a day for the chat to come back.
  const at = settledAtMs === undefined ? '' : `${showDay(settledAtMs, timeZone)} · `;
  return cardOf(
    `${formatMoney(terms.amount)} from ${payerFor(audience, terms)}: ${earlier}${stateWord(state)}`,
    [
      text === undefined ? undefined : part.text(text),
      flagPart(payment),
      part.list([{ text: `${at}Transaction`, code: id }]),
    ],
    { tone: toneOf(payment), mention: requester },
  );
};

/** The alert to operators about a payment that a person has to look into. */
export const paymentAlertCard = (payment: Payment, timeZone: string): Card =>
  cardOf(
    `${payment.flag === 'conflict' ? 'In conflict' : 'Needs a person'}: ${formatMoney(payment.terms.amount)} · ${stateWord(payment.state)}`,
    [part.facts(...paymentFacts(payment, timeZone, 'others too')), flagPart(payment)],
    { tone: 'warning' },
  );

const ENDED: Partial<Record<PaymentState, string>> = {
  completed: 'Paid at',
  failed: 'Failed at',
  refused: 'Refused at',
};

const paymentFacts = (payment: Payment, timeZone: string, audience: Audience): Fact[] => {
  const { id, state, terms, requester, approver, confirmedAtMs, settledAtMs } = payment;
  const at = (label: string, atMs: number): Fact => ({ label, value: showDay(atMs, timeZone) });
  const list = payerFacts(terms, audience);
  // Without one of its own the transaction id is the reference.
  if (terms.reference !== id) list.push({ label: 'Reference', value: terms.reference });
  list.push(personFact('Asked by', requester));
  list.push(at('Asked at', payment.askedAtMs ?? confirmedAtMs));
  if (approver !== undefined)
    list.push(personFact('Approved by', approver), at('Approved at', confirmedAtMs));
  if (settledAtMs !== undefined) list.push(at(ENDED[state] ?? 'Ended at', settledAtMs));
  return [...list, idFact('Transaction', id)];
};

const TONES: Readonly<Record<PaymentState, Tone>> = {
  confirmed: 'waiting',
  submitting: 'waiting',
  pending: 'waiting',
  unknown: 'warning',
  completed: 'good',
  failed: 'bad',
  'not sent': 'bad',
  refused: 'bad',
};

const toneOf = ({ state, flag }: Payment): Tone => (flag === undefined ? TONES[state] : 'warning');

/** What the people around the card can do now. */
const guidanceText = (payment: Payment, timeZone: string): string | undefined => {
  if (payment.state === 'pending') return pendingText(payment, timeZone);
  if (payment.state !== 'confirmed') return outcomeText(payment);
  return payment.rateLimits === 0
    ? undefined
    : 'The payment service is busy and took nothing yet. I ask again in a moment.';
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

/** The outcome in sentences, the money first; undefined while there is none. */
const outcomeText = (payment: Payment): string | undefined => {
  const { state, flag, reason, overdue } = payment;
  const why = reason === undefined ? undefined : withoutNumber(reason, payment);
  // The service contradicts the recorded state, so it is not asserted.
  if (flag === 'conflict' && isSettled(payment)) return `Recorded as ${state}.`;
  switch (state) {
    case 'completed':
      return 'The payment service confirmed the payment.';
    case 'failed':
      return why ?? 'The payment service reported the payment as failed.';
    case 'refused':
      return refusedText(payment);
    case 'not sent':
      return joined('Nothing was charged.', why);
    case 'unknown':
      return joined(
        'Not clear yet: the customer may still be charged. Do not ask again.',
        overdue === 'given up' ? undefined : 'I keep checking.',
        // The reason of a conflict is told with the flag.
        flag === 'conflict' ? undefined : why,
      );
    default:
      return undefined;
  }
};

const refusedText = (payment: Payment): string => {
  const { reason, answer = {} } = payment;
  const isQuoted = reason !== undefined && quotes(reason, answer);
  const text = joined('Nothing was charged.', reason, isQuoted ? undefined : saidText(answer));
  return withoutNumber(text, payment);
};

/** Removes the number where it has other digits around it and so does not match as a phone number. */
export const withoutNumber = (text: string, { terms: { customerNumber } }: Payment): string =>
  text.replaceAll(customerNumber.slice(-NATIONAL_DIGITS), '•••••');

const ASK_THE_SERVICE = 'A person should ask the payment service.';
const DO_NOT_ASK = 'Do not ask the customer again before.';

const OVERDUE: Readonly<Record<Overdue, string>> = {
  'half an hour': 'No answer for 30 minutes.',
  'a day': 'No answer for a day.',
  'set aside': 'Checking it stopped me three times, so I wait for an hour.',
  'given up': 'No answer came, and I stopped checking.',
};

/** What a flag means and what to do about it. */
const flagPart = (payment: Payment): CardPart | undefined => {
  const { flag, reason, state, overdue = 'given up' } = payment;
  if (flag === undefined) return undefined;
  if (flag === 'needs a person')
    // While nothing is clear the card says already not to ask again.
    return part.warning(
      joined(OVERDUE[overdue], ASK_THE_SERVICE, state === 'unknown' ? undefined : DO_NOT_ASK),
    );
  const why = reason === undefined ? undefined : withoutNumber(reason, payment);
  return part.warning(joined(why, ASK_THE_SERVICE, DO_NOT_ASK));
};
