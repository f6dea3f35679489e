import type { SentTerms, ServiceAnswer } from '../gateway/gateway.ts';
import type { Conversation, MessageRef, Person } from '../values/conversation.ts';
import type { Money } from '../values/money.ts';
import type { Stored } from './due.ts';
import type { GivenBack, PaymentNote } from './given-back.ts';

/**
 * The states of a payment from the press of the button to its end.
 *
 *     confirmed -> submitting -> pending | unknown | not sent | refused
 *                                pending | unknown -> completed | failed
 *     submitting -> confirmed    after HTTP 429
 *     confirmed -> unknown       when the service knows the payment all the same
 *
 * `confirmed` nothing was sent, or each request was answered with 429; `submitting` the request is on its way (a crash here makes it `unknown`);
 * `pending` the service took it; `unknown` it was sent and it is not known whether it arrived;
 * `not sent` it never reached the service, or was answered with 429 each time; `refused` the service said no.
 */
export type PaymentState =
  | 'confirmed'
  | 'submitting'
  | 'pending'
  | 'unknown'
  | 'completed'
  | 'failed'
  | 'not sent'
  | 'refused';

/** An SMS to the customer about their payment, by the name of its template and of its button. */
export type TextKind = 'receipt' | 'reminder' | 'link';

/** One that was confirmed, and went out or may have. */
export type PaymentText = {
  readonly kind: TextKind;
  /** The payment's state then. */
  readonly state: PaymentState;
  readonly batchId: string;
};

/** What was shown for confirmation; all but the name is sent. */
export type ChargeTerms = SentTerms & {
  /** As the account lookup gave it; absent when the lookup did not confirm one. */
  readonly customerName?: string;
};

/** One request for money, from confirmation to its end. `id` is the `transaction_id` sent to the service. */
export type Payment = Stored & {
  readonly state: PaymentState;
  readonly terms: ChargeTerms;
  readonly requester: Person;
  readonly approver?: Person;
  /** When the requester pressed, if an approver had to press as well. */
  readonly askedAtMs?: number;
  /** The role whose daily total it counts against. */
  readonly countedFor?: string;
  readonly conversation: Conversation;
  /** The payment that this one is another try of. */
  readonly retryOf?: string;
  /** The next try of this one; there is at most one. */
  readonly retriedAs?: string;
  /** The payment of a colleague that the customer was taken from: the requester never saw the whole number. */
  readonly maskedFrom?: string;
  readonly card?: MessageRef;
  /** The file it came with; what becomes of it is told by the card of the file's run. */
  readonly bulk?: { readonly run: string; readonly row: number };
  /** Other conversations that are told of it, as `platform:channel`, each by a message that is edited as it goes on. */
  readonly mirrors?: readonly string[];

  readonly confirmedAtMs: number;
  /** MAC made by the press that confirmed it; without a valid one nothing is sent. */
  readonly seal?: string;
  /** A confirmed payment not sent by then is given up as `not sent`. */
  readonly submitByMs: number;
  /** How often the service answered 429 to this payment. */
  readonly rateLimits: number;
  /** When the last request began that may have reached the service. */
  readonly submittedAtMs?: number;
  readonly settledAtMs?: number;

  /** Status checks made so far, and when the last one was. */
  readonly checks: number;
  readonly lastCheckAtMs?: number;
  /** Hints that the service knows the payment: callbacks, and what a check found before the request was answered. */
  readonly hints: number;
  /** Checks that callbacks brought forward. */
  readonly hintChecks: number;
  /** What the last callback said in words; shown only once the service's own answer agrees. */
  readonly hintMessage?: string;

  readonly answer?: ServiceAnswer;
  /** Why it ended as it did, in a sentence for people. */
  readonly reason?: string;
  readonly checkoutUrl?: string;
  /** A person must look: the service never settled it, or contradicts what is recorded. */
  readonly flag?: 'needs a person' | 'conflict';
  /** How long it had been without an outcome when a person was last called. */
  readonly overdue?: Overdue;
  /** SMS to the customer about it: one of a kind in each state. */
  readonly texts?: readonly PaymentText[];
  /** Never more than its amount; only of a completed one. */
  readonly givenBack?: readonly GivenBack[];
  readonly notes?: readonly PaymentNote[];
};

