import type { ServiceAnswer } from '../gateway/gateway.ts';
import type { Conversation, Person } from '../values/conversation.ts';
import type { Stored } from './due.ts';
import type { TextKind } from './payment.ts';

export type SmsTerms = {
  readonly senderId: string;
  readonly text: string;
  /** E.164, without repeats. */
  readonly recipients: readonly string[];
  /** As with a charge. */
  readonly merchant?: string;
};

/** One `send_sms` request. There is no status check for SMS, so `unknown` stays unknown. */
export type SmsChunk = {
  readonly uniqueId: string;
  readonly recipients: readonly string[];
  readonly state: 'waiting' | 'sending' | 'sent' | 'refused' | 'not sent' | 'unknown';
  readonly messageId?: string;
  readonly answer?: ServiceAnswer;
  /** The service's own word for the message, such as `sent`. */
  readonly status?: string;
  readonly reason?: string;
  readonly rateLimits: number;
};

/** The payment that an SMS tells its customer of. */
export type SmsSubject = {
  readonly paymentId: string;
  readonly of: TextKind;
  /** No person pressed for it. */
  readonly automatic?: true;
};

/** A confirmed SMS, in chunks of recipients. */
export type SmsBatch = Stored & {
  readonly terms: SmsTerms;
  readonly requester: Person;
  readonly conversation: Conversation;
  readonly confirmedAtMs: number;
  /** MAC made by the press that confirmed it; without a valid one nothing is sent. */
  readonly seal?: string;
  readonly chunks: readonly SmsChunk[];
  readonly about?: SmsSubject;
  /** The row of a file that it is; it is told by the card of the run. */
  readonly bulk?: { readonly run: string; readonly row: number };
};

/** What became of an SMS so far, in recipients. `left`: not tried yet, or on its way. */
export type SmsTally = Readonly<Record<'all' | 'accepted' | 'unclear' | 'unsent' | 'left', number>>;

export const smsTally = ({ chunks, terms }: Pick<SmsBatch, 'chunks' | 'terms'>): SmsTally => {
  const count = (...states: SmsChunk['state'][]): number =>
    chunks
      .filter(({ state }) => states.includes(state))
      .reduce((sum, { recipients }) => sum + recipients.length, 0);
  return {
    all: terms.recipients.length,
    accepted: count('sent'),
    unclear: count('unknown'),
    unsent: count('refused', 'not sent'),
    left: count('waiting', 'sending'),
  };
};

/** Whether certainly no recipient got it, so that another one may take its place. */
export const isUnsent = (batch: SmsBatch): boolean => {
  const { all, unsent } = smsTally(batch);
  return unsent === all;
};
