import type { BulkRun, BulkTally, RowState } from '../records/bulk.ts';
import type { Put } from '../records/records.ts';

/** A row whose turn it is. */
export type NextRow = {
  readonly id: string;
  /** In minor units, or in parts of SMS. */
  readonly worth: number;
  /** Makes what it asks for, with `alsoPut` in one commit. `not again`: it may be done; false: something changed. */
  readonly make: (alsoPut: readonly Put[]) => Promise<boolean | 'not again'>;
};

/** What a run does with its rows, which are charges or SMS: by its seal all of one kind. */
export interface RowKind {
  /** Undefined: the row is gone, was changed in the store, or is of another kind. */
  next(run: BulkRun): Promise<NextRow | undefined>;
  /** What became of a row; undefined: it is not made yet. */
  stateOf(id: string): Promise<RowState | undefined>;
  /** In these a row waits to be sent, or for the answer to it. */
  readonly unanswered: readonly RowState[];
  /** The tally with rows that were just answered. @default their outcomes come later and change: all are counted together */
  added?(tally: BulkTally, answers: readonly RowState[]): BulkTally;
  /** @default each is added as it is answered */
  count?(run: BulkRun): Promise<BulkTally>;
  /** Whether rows that were answered are still without an outcome. @default the answer is the outcome */
  isOpen?(run: BulkRun): boolean;
  /** Why the last row was not taken, as far as others may read it. */
  lastRefusal?(run: BulkRun): Promise<string | undefined>;
  atEnd?(run: BulkRun, nowMs: number): Promise<readonly Put[]>;
}