/** `set aside`: checking it ended the process repeatedly. */
export type Overdue = 'half an hour' | 'a day' | 'given up' | 'set aside';

export const OPEN_STATES: readonly PaymentState[] = [
  'confirmed',
  'submitting',
  'pending',
  'unknown',
];

/** It is certain that nothing was paid, unless the payment service contradicts it. */
export const UNPAID_STATES: readonly PaymentState[] = ['failed', 'not sent', 'refused'];

export const SETTLED_STATES: readonly PaymentState[] = ['completed', ...UNPAID_STATES];

export const isOpen = ({ state }: Payment): boolean => OPEN_STATES.includes(state);

export const isSettled = ({ state }: Payment): boolean => SETTLED_STATES.includes(state);

/** Whether there is something to tell: an outcome, or that none can be known without a person. */
export const hasEnd = (payment: Payment): boolean =>
  isSettled(payment) || payment.state === 'unknown' || payment.flag !== undefined;

/** Ended here, and the payment service says otherwise: its state cannot be relied on. */
export const isContradicted = (payment: Payment): boolean =>
  isSettled(payment) && payment.flag === 'conflict';

/** When a settled payment was last checked or changed. */
export const endedAtMs = ({ settledAtMs, confirmedAtMs, lastCheckAtMs = 0 }: Payment): number =>
  Math.max(settledAtMs ?? confirmedAtMs, lastCheckAtMs);

/** How long a customer can answer the prompt; MTN's own limit, and the others are about the same. */
const PROMPT_MS = 5 * 60_000;

export const promptEndsAtMs = ({ submittedAtMs, confirmedAtMs }: Payment): number =>
  (submittedAtMs ?? confirmedAtMs) + PROMPT_MS;

/** Whether a check after the prompt's time found no outcome. Compared with the last check and not with a clock: a card is rendered at changes only. */
export const isPromptOver = (payment: Payment): boolean =>
  payment.state === 'pending' &&
  payment.terms.option === 'MOM' &&
  (payment.lastCheckAtMs ?? 0) > promptEndsAtMs(payment);

/** What there is to tell about it, in a word: an outcome notice with another word was overtaken. */
export const outcomeWord = ({ state, flag, overdue }: Payment): string => {
  if (flag === 'needs a person') return overdue === undefined ? flag : `${flag}: ${overdue}`;
  return flag ?? state;
};

export type PaymentFilter = {
  readonly states?: readonly PaymentState[];
  /** E.164. */
  readonly customerNumber?: string;
  /** E.164: payments of any of these, some hundreds at most. */
  readonly customers?: readonly string[];
  /** `platform:id`. */
  readonly requester?: string;
  readonly amount?: Money;
  readonly flag?: NonNullable<Payment['flag']>;
  /** Only payments confirmed at or after this moment. */
  readonly sinceMs?: number;
  /** Only payments confirmed before this moment. */
  readonly untilMs?: number;
  /** Only payments confirmed or settled at or after this moment. */
  readonly endedSinceMs?: number;
  /** Only payments of this run of a file, or of any of these. */
  readonly bulk?: string | readonly string[];
  readonly merchant?: string;
  /** Only payments that have each of these. */
  readonly search?: readonly SearchTerm[];
};

/** What a person looks for. A payment has it if one of its members applies. */
export type SearchTerm = {
  /** Begins a word of the customer's name or of the reference, as `searchWords` gives them; without letters it is the whole word. */
  readonly word?: string;
  readonly lastDigits?: string;
  readonly amount?: Money;
  /** Begins a word of the requester's name. */
  readonly person?: string;
};

/** Newest first. `next` goes into the following call; absent: that was the last page. */
export type PaymentPage = { readonly payments: readonly Payment[]; readonly next?: string };

/** The payments of a state in a currency, and the sum of their amounts. */
export type PaymentTotal = {
  readonly state: PaymentState;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: number;
  /** What of it was given back by hand. @default 0, as in what was stored before 0.16 */
  readonly givenBackMinor?: number;
};

export type PaymentTotals = {
  readonly totals: readonly PaymentTotal[];
  /** `false`: more payments match, or may match, than are counted; these are the newest of them. */
  readonly isWhole: boolean;
};
