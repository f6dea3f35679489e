import type { Conversation, MessageRef, Person } from '../values/conversation.ts';
import type { Money } from '../values/money.ts';
import { shortIdFrom } from '../values/transaction-id.ts';
import type { Stored } from './due.ts';
import type { ChargeTerms, PaymentState } from './payment.ts';

/** A charge of a file. `id` is the transaction id it will have, made with the dry run. */
export type BulkCharge = {
  /** As the file numbers its rows. */
  readonly row: number;
  readonly id: string;
  readonly terms: ChargeTerms;
  /** The payment that it is another try of. */
  readonly retryOf?: string;
};

/** Rows on one page: a commit of a page stays small, and a run of 10,000 rows has 200 of them. */
export const ROWS_PER_PAGE = 50;

/** Some rows of a file, in its order. They never change, and are removed a day after the run's end. */
export type BulkPage = Stored & {
  /** The draft that showed them. */
  readonly of: string;
  /** The run that they would belong to. */
  readonly run: string;
  readonly rows: readonly BulkCharge[];
};

export const pageId = (draftId: string, page: number): string => `${draftId}.${page}`;

/** What a dry run showed and a press confirms: exactly this file and this total. */
export type BulkTerms = {
  /** Hex. Of another try: that of the run that it goes back to. */
  readonly sha256: string;
  readonly fileName: string;
  readonly rows: number;
  readonly total: Money;
  /** SHA-256 of each page of rows, in order. */
  readonly pages: readonly string[];
  /** As with a charge. */
  readonly merchant?: string;
  /** How long it takes to ask for them all. */
  readonly lastsMs: number;
  /** The run whose rows without success these are. */
  readonly again?: string;
};

/** How many payments of a run are in a state, and their sum. */
export type BulkTally = Readonly<
  Partial<Record<PaymentState, { readonly count: number; readonly amountMinor: number }>>
>;

/**
 * A confirmed file. `id` follows from the file's hash, so that a file has one run for ever. Each commit that makes the
 * payment of a row moves `next` on, so that no row gets two, whatever crashes.
 */
export type BulkRun = Stored & {
  /** The draft whose pages have the rows. */
  readonly draftId: string;
  readonly terms: BulkTerms;
  readonly requester: Person;
  readonly approver?: Person;
  readonly conversation: Conversation;
  readonly countedFor?: string;
  readonly confirmedAtMs: number;
  /** MAC made by the press that confirmed it; without a valid one nothing is charged. */
  readonly seal?: string;
  /** The message that tells the progress, where the pressed question becomes it. */
  readonly card?: MessageRef;
  /** `stopped`: its rest is never asked for. */
  readonly status: 'running' | 'paused' | 'stopped';
  /** Why it is paused or stopped, as a sentence. */
  readonly why?: string;
  /** Who paused or stopped it; absent: Paythread itself did. */
  readonly by?: Person;
  /** It may have gone on before a restore, so that its rest may have been charged. */
  readonly isRestored?: true;
  /** Rows that have been dealt with, from the first on. */
  readonly next: number;
  /** What those are worth, in minor units. */
  readonly askedMinor: number;
  /** Of those, rows that got no payment: what they are another try of may have been paid since. */
  readonly leftOut: number;
  /** Payments that were made last and have not been answered yet, as far as is known. */
  readonly unanswered: readonly string[];
  /** How many of the last answers in a row took nothing. */
  readonly refusals: number;
  /** When the last payment was made. */
  readonly sentAtMs?: number;
  /** What has become of its payments, as counted at `countedAtMs`. */
  readonly tally: BulkTally;
  readonly countedAtMs: number;
  /** Nothing more is asked, and each payment has its outcome. */
  readonly endedAtMs?: number;
  /** The run that asks for its rows without success once more. */
  readonly againAs?: string;
};

/** Whether payments are still to be made. A run that is paused may be resumed. */
export const isUnsent = ({ status, next, terms }: BulkRun): boolean =>
  status !== 'stopped' && next < terms.rows;

/** What may still be asked for. */
export const unsentMoney = (run: BulkRun): Money => ({
  currency: run.terms.total.currency,
  amountMinor: isUnsent(run) ? run.terms.total.amountMinor - run.askedMinor : 0,
});

/** How many payments are in one of these states. */
export const countIn = ({ tally }: BulkRun, states: readonly PaymentState[]): number =>
  states.reduce((sum, state) => sum + (tally[state]?.count ?? 0), 0);

/** A file has one run, and a run has one that asks for its rest. */
export const bulkRunId = ({ sha256, again }: Pick<BulkTerms, 'sha256' | 'again'>): string =>
  shortIdFrom(again === undefined ? `file ${sha256}` : `again ${again}`);

/** The ids of the notices of a run. */
export const bulkNoticeId = (runId: string, of: 'card' | 'edit' | 'end'): string =>
  `${runId}.bulk-${of}`;
