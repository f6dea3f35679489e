import type { Money } from '../values/money.ts';
import type { NetworkCode, PaymentOption } from '../values/network.ts';

/** What the service said last, kept word for word for support. */
export type ServiceAnswer = {
  readonly code?: string;
  readonly message?: string;
};

/** What of a charge is sent, exactly as it was shown for confirmation. */
export type SentTerms = {
  readonly amount: Money;
  /** E.164, for example +233244123456; the client writes it as `CUSTOMER_NUMBER_FORMAT` says. */
  readonly customerNumber: string;
  readonly network: NetworkCode;
  readonly option: PaymentOption;
  /** As the payer sees it; the transaction id unless the requester gave one. */
  readonly reference: string;
  /** Who is paid, as the file of the merchants names it; absent: there is one. */
  readonly merchant?: string;
};

/** A request for money; the provider's client adds the merchant's own fields. */
export type PaymentRequest = SentTerms & {
  readonly transactionId: string;
  readonly callbackUrl: string;
  /** One of many in a file: those of people go first. @default false */
  readonly isOfFile?: boolean;
  /** If its turn comes later than this it is not sent at all. @default 20 s from now */
  readonly sendByMs?: number;
  /** Asked when its turn has come, at the last moment; with a reason it is not sent. */
  readonly whyNotToSend?: () => Promise<string | undefined>;
};

/** Certainly never reached the service. */
export type NotSent = { readonly kind: 'notSent'; readonly reason: string };

/** The service said no. `reason` is a sentence for people. */
export type Refusal = {
  readonly kind: 'refused';
  readonly answer: ServiceAnswer;
  readonly reason: string;
  /** It is Paythread's own keys that it does not accept (HTTP 401 or 403). */
  readonly keysRefused?: true;
};

/** 429; `retryAfterMs` absent when the service did not say how long. */
export type RateLimited = {
  readonly kind: 'rateLimited';
  readonly answer: ServiceAnswer;
  readonly retryAfterMs?: number;
};

/** Sent, or possibly sent, and it is not known whether it was received. */
export type Unknown = {
  readonly kind: 'unknown';
  readonly answer: ServiceAnswer;
  readonly reason: string;
};

/** What became of a payment or an SMS that was not accepted. */
export type NotAccepted = NotSent | Refusal | RateLimited | Unknown;

export type PaymentOutcome =
  | { readonly kind: 'accepted'; readonly answer: ServiceAnswer; readonly checkoutUrl?: string }
  | NotAccepted;

/** Why a question got no usable answer. Asking again never does harm. */
export type NoAnswer =
  | RateLimited
  | Refusal
  | { readonly kind: 'noAnswer'; readonly answer: ServiceAnswer; readonly reason: string };

export type LookupOutcome =
  | {
      readonly kind: 'found';
      readonly name: string;
      /** Lower case, `active` or `inactive` as documented, other words as they came. */
      readonly status: string;
      readonly type: string;
      readonly answer: ServiceAnswer;
    }
  /** The service answered, and did not confirm an account. */
  | { readonly kind: 'notFound'; readonly answer: ServiceAnswer }
  | NoAnswer;

/** What the service says of a payment that it knows. */
export type StatusAnswer = {
  readonly kind: 'status';
  /** `unrecognised`: an undocumented word; never settles anything. */
  readonly status: 'pending' | 'completed' | 'failed' | 'unrecognised';
  /** The service's own word, as it came. */
  readonly word: string;
  /** As the service gave it; absent when it gave none. */
  readonly transactionId?: string;
  /** Decimal text as the service gave it, such as `50` or `50.00`; absent when it gave none. */
  readonly amount?: string;
  readonly paymentDate?: string;
  readonly answer: ServiceAnswer;
};

export type StatusOutcome =
  | StatusAnswer
  /** The service answered without a status, for example because it does not know the id (yet). */
  | { readonly kind: 'noStatus'; readonly answer: ServiceAnswer }
  | NoAnswer;

export type SmsOutcome =
  | {
      readonly kind: 'sent';
      readonly messageId: string;
      readonly status: string;
      readonly answer: ServiceAnswer;
    }
  | NotAccepted;

export type BalanceOutcome =
  | {
      readonly kind: 'balances';
      /** As the service gave them: decimal text; absent when it gave none. */
      readonly sms?: string;
      readonly payout?: string;
      readonly collection?: string;
      readonly answer: ServiceAnswer;
    }
  | NoAnswer;

/** Whether a person waits for the answer, or the schedule asks: while both wait, each has half of the rate. */
export type Urgency = 'person' | 'background';

/**
 * The payment service's HTTP API, seen from here: its five operations. None of them throws. `merchant`: whose keys are
 * used; absent where there is one merchant, or no matter which.
 */
export interface Gateway {
  makePayment(request: PaymentRequest): Promise<PaymentOutcome>;
  lookUpAccount(query: {
    number: string;
    network: NetworkCode;
    merchant?: string | undefined;
    /** @default 'person' */
    urgency?: Urgency;
  }): Promise<LookupOutcome>;
  /** Without a merchant, each is asked until one knows the transaction. */
  checkStatus(
    transactionId: string,
    urgency: Urgency,
    merchant?: string | undefined,
  ): Promise<StatusOutcome>;
  sendSms(message: {
    senderId: string;
    text: string;
    recipients: readonly string[];
    uniqueId: string;
    merchant?: string | undefined;
    /** As with payments, both. */
    isOfFile?: boolean;
    sendByMs?: number;
  }): Promise<SmsOutcome>;
  /** @param urgency @default 'person' */
  checkBalance(urgency?: Urgency, merchant?: string): Promise<BalanceOutcome>;
}
