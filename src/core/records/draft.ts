import {
  type Conversation,
  type Person,
  type PressedMessage,
  personOf,
} from '../values/conversation.ts';
import type { Money } from '../values/money.ts';
import type { Due } from './due.ts';
import type { ChargeTerms } from './payment.ts';

/** An SMS as it was shown for confirmation. */
export type SmsTerms = {
  readonly senderId: string;
  readonly text: string;
  /** E.164, without repeats. */
  readonly recipients: readonly string[];
};

/**
 * A charge or an SMS shown for confirmation. It is closed by exactly one press, and kept
 * for a while afterwards so that a later press can be told who pressed first and when.
 */
export type Draft = {
  readonly id: string;
  readonly version: number;
  readonly due?: Due;
  readonly what:
    | {
        readonly kind: 'charge';
        readonly terms: ChargeTerms;
        /** The transaction id the payment will have: one draft can never become two payments. */
        readonly paymentId: string;
        readonly warnings: readonly string[];
        /** Transaction ids of earlier charges like this one that the warnings speak of, newest first. */
        readonly repeats?: readonly string[];
      }
    | { readonly kind: 'sms'; readonly terms: SmsTerms };
  readonly requester: Person;
  readonly conversation: Conversation;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** How often it was shown again with something new: a button of an earlier showing confirms nothing. */
  readonly revision?: number;
  /** `awaiting approval`: the requester confirmed, an approver has to press as well. */
  readonly status: 'open' | 'awaiting approval' | 'done' | 'cancelled' | 'refused' | 'expired';
  /** Where the requester pressed, if an approver has to press as well. */
  readonly question?: PressedMessage;
  /** Where approvers are asked, if it is not where the charge was typed. */
  readonly askedIn?: Conversation;
  /** The requester's limit for one charge, when approvers were asked. */
  readonly limit?: Money;
  /** When the requester pressed, if an approver has to press as well. */
  readonly askedAtMs?: number;
  readonly closedBy?: Person;
  readonly closedAtMs?: number;
  /** Why an approver refused it, in their words. */
  readonly refusal?: string;
  /** The payment or SMS batch that came of it. */
  readonly resultId?: string;
  /** Made each time it is shown; without it no press counts. */
  readonly seal?: string;
};

/** Closed and expired drafts are kept this long, so that a late press gets a true answer. */
export const KEEP_DRAFT_MS = 24 * 3_600_000;

/** What its buttons carry: the draft, as it was last shown. */
export const buttonId = ({ id, revision = 0 }: Draft): string =>
  revision === 0 ? id : `${id}.${revision}`;

/** Where approvers are asked. */
export const approvalPlace = ({ askedIn, conversation }: Draft): Conversation =>
  askedIn ?? conversation;

/** The draft once a press has made something of it. */
export const closedDraft = (
  draft: Draft,
  presser: Person,
  { resultId, atMs }: { resultId: string; atMs: number },
): Draft => ({
  ...draft,
  version: draft.version + 1,
  due: { queue: 'tidy', atMs: atMs + KEEP_DRAFT_MS },
  status: 'done',
  closedBy: personOf(presser),
  closedAtMs: atMs,
  resultId,
});
