import {
  type Conversation,
  type Person,
  type PressedMessage,
  personOf,
} from '../values/conversation.ts';
import type { Money } from '../values/money.ts';
import type { ChargeFileTerms, SmsFileTerms } from './bulk.ts';
import type { Stored } from './due.ts';
import type { ChargeTerms } from './payment.ts';
import type { SmsTerms } from './sms-batch.ts';

type Shown = Stored & {
  readonly requester: Person;
  readonly conversation: Conversation;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** `awaiting approval`: the requester confirmed a charge, an approver has to press as well. */
  readonly status:
    | 'open'
    | 'awaiting approval'
    | 'done'
    | 'cancelled'
    /** Its requester filled the form in again. */
    | 'changed'
    | 'refused'
    | 'expired';
  readonly closedBy?: Person;
  readonly closedAtMs?: number;
  /** The payment or SMS batch that came of it. */
  readonly resultId?: string;
  /** MAC over what was shown, made each time it is shown; a draft without a valid one cannot be confirmed. */
  readonly seal?: string;
};

type Approvable = {
  /** Of its last showing, counted from when it was made: a button of an earlier one, or of one made before, confirms nothing. @default 0 */
  readonly revision?: number;
  /** Where the requester pressed, if an approver has to press as well. */
  readonly question?: PressedMessage;
  /** Where approvers are asked, if it is not where the charge was typed; before 0.14 one conversation. */
  readonly askedIn?: Conversation | readonly Conversation[];
  /** The approvers who were asked, as far as the platform names them. */
  readonly approvers?: readonly Person[];
  /** The requester's limit for one charge, when approvers were asked. */
  readonly limit?: Money;
  /** What was given back before without an approval: it counts against the limit with what is asked. */
  readonly givenBefore?: Money;
  /** When the requester pressed, if an approver has to press as well. */
  readonly askedAtMs?: number;
  /** Why an approver refused it, in their words. */
  readonly refusal?: string;
};

export type ChargeDraft = Shown &
  Approvable & {
    readonly kind: 'charge';
    readonly terms: ChargeTerms;
    /** The transaction id the payment will have: one draft can never become two payments. */
    readonly paymentId: string;
    readonly warnings: readonly string[];
    /** Transaction ids of earlier charges like this one that the warnings speak of, newest first. */
    readonly repeats?: readonly string[];
    /** The payment that this one is another try of. */
    readonly retryOf?: string;
    /** The payment of a colleague that the customer was taken from: the requester sees them masked. */
    readonly maskedFrom?: string;
  };

/** That money of a payment was given back; its terms are those of the payment, with what was given back as the amount. */
export type GivenBackDraft = Shown &
  Approvable &
  Pick<ChargeDraft, 'terms' | 'paymentId' | 'warnings'> & {
    readonly kind: 'given back';
    readonly reason?: string;
  };

/** What the dry run of a file says beside what it would do. */
type OfFile = {
  readonly warnings: readonly string[];
  /** Lines about single rows that may name a customer: for the requester alone, and in no audit row. */
  readonly notes: readonly string[];
  /** What became of each line of the file, as a sum. */
  readonly lines?: string;
  /** Present until the requester has said that numbers without their leading 0 are read right. Some of them are shown. */
  readonly zeroAsked?: { readonly count: number; readonly numbers?: readonly string[] };
  /** Rows that may repeat what was charged or sent before: how many, and what that was in words. */
  readonly repeated?: { readonly rows: number; readonly warnings: readonly string[] };
};

export type BulkDraft = Shown &
  Approvable &
  OfFile & { readonly kind: 'bulk'; readonly terms: ChargeFileTerms };

export type SmsDraft = Shown &
  Pick<Approvable, 'revision'> & {
    readonly kind: 'sms';
    readonly terms: SmsTerms;
    /** How many of its recipients got the same text that day, or will from a file. */
    readonly repeats?: number;
  };

export type SmsFileDraft = Shown &
  OfFile &
  Pick<Approvable, 'revision'> & { readonly kind: 'sms file'; readonly terms: SmsFileTerms };

export type FileDraft = BulkDraft | SmsFileDraft;

/**
 * A charge or an SMS shown for confirmation. Exactly one press closes it. A closed draft is kept for
 * `KEEP_DRAFT_MS`, so that a later press can be told who pressed first and when.
 */
export type Draft = ChargeDraft | GivenBackDraft | FileDraft | SmsDraft;

export type ApprovableDraft = ChargeDraft | GivenBackDraft | BulkDraft;

export const isApprovable = (draft: Draft): draft is ApprovableDraft =>
  draft.kind === 'charge' || draft.kind === 'given back' || draft.kind === 'bulk';

export const isOfFile = (draft: Draft): draft is FileDraft =>
  draft.kind === 'bulk' || draft.kind === 'sms file';

export type DraftOf<K extends Draft['kind']> = Extract<Draft, { readonly kind: K }>;

/** What is asked in a draft; the rest of it says how far it is. */
export type DraftContent<K extends Draft['kind']> = Omit<
  DraftOf<K>,
  keyof Shown | keyof Approvable
> & { readonly kind: K };

export type FileContent = DraftContent<'bulk'> | DraftContent<'sms file'>;

/** What is approved: an amount, or the total of a file. */
export const amountAsked = (draft: ApprovableDraft): Money =>
  draft.kind === 'bulk' ? draft.terms.total : draft.terms.amount;

export const warningsIn = ({
  repeated,
  warnings,
}: Pick<OfFile, 'repeated' | 'warnings'>): readonly string[] => [
  ...(repeated?.warnings ?? []),
  ...warnings,
];

/** Closed and expired drafts are kept this long, so that a late press gets a true answer. */
export const KEEP_DRAFT_MS = 24 * 3_600_000;

/** The id under which the audit trail tells its story: that of its payment, if there is or will be one. */
export const auditIdOf = (draft: Draft): string =>
  'paymentId' in draft ? draft.paymentId : draft.id;

/** What its buttons carry: the draft, as it was last shown. */
export const buttonId = ({ id, revision = 0 }: Draft): string =>
  revision === 0 ? id : `${id}.${revision}`;

export const readButtonId = (pressed: string): { id: string; revision: number } => {
  const [id = '', revision = '0'] = pressed.split('.');
  return { id, revision: Number(revision) };
};

/** Where approvers are asked: in one conversation, or each of them in private. */
export const approvalPlaces = ({
  askedIn,
  conversation,
}: Pick<ApprovableDraft, 'askedIn' | 'conversation'>): readonly Conversation[] =>
  [askedIn ?? conversation].flat();

/** The draft once it has ended; `by` and `resultId` where a press ended it and made something of it. */
export const endedDraft = <D extends Draft>(
  draft: D,
  end: { status: Draft['status']; by?: Person | undefined; atMs: number; resultId?: string },
): D => ({
  ...draft,
  version: draft.version + 1,
  due: { queue: 'tidy', atMs: end.atMs + KEEP_DRAFT_MS },
  status: end.status,
  ...(end.by === undefined ? {} : { closedBy: personOf(end.by) }),
  closedAtMs: end.atMs,
  ...(end.resultId === undefined ? {} : { resultId: end.resultId }),
});
