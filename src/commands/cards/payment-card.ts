import type { Payment, PaymentState } from '../../core/records/payment.ts';
import { showBeside, showClock, showDay } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { checkoutButtons } from '../share/shared-text.ts';
import { NO_SMS, type SmsSettings, textButtons } from '../sms/text-buttons.ts';
import {
  type Button,
  type Card,
  type CardPart,
  cardOf,
  detailsButton,
  itemText,
  joined,
  type ListItem,
  linkButton,
  part,
  pressButton,
} from './card.ts';
import { paymentFacts } from './payment-facts.ts';
import { amountAndState } from './payment-line.ts';
import { flagText, guidance, isLoud, outcomeText, stateWord, toneOf } from './payment-words.ts';
import { type Audience, lineFacts, payerFor } from './visibility.ts';

/** Outside its buttons, the label of the sandbox included. */
const MOST_WORDS = 30;
const LABEL_WORDS = 1;
/** Of a name or a reference; the whole is in the Details. */
const MOST_OF_NAME = 3;
/** The chat dates a message: an outcome that is told so soon needs no time. */
const SOON_MS = 5 * 60_000;

type Showing = {
  /** Its time. @default without the day, because the chat dates the message */
  readonly showAt?: (ms: number, timeZone: string) => string;
  /** Which SMS its buttons may send. @default none */
  readonly sms?: SmsSettings;
};

/** The payment's one card in its conversation, edited as the state changes. `audience` reads it there. */
export const paymentCard = (
  payment: Payment,
  timeZone: string,
  audience: Audience = 'others too',
  { showAt = showClock, sms = NO_SMS }: Showing = {},
): Card => {
  const { id, terms, confirmedAtMs } = payment;
  const title = `${amountAndState(payment)} · ${shortened(payerFor(audience, terms), MOST_OF_NAME)}`;
  const means = lineFacts(terms);
  const code = isLeftAlone(payment) ? undefined : id;
  const at = [showAt(confirmedAtMs, timeZone), peopleText(payment)];
  const tries = code === undefined ? [] : otherTries(payment);
  const taken = wordCount([title, ...means, ...at, code, ...tries.map(itemText)].join(' '));
  const text = sentencesIn(MOST_WORDS - LABEL_WORDS - taken, guidance(payment, timeZone));
  const left = MOST_WORDS - LABEL_WORDS - taken - wordCount(text);
  const reference = terms.reference === id ? '' : shortened(terms.reference, MOST_OF_NAME);
  const shownReference = reference === '' || wordCount(reference) > left ? [] : [reference];
  const line = part.line([...means, ...shownReference, ...at].join(' · '), code);
  return cardOf(title, [line, saidPart(payment, text), part.list(tries)], {
    compact: true,
    tone: toneOf(payment),
    buttons: paymentButtons(payment, sms),
  });
};

const saidPart = (payment: Payment, text: string): CardPart | undefined => {
  if (text === '') return undefined;
  return isLoud(payment) ? part.warning(text) : part.text(text);
};

/** Nothing is wrong with it, so its id is in the Details alone. */
const isLeftAlone = (payment: Payment): boolean => ['good', 'waiting'].includes(toneOf(payment));

const peopleText = ({ requester, approver }: Payment): string =>
  [requester, ...(approver === undefined ? [] : [approver])]
    .map(({ name }) => shortened(name, MOST_OF_NAME))
    .join(', approved by ');

/** The buttons of a payment card: what can be done next. No question waits for them, so they get no numbers. */
export const paymentButtons = (payment: Payment, sms: SmsSettings): (Button | undefined)[] => [
  linkButton(
    'Open the checkout page',
    payment.state === 'pending' ? payment.checkoutUrl : undefined,
  ),
  ...nextSteps(payment).map(([label, verb]) =>
    pressButton(label, verb, payment.id, { aside: true }),
  ),
  ...textButtons(payment, sms),
  ...checkoutButtons(payment),
  detailsButton(payment.id),
];

const CHECK_NOW = ['Check now', 'check'] as const;

/** Label and verb of each. What may still be paid can only be checked. */
const nextSteps = ({ state, flag, retriedAs }: Payment): readonly (readonly [string, string])[] => {
  if (state === 'pending' || state === 'unknown') return [CHECK_NOW];
  if (state === 'confirmed' || state === 'submitting') return [];
  if (state === 'completed') return [['Charge again', 'again']];
  if (flag === 'conflict') return [CHECK_NOW];
  // The next try has a card of its own, and may be paid.
  if (retriedAs !== undefined) return [];
  return [
    ['Ask again', 'retry'],
    ['Change', 'change'],
  ];
};

