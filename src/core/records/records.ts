import type { Conversation, MessageRef, Person } from '../values/conversation.ts';
import type { BulkPage, BulkRun } from './bulk.ts';
import type { Draft } from './draft.ts';
import type { Stored } from './due.ts';
import type { Notice } from './notice.ts';
import type { Payment } from './payment.ts';
import type { SmsBatch } from './sms-batch.ts';

/** Answers half given in a step-by-step form; `id` is the seat (conversation and person). */
export type FormAnswers = Stored & {
  /** A short id for button data: a button of an older form is recognised by it. */
  readonly session: string;
  readonly command: string;
  readonly answers: Readonly<Record<string, string>>;
  /** Names of the fields answered or skipped so far, in order; Back takes the last one away. */
  readonly done: readonly string[];
  /** The name of a field that the person picked to answer again. */
  readonly picked?: string;
  /** Why an answer that was typed will not do, by field name: the field is asked again. */
  readonly problems?: Readonly<Record<string, string>>;
  /** Shown beside the questions, by field name. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Answers to pick instead of typing one, by field name. */
  readonly suggestions?: Readonly<Record<string, SuggestedAnswers>>;
  /** The message with the open question, where it can be changed. */
  readonly question?: MessageRef;
  readonly conversation: Conversation;
  readonly person: Person;
};

export type SuggestedAnswers = {
  /** Above the list in a modal, such as `Or a recent customer`. */
  readonly label: string;
  /** On the button for an answer of one's own, such as `Another number`; absent: there is none. */
  readonly other?: string;
  /** Where answers are picked by number, these get none, because typed digits are an answer of one's own. */
  readonly unnumbered?: true;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
};

/** A settled payment that is checked again for a day: the service may contradict itself. `id` is the payment's. */
export type Watch = Stored & {
  /** Checks since it settled. */
  readonly looks: number;
};

/** A value the program keeps for itself, such as the callback secret. */
export type Setting = Stored & { readonly value: string };

export type Records = {
  payment: Payment;
  draft: Draft;
  sms: SmsBatch;
  bulk: BulkRun;
  rows: BulkPage;
  notice: Notice;
  form: FormAnswers;
  setting: Setting;
  watch: Watch;
};
export type Kind = keyof Records;

/** A record to store. Its `version` must be the stored one plus 1, or 1 for a new record. */
export type Put = { [K in Kind]: { readonly kind: K; readonly record: Records[K] } }[Kind];

/** Of a record that is known to be of that kind, which the compiler cannot follow. */
export const putOf = (kind: string, record: unknown): Put => ({ kind, record }) as Put;

/** A record to remove, if it still has this version. Removing a payment throws. */
export type Removal = { readonly kind: Kind; readonly id: string; readonly version: number };

/** The press that confirms a draft. */
export type ConfirmingPress = {
  /** The button's verb. */
  readonly button: string;
  /** Where it was pressed. @default where a charge was typed */
  readonly where: Conversation;
  /** The question that becomes the card; absent: one is posted before the first request goes out. */
  readonly card?: MessageRef;
  /** Records that must not have changed meanwhile, each with its next version. */
  readonly guards: readonly Put[];
  /** The role whose daily total it counts against. */
  readonly countedFor?: string | undefined;
};

/**
 * Who did what to which record; never removed. The draft of a charge is recorded under the id of its payment, so
 * that one id leads to the whole story, also when it was never confirmed.
 */
export type AuditRow = {
  readonly atMs: number;
  readonly kind: Kind;
  readonly id: string;
  /** What happened, such as `confirmed`, `accepted`, `callback`. */
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
  /** A payment's version after it: 1, 2, 3 and so on without a gap. Absent in rows of other records. */
  readonly version?: number;
  /** The flag that a payment has after it. */
  readonly flag?: NonNullable<Payment['flag']>;
  /** The person who did it; absent when Paythread itself did. */
  readonly who?: Person;
  readonly where?: Conversation;
  /** The verb of the button that was pressed. */
  readonly button?: string;
  /** Raw material, such as a callback's body or the service's code and message. */
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Stored whole or not at all. Naming a record twice throws. */
export type Change = {
  readonly put?: readonly Put[];
  readonly remove?: readonly Removal[];
  readonly audit?: readonly AuditRow[];
};
