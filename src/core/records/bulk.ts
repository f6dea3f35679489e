import type { CalendarDay } from '../values/calendar-day.ts';
import type { Conversation, MessageRef, Person } from '../values/conversation.ts';
import type { Money } from '../values/money.ts';
import { shortIdFrom } from '../values/transaction-id.ts';
import type { Stored } from './due.ts';
import type { ChargeTerms, PaymentState } from './payment.ts';
import type { SmsChunk } from './sms-batch.ts';

/** A charge of a file. `id` is the transaction id it will have, made with the dry run. */
export type BulkCharge = {
  /** As the file numbers its rows. */
  readonly row: number;
  readonly id: string;
  readonly terms: ChargeTerms;
  /** The payment that it is another try of. */
  readonly retryOf?: string;
  /** Transaction ids of earlier charges like it that the dry run named. */
  readonly repeats?: readonly string[];
  /** As with a payment: its requester never saw the whole number. */
  readonly maskedFrom?: string;
};

/** An SMS of a file. `id` is the one of its batch, made with the dry run. */
export type BulkSms = {
  readonly row: number;
  readonly id: string;
  /** E.164. */
  readonly recipient: string;
  readonly text: string;
  /** The payment that it reminds of. */
  readonly remindsOf?: string;
  /** As with a charge. */
  readonly maskedFrom?: string;
};

export type BulkRow = BulkCharge | BulkSms;

export const isCharge = (row: BulkRow): row is BulkCharge => 'terms' in row;
export const isSms = (row: BulkRow): row is BulkSms => !isCharge(row);

/** Rows on one page: a commit of a page stays small, and a run of 10,000 rows has 200 of them. */
export const ROWS_PER_PAGE = 50;

/** Some rows of a file, in its order. They never change, and are removed a day after the run's end. */
export type BulkPage = Stored & {
  /** The draft that showed them. */
  readonly of: string;
  /** The run that they would belong to. */
  readonly run: string;
  readonly rows: readonly BulkRow[];
  /** Its run has ended; it is kept for rows that were never asked for. */
  readonly isOver?: true;
};

export const pageId = (draftId: string, page: number): string => `${draftId}.${page}`;

type FileTerms = {
  /** Hex. Of another try: that of the run that it goes back to. */
  readonly sha256: string;
  readonly fileName: string;
  readonly rows: number;
  /** SHA-256 of each page of rows, in order. */
  readonly pages: readonly string[];
  /** As with a charge. */
  readonly merchant?: string;
  /** How long it takes to send them all. */
  readonly lastsMs: number;
};

/** What a dry run showed and a press confirms: exactly this file and this total. */
export type ChargeFileTerms = FileTerms & {
  readonly total: Money;
  /** The run whose rows without success these are. */
  readonly again?: string;
  /** All rows of a run once more, for the month that begins on that day; `of`: the run of the file itself. */
  readonly round?: { readonly of: string; readonly month: CalendarDay };
};

export type SmsFileTerms = FileTerms & {
  readonly template: string;
  /** Of the template, with its fields. */
  readonly text: string;
  readonly senderId: string;
  /** How many SMS all rows cost together. */
  readonly parts: number;
  /** The run whose customers are reminded, and the day's first moment: each has one reminder a day. `after`: the run of SMS before. */
  readonly reminds?: { readonly run: string; readonly dayMs: number; readonly after?: string };
};

export type BulkTerms = ChargeFileTerms | SmsFileTerms;

export const isOfSms = (terms: BulkTerms): terms is SmsFileTerms => 'template' in terms;

/** The command that such files are for: a right of its own, and what the verbs of its buttons begin with. */
export const commandOf = (terms: BulkTerms): 'bulk' | 'sms' => (isOfSms(terms) ? 'sms' : 'bulk');

export type RowState = PaymentState | SmsChunk['state'];

/** How many rows of a run are in a state, and the sum of those that are payments. */
export type BulkTally = Readonly<
  Partial<Record<RowState, { readonly count: number; readonly amountMinor?: number }>>
>;

/**
 * A confirmed file. `id` follows from the file's hash, so that a file has one run for ever. Each commit that makes the
 * payment or SMS of a row moves `next` on, so that no row gets two, whatever crashes.
 */