/** The payments that this one is another try of, and the other way round. */
const otherTries = ({ retryOf, retriedAs }: Payment): ListItem[] => [
  ...(retryOf === undefined ? [] : [{ text: 'Another try of', code: retryOf }]),
  ...(retriedAs === undefined ? [] : [{ text: 'Asked again:', code: retriedAs }]),
];

/** The sentences that there is room for. The first is shortened; a part of a later one could say something else. */
const sentencesIn = (room: number, sentences: readonly (string | undefined)[]): string => {
  const kept: string[] = [];
  for (const sentence of sentences) {
    if (sentence === undefined) continue;
    const left = room - wordCount(kept.join(' '));
    if (wordCount(sentence) <= left) kept.push(sentence);
    else if (kept.length === 0) kept.push(endedWithin(sentence, left));
  }
  return kept.join(' ');
};

/** As many whole sentences of a text as there is room for; the first words of its first sentence where that is too long. */
const endedWithin = (text: string, most: number): string => {
  const ends = [...text.matchAll(/[.!?](?= [A-Z])/g)].map(({ index }) => text.slice(0, index + 1));
  return ends.findLast((whole) => wordCount(whole) <= most) ?? shortened(text, most);
};

/** The words with a letter or a digit: dots and signs are read over. */
const wordCount = (text: string): number => text.split(/\s+/).filter(isWord).length;

const isWord = (word: string): boolean => /[\p{L}\p{N}]/u.test(word);

/** The first words, as many as there is room for. */
const shortened = (text: string, most: number): string => {
  const words = text.trim().split(/\s+/);
  let used = 0;
  const end = words.findIndex((word) => isWord(word) && ++used > most);
  return end < 0 ? words.join(' ') : `${words.slice(0, end).join(' ')}…`;
};

/** The outcome in one line that mentions the requester, and why it failed. `toldBefore`: the state that the same message showed first. */
export const outcomeCard = (
  payment: Payment,
  timeZone: string,
  {
    audience = 'others too',
    toldBefore = payment.state,
    toldAtMs = payment.confirmedAtMs,
  }: {
    readonly audience?: Audience;
    readonly toldBefore?: PaymentState | undefined;
    /** @default when it was confirmed */
    readonly toldAtMs?: number;
  } = {},
): Card => {
  const { state, terms, requester, settledAtMs = toldAtMs } = payment;
  const earlier = toldBefore === state ? '' : `${stateWord(toldBefore)}, then `;
  // The message waited for the chat to come back.
  const isLate = toldAtMs - settledAtMs >= SOON_MS;
  const at = isLate ? ` · ${showBeside(toldAtMs, settledAtMs, timeZone)}` : '';
  const whose = `${formatMoney(terms.amount)} from ${payerFor(audience, terms)}`;
  return cardOf(`${whose}: ${earlier}${stateWord(state)}${at}`, [endPart(payment)], {
    tone: toneOf(payment),
    mention: requester,
  });
};

/** What became of it, and what to do about it, loud where that matters; undefined where its state says all. `whole`: as of `outcomeText`. */
export const endPart = (payment: Payment, whole?: 'whole'): CardPart | undefined =>
  saidPart(payment, joined(outcomeText(payment, whole), flagText(payment)));

export const paymentAlertCard = (payment: Payment, timeZone: string): Card => {
  const { flag } = payment;
  const text = flagText(payment);
  return cardOf(
    `${flag === 'conflict' ? 'In conflict' : 'Needs a person'}: ${amountAndState(payment)}`,
    [
      part.facts(...paymentFacts(payment, 'others too', (ms) => showDay(ms, timeZone))),
      text === undefined ? undefined : part.warning(text),
    ],
    { tone: 'warning' },
  );
};

/**
 * A payment as another conversation is told of it: its card with number and name shortened, and no button but the way
 * to the card. `link`: the address of the card, on platforms that have one.
 */
export const mirrorCard = (payment: Payment, timeZone: string, link: string | undefined): Card => {
  // A rule may tell of its end alone.
  const toldAtMs = payment.settledAtMs ?? payment.confirmedAtMs;
  const { title, compact, tone, parts } = paymentCard(payment, timeZone, 'others too', {
    showAt: (ms) => showBeside(toldAtMs, ms, timeZone),
  });
  return cardOf(title, parts, { compact, tone, buttons: [linkButton('See the card', link)] });
};
