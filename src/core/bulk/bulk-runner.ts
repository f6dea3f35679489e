import type { ChargeFreeze } from '../guards/charge-freeze.ts';
import type { Alerts } from '../notices/alerts.ts';
import { cardOfRun, runChanged, runEnded } from '../notices/bulk-notices.ts';
import { type BulkRun, isSmsRun, isUnsent, type RowState } from '../records/bulk.ts';
import type { Put } from '../records/records.ts';
import type { Seal } from '../records/seals.ts';
import { type Clock, isFromClockAhead } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoints.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import { countEveryMs } from './bulk-runs.ts';
import type { NextRow, RowKind } from './row-kind.ts';
import { noteUnsent } from './unsent-runs.ts';

/** Rows of a run that are sent and not answered at a time: half of the places in which payments are sent. */
const MOST_UNANSWERED = 4;
/** After so many answers in a row that took nothing, a person should look before the rest is asked for. */
const MOST_REFUSALS = 5;
/** What is asked for later than this was confirmed for another time. */
const LONGEST_RUN_MS = 7 * 24 * 3_600_000;
/** While rows wait for what only a person, or the chat platform, can do. */
const WAIT_MS = 30_000;
/** Until the next step, where nothing can be asked right now. */
const STEP_MS = 1_000;
/** Outcomes come within minutes; a customer who has not paid by then rarely does soon. */
const LOOKS: readonly { readonly forMs: number; readonly everyMs: number }[] = [
  { forMs: 600_000, everyMs: 2_000 },
  { forMs: 3_600_000, everyMs: 30_000 },
];
const RARELY_MS = 300_000;

/** Asked before each row. `why`: a sentence; `not known now`: the chat platform cannot tell at the moment. */
export type RunRights = (
  run: BulkRun,
) => Promise<'granted' | 'not known now' | { readonly why: string }>;

type BulkRunnerOptions = {
  readonly store: Store;
  readonly charges: RowKind;
  readonly sms: RowKind;
  readonly freeze: ChargeFreeze;
  readonly alerts: Alerts;
  readonly seal: Seal<BulkRun>;
  readonly rightsOf: RunRights;
  readonly clock: Clock;
  readonly log: Log;
  /** Reserves the next turn of all files together, and returns in how many ms it comes. */
  readonly nextTurn: () => Promise<number>;
  /** After this a row without an outcome is not looked at any more. */
  readonly giveUpMs: number;
};

/**
 * Takes the runs of files on, a step at each call: one row, or a look at what has become of the rows.
 * A step is one commit that names the run's version, so of two processes with the same run one makes it.
 */
export class BulkRunner {
  readonly #options: BulkRunnerOptions;

  constructor(options: BulkRunnerOptions) {
    this.#options = options;
  }