export type BulkRun<Terms extends BulkTerms = BulkTerms> = Stored & {
  /** The draft whose pages have the rows. */
  readonly draftId: string;
  readonly terms: Terms;
  readonly requester: Person;
  readonly approver?: Person;
  /** Where the approver pressed. */
  readonly approvedIn?: Conversation;
  readonly conversation: Conversation;
  readonly countedFor?: string;
  readonly confirmedAtMs: number;
  /** MAC made by the press that confirmed it; without a valid one nothing is charged or sent. */
  readonly seal?: string;
  /** The message that tells the progress, where the pressed question becomes it. */
  readonly card?: MessageRef;
  /** `stopped`: its rest is never sent. */
  readonly status: 'running' | 'paused' | 'stopped';
  /** Why it is paused or stopped, as a sentence. */
  readonly why?: string;
  /** Who paused or stopped it; absent: Paythread itself did. */
  readonly by?: Person;
  /** It may have gone on before a restore, so that its rest may have been sent. */
  readonly isRestored?: true;
  /** Rows that have been dealt with, from the first on. */
  readonly next: number;
  /** What those are worth: in minor units, or in parts of SMS. */
  readonly askedMinor: number;
  /** Of those, rows that got no payment: what they are another try of may have been paid since. */
  readonly leftOut: number;
  /** Rows that were sent last and have not been answered yet, as far as is known. */
  readonly unanswered: readonly string[];
  /** How many of the last answers in a row took nothing. */
  readonly refusals: number;
  /** When the last row was sent; of a clock that was ahead then, when that was seen. */
  readonly sentAtMs?: number;
  /** What has become of its rows, as counted at `countedAtMs`. */
  readonly tally: BulkTally;
  readonly countedAtMs: number;
  /** Nothing more is sent, and each row has its outcome. */
  readonly endedAtMs?: number;
  /** The run that asks for its rows without success once more. */
  readonly againAs?: string;
};

export type ChargeRun = BulkRun<ChargeFileTerms>;
export type SmsRun = BulkRun<SmsFileTerms>;

export const isSmsRun = (run: BulkRun): run is SmsRun => isOfSms(run.terms);
export const isChargeRun = (run: BulkRun): run is ChargeRun => !isOfSms(run.terms);

/** Whether rows are still to be sent. A run that is paused may be resumed. */
export const isUnsent = ({ status, next, terms }: BulkRun): boolean =>
  status !== 'stopped' && next < terms.rows;

/** Whether rows have no payment in this run, so that its pages alone know them. */
export const hasUnasked = (run: BulkRun): boolean =>
  !isSmsRun(run) && (run.next < run.terms.rows || run.leftOut > 0);

/** Whether those may be asked for yet. After a restore they may have been asked for all the same. */
export const hasRest = (run: BulkRun): boolean => run.isRestored !== true && hasUnasked(run);

/** What rows are worth that are still to be sent: in minor units, or in parts of SMS. */
export const unsentIn = (runs: readonly BulkRun[]): number =>
  runs
    .filter(isUnsent)
    .reduce((sum, { terms, askedMinor }) => sum + worthOf(terms) - askedMinor, 0);

const worthOf = (terms: BulkTerms): number =>
  isOfSms(terms) ? terms.parts : terms.total.amountMinor;

export const countIn = ({ tally }: BulkRun, states: readonly RowState[]): number =>
  states.reduce((sum, state) => sum + (tally[state]?.count ?? 0), 0);

/** What makes two files the same. */
export type FileKey =
  | Pick<ChargeFileTerms, 'sha256' | 'merchant' | 'again' | 'round'>
  | Pick<SmsFileTerms, 'sha256' | 'merchant' | 'text' | 'template' | 'reminds'>;

/**
 * A file has one run for a merchant, with each text of SMS and each month one more, and a run has one that asks for its rest,
 * and each day some, one after the other, that remind of it.
 */
export const bulkRunId = (terms: FileKey): string => shortIdFrom(keyOf(terms));

const keyOf = (terms: FileKey): string => {
  const whose = terms.merchant === undefined ? '' : `${terms.merchant}/`;
  if ('template' in terms) {
    const { sha256, text, reminds } = terms;
    return reminds === undefined
      ? `${whose}sms ${sha256} ${text}`
      : `remind ${reminds.after ?? reminds.run} ${reminds.dayMs}`;
  }
  const { sha256, again, round } = terms;
  if (again !== undefined) return `again ${again}`;
  return round === undefined ? `${whose}file ${sha256}` : `round ${round.of} ${round.month}`;
};

export const bulkNoticeId = (runId: string, of: 'card' | 'edit' | 'end'): string =>
  `${runId}.bulk-${of}`;
