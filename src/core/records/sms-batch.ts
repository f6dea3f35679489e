import type { ServiceAnswer } from '../gateway/gateway.ts';
import type { Conversation, Person } from '../values/conversation.ts';
import type { SmsTerms } from './draft.ts';
import type { Stored } from './due.ts';

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

/** A confirmed SMS, in chunks of recipients. */
export type SmsBatch = Stored & {
  readonly terms: SmsTerms;
  readonly requester: Person;
  readonly conversation: Conversation;
  readonly confirmedAtMs: number;
  /** MAC made by the press that confirmed it; without a valid one nothing is sent. */
  readonly seal?: string;
  readonly chunks: readonly SmsChunk[];
};