  async serve(run: BulkRun): Promise<void> {
    const nowMs = this.#options.clock.now();
    if (run.endedAtMs !== undefined) return this.#countLate(run, nowMs);
    if (!isUnsent(run)) return this.#look(run, nowMs);
    const halt = await this.#whyHalt(run, nowMs);
    if (halt === 'wait') return this.#later(run, nowMs + WAIT_MS);
    if (halt?.status === 'stopped') return this.#halt(run, nowMs, halt);
    if (run.status === 'paused') return this.#look(run, nowMs);
    if (halt !== undefined) return this.#halt(run, nowMs, halt);
    const card = await cardOfRun(this.#options.store, run);
    if (card === 'waiting') return this.#later(run, nowMs + STEP_MS);
    await (card === undefined
      ? this.#halt(run, nowMs, { status: 'stopped', why: 'I could not post its card.' })
      : this.#askNext(run, nowMs));
  }

  /** Asked before each row: what was right at the press may not be any more. */
  async #whyHalt(run: BulkRun, nowMs: number): Promise<Halt | 'wait' | undefined> {
    const { freeze, seal, rightsOf } = this.#options;
    const { confirmedAtMs } = run;
    if (!seal.isOn(run)) return this.#changed(run);
    const mark = await freeze.mark();
    if (mark !== undefined && confirmedAtMs <= mark.sinceMs)
      return { status: 'stopped', why: RESTORED, isRestored: true };
    // Charges wait until the service was asked about all; an SMS was never sent before its press.
    if (mark !== undefined && mark.liftedAtMs === undefined && !isSmsRun(run)) return 'wait';
    if (nowMs - confirmedAtMs > LONGEST_RUN_MS)
      return { status: 'stopped', why: 'It was confirmed more than 7 days ago.' };
    const rights = await rightsOf(run);
    if (rights === 'granted') return undefined;
    return rights === 'not known now' ? 'wait' : { status: 'paused', ...rights };
  }

  async #askNext(run: BulkRun, nowMs: number): Promise<void> {
    const answered = await this.#withAnswers(run);
    if (answered.refusals >= MOST_REFUSALS)
      return this.#halt(answered, nowMs, await this.#refused(run));
    if (answered.unanswered.length >= MOST_UNANSWERED)
      return this.#goOn(run, await this.#counted(answered, nowMs), nowMs, nowMs + STEP_MS);
    const row = await this.#kindOf(run).next(run);
    if (row === undefined) return this.#halt(answered, nowMs, await this.#changed(run));
    const atMs = nowMs + (await this.#options.nextTurn());
    await this.#makeRow(await this.#counted(answered, nowMs), row, { nowMs, atMs });
  }

  /** Stores what a row asks for and the run that has advanced past it in one commit: neither is ever there without the other. */
  async #makeRow(
    run: BulkRun,
    { id, worth, make }: NextRow,
    { nowMs, atMs }: { readonly nowMs: number; readonly atMs: number },
  ): Promise<void> {
    const advanced: BulkRun = {
      ...run,
      due: { queue: 'bulk', atMs },
      next: run.next + 1,
      askedMinor: run.askedMinor + worth,
    };
    const made = await make(
      await this.#stored(
        { ...advanced, unanswered: [...run.unanswered, id], sentAtMs: nowMs },
        nowMs,
      ),
    );
    if (made === true) failpoint('row-stored', run.id);
    // The second: something else has the same random id.
    else if (made === 'not again' || (await this.#kindOf(run).stateOf(id)) !== undefined)
      await this.#commit({ ...advanced, leftOut: run.leftOut + 1 }, nowMs);
    else await this.#later(run, nowMs);
  }

  #kindOf(run: BulkRun): RowKind {
    return isSmsRun(run) ? this.#options.sms : this.#options.charges;
  }

  /** Nothing is sent now: what has become of the rows is counted, as often as it may have changed. */
  async #look(run: BulkRun, nowMs: number): Promise<void> {
    const counted = await this.#counted(await this.#withAnswers(run), nowMs);
    const sinceMs = run.sentAtMs ?? run.confirmedAtMs;
    // A row that is under way is answered in the end, whatever this clock says.
    const isAnswered = !isUnsent(run) && counted.unanswered.length === 0;
    const isOpen = this.#kindOf(run).isOpen?.(counted) === true;
    const isGivenUp = nowMs - sinceMs > this.#options.giveUpMs;
    if (isAnswered && (!isOpen || isGivenUp)) return this.#end(counted, nowMs, isOpen);
    // It was sent while the clock was ahead: it would be looked at, often, until that time has come.
    const next = isFromClockAhead(sinceMs, nowMs, 0) ? { ...counted, sentAtMs: nowMs } : counted;
    await this.#goOn(run, next, nowMs, nextLookMs(next, nowMs));
  }

  async #goOn(run: BulkRun, next: BulkRun, nowMs: number, atMs: number): Promise<void> {
    await (next === run
      ? this.#later(run, atMs)
      : this.#commit({ ...next, due: { queue: 'bulk', atMs } }, nowMs));
  }

  async #end(run: BulkRun, nowMs: number, isOpen: boolean): Promise<void> {
    const { due: _, ...rest } = run;
    // What settles between the count and this commit finds a run that goes on, so it is counted once more.
    const due = isOpen ? { due: { queue: 'bulk', atMs: nowMs } as const } : {};
    const ended: BulkRun = { ...rest, ...due, endedAtMs: nowMs };
    const notices = await runEnded(this.#options.store, ended, nowMs);
    const atEnd = (await this.#kindOf(run).atEnd?.(run, nowMs)) ?? [];
    await this.#commit(ended, nowMs, [...notices, ...atEnd]);
  }

  /** Rows of a run that has ended were settled since. */
  async #countLate(run: BulkRun, nowMs: number): Promise<void> {
    const { due: _, ...rest } = await this.#counted(run, nowMs);
    await this.#commit(rest, nowMs);
  }

  async #halt(run: BulkRun, nowMs: number, halt: Halt): Promise<void> {
    const { by: _, ...rest } = run;
    this.#options.log.warn({ run: run.id, ...halt }, 'the run of a file halts');
    await this.#goOn(run, { ...rest, ...halt }, nowMs, nowMs);
  }

  /** Refused: a person or another process changed the run. It is due again at once, as it is then. */
  async #commit(next: BulkRun, nowMs: number, notices?: readonly Put[]): Promise<void> {
    const { store } = this.#options;
    const put = await this.#stored(next, nowMs, notices);
    if (!(await store.commit({ put }))) await this.#later(next, nowMs);
  }

  /** Its next version; refused when another one came in between. */
  async #stored(run: BulkRun, nowMs: number, notices?: readonly Put[]): Promise<readonly Put[]> {
    const { store } = this.#options;
    return [
      { kind: 'bulk', record: { ...run, version: run.version + 1 } },
      ...(notices ?? (await runChanged(store, run, nowMs))),
      ...(await noteUnsent(store, run)),
    ];
  }

  #later({ id }: BulkRun, atMs: number): Promise<void> {
    return this.#options.store.release('bulk', id, atMs);
  }

  /** The run without the rows that were answered since the last step. */
  async #withAnswers(run: BulkRun): Promise<BulkRun> {
    const kind = this.#kindOf(run);
    let { refusals } = run;
    const unanswered: string[] = [];
    const answers: RowState[] = [];
    for (const id of run.unanswered) {
      const state = await kind.stateOf(id);
      if (state === undefined || kind.unanswered.includes(state)) unanswered.push(id);
      else {
        answers.push(state);
        refusals = state === 'not sent' || state === 'refused' ? refusals + 1 : 0;
      }
    }
    if (answers.length === 0) return run;
    const tally = kind.added?.(run.tally, answers) ?? run.tally;
    return { ...run, unanswered, refusals, tally };
  }

  /** The run with a new count, where its time has come and the count is another one. */
  async #counted(run: BulkRun, nowMs: number): Promise<BulkRun> {
    const isDue = nowMs >= run.countedAtMs + countEveryMs(run) || !isUnsent(run);
    if (!isDue) return run;
    const tally = (await this.#kindOf(run).count?.(run)) ?? run.tally;
    return JSON.stringify(tally) === JSON.stringify(run.tally)
      ? run
      : { ...run, tally, countedAtMs: nowMs };
  }

  async #changed({ id }: BulkRun): Promise<Halt> {
    await this.#options.alerts.raise(`seal.${id}`, { kind: 'seal broken', paymentId: id });
    return { status: 'stopped', why: 'What is stored is not what was confirmed.' };
  }

  async #refused(run: BulkRun): Promise<Halt> {
    const reason = await this.#kindOf(run).lastRefusal?.(run);
    const why = isSmsRun(run)
      ? `${MOST_REFUSALS} SMS in a row could not be sent.`
      : `${MOST_REFUSALS} customers in a row could not be asked.`;
    return { status: 'paused', why: reason === undefined ? why : `${why} ${reason}` };
  }
}

type Halt = Pick<BulkRun, 'status' | 'isRestored'> & Required<Pick<BulkRun, 'why'>>;

const RESTORED = 'Paythread was restored from a backup. The rest may have been sent already.';

/** When to look again at a run that asks for nothing now. */
const nextLookMs = (run: BulkRun, nowMs: number): number => {
  const sinceMs = nowMs - (run.sentAtMs ?? run.confirmedAtMs);
  const everyMs = LOOKS.find(({ forMs }) => sinceMs < forMs)?.everyMs ?? RARELY_MS;
  return nowMs + Math.max(everyMs, countEveryMs(run));
};
