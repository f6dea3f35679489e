import { approvalEnded } from '../notices/approval-notices.ts';
import { runBegun, runChanged } from '../notices/bulk-notices.ts';
import { fileDetail } from '../payments/draft-audit.ts';
import { type BulkRun, bulkRunId, type FileKey, isOfSms, isUnsent } from '../records/bulk.ts';
import { endedDraft, type FileDraft } from '../records/draft.ts';
import { mayBeOneMerchant } from '../records/merchants.ts';
import type { Payment } from '../records/payment.ts';
import type { AuditRow, ConfirmingPress, Put } from '../records/records.ts';
import type { Seal } from '../records/seals.ts';
import { newestRunOf } from '../records/stored-values.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { failpoint } from '../runtime/failpoints.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import { type Person, personOf } from '../values/conversation.ts';
import { noteUnsent } from './unsent-runs.ts';

/** The payments of a file are found by its name for a year. */
const KEEP_NAME_MS = 366 * 24 * 3_600_000;
/** A longer chain of runs is a mistake. */
const MOST_RUNS = 50;

type BulkRunsNeeds = { readonly store: Store; readonly clock: Clock; readonly seal: Seal<BulkRun> };

/** What people do with the run of a file: they confirm it, pause it, and stop what is not asked for yet. */
export class BulkRuns {
  readonly #needs: BulkRunsNeeds;

  constructor(needs: BulkRunsNeeds) {
    this.#needs = needs;
  }

  get(id: string): Promise<BulkRun | undefined> {
    return this.#needs.store.get('bulk', id);
  }

  /**
   * Turns a draft into a run; no money moves yet. Undefined: another press closed the draft first, the file (or the
   * rest of a run) has a run already, or one of the press's guards has changed.
   */
  async confirm(
    draft: FileDraft,
    presser: Person,
    press: ConfirmingPress,
  ): Promise<BulkRun | undefined> {
    const { store, clock } = this.#needs;
    const nowMs = clock.now();
    const run = this.#runOf(draft, presser, press, nowMs);
    const first = await this.#firstOf(run);
    if (first === 'not again') return undefined;
    const detail = { draft: draft.id, ...fileDetail(draft) };
    const end = { status: 'done', by: presser, atMs: nowMs, resultId: run.id } as const;
    const stored = await store.commit({
      put: [
        { kind: 'draft', record: endedDraft(draft, end) },
        { kind: 'bulk', record: run },
        runBegun(run, nowMs),
        ...(draft.kind === 'bulk' && draft.status === 'awaiting approval'
          ? approvalEnded(draft, nowMs, { becomesCard: press.card !== undefined })
          : []),
        ...press.guards,
        ...(await noteUnsent(store, run)),
        ...(await this.#namedAs(run)),
        ...first,
      ],
      audit: [auditRow(run, nowMs, 'confirmed', presser, press, detail)],
    });
    if (!stored) return undefined;
    failpoint('bulk-confirmed', run.id);
    return run;
  }

  /** The run that now has this status, or as it is when it cannot have it any more; undefined: there is none. */
  change(
    id: string,
    to: BulkRun['status'],
    by: Person,
    press: Pick<ConfirmingPress, 'button' | 'where'>,
  ): Promise<{ readonly run: BulkRun; readonly changed: boolean } | undefined> {
    const { store, clock } = this.#needs;
    return untilStored(`run ${id}`, async () => {
      const before = await this.get(id);
      if (before === undefined) return undefined;
      // What is stopped or has asked for everything stays so.
      if (before.status === to || !isUnsent(before)) return { run: before, changed: false };
      const nowMs = clock.now();
      const { why: _, by: __, ...rest } = before;
      const run: BulkRun = {
        ...rest,
        version: before.version + 1,
        due: { queue: 'bulk', atMs: nowMs },
        status: to,
        ...(to === 'running' ? {} : { by: personOf(by) }),
        refusals: 0,
      };
      const stored = await store.commit({
        put: [
          { kind: 'bulk', record: run },
          ...(await runChanged(store, run, nowMs)),
          ...(await noteUnsent(store, run)),
        ],
        audit: [auditRow(run, nowMs, to, by, press, { next: run.next }, before)],
      });
      return stored ? { run, changed: true } : STALE;
    });
  }

  #runOf(
    draft: FileDraft,
    presser: Person,
    { where, card, countedFor }: ConfirmingPress,
    nowMs: number,
  ): BulkRun {
    const { id: draftId, terms, requester, conversation } = draft;
    const approved =
      draft.status === 'awaiting approval'
        ? { approver: personOf(presser), approvedIn: where }
        : {};
    return this.#needs.seal.sealed<BulkRun>({
      id: bulkRunId(terms),
      version: 1,
      due: { queue: 'bulk', atMs: nowMs },
      draftId,
      terms,
      requester,
      conversation,
      ...approved,
      ...defined({ countedFor, card }),
      confirmedAtMs: nowMs,
      status: 'running',
      next: 0,
      askedMinor: 0,
      leftOut: 0,
      unanswered: [],
      refusals: 0,
      tally: {},
      countedAtMs: nowMs,
    });
  }

  /** A run and those that tried its rest again, in order; none: empty. */
  async triesOf(id: string | undefined): Promise<readonly BulkRun[]> {
    const runs: BulkRun[] = [];
    let next = id;
    while (next !== undefined && runs.length < MOST_RUNS) {
      const run: BulkRun | undefined = await this.get(next);
      if (run !== undefined) runs.push(run);
      next = run?.againAs;
    }
    return runs;
  }

  /** The run whose rows without success it asks for once more, however often that was done; else itself. */
  async firstTryOf(id: string): Promise<string> {
    const run = await this.get(id);
    const before = run === undefined || isOfSms(run.terms) ? undefined : run.terms.again;
    return before === undefined ? id : this.firstTryOf(before);
  }

  /** The last run that the file had for its merchant. Before 0.16 the files of all merchants had one key, and are found by it. */
  async ofSame(key: FileKey): Promise<BulkRun | undefined> {
    const { merchant, ...older } = key;
    for (const id of [bulkRunId(key), bulkRunId(older)]) {
      const run = (await this.triesOf(id)).at(-1);
      if (run !== undefined && mayBeOneMerchant(run.terms.merchant, merchant)) return run;
    }
    return undefined;
  }

  /** The same of the newest run of charges of a file with this name. @param merchant whose file; undefined: of any. */
  async ofFile(fileName: string, merchant: string | undefined): Promise<readonly BulkRun[]> {
    const named = newestRunOf(fileName, merchant);
    return this.triesOf(await named.in(this.#needs.store));
  }

  /** Notes under which name its payments are found; those of another try are found by the first one. */
  async #namedAs({ id, terms, confirmedAtMs }: BulkRun): Promise<Put[]> {
    if (isOfSms(terms) || terms.again !== undefined) return [];
    const { fileName, merchant } = terms;
    const due = { queue: 'tidy', atMs: confirmedAtMs + KEEP_NAME_MS } as const;
    const merchants = [...new Set([undefined, merchant])];
    return Promise.all(
      merchants.map(async (of) => {
        const named = newestRunOf(fileName, of);
        return named.put(id, await this.#needs.store.get('setting', named.id), due);
      }),
    );
  }

  /** The run that this one goes back to, which from now on names it. */
  async #firstOf({ id, terms }: BulkRun): Promise<Put[] | 'not again'> {
    if (isOfSms(terms) || terms.again === undefined) return [];
    const first = await this.get(terms.again);
    if (first === undefined || first.againAs !== undefined || first.endedAtMs === undefined)
      return 'not again';
    return [{ kind: 'bulk', record: { ...first, version: first.version + 1, againAs: id } }];
  }
}

/** Counting reads every payment of the run: a millisecond for each keeps it below a hundredth of the time. */
export const countEveryMs = ({ next }: Pick<BulkRun, 'next'>): number => Math.max(2_000, next);

/** What a payment owes in the commit that settles it, if its run has ended before: the run is counted again. */
export const countOwed = async (
  store: Pick<Store, 'get'>,
  { bulk }: Payment,
  nowMs: number,
): Promise<readonly Put[]> => {
  const run = bulk && (await store.get('bulk', bulk.run));
  if (run?.endedAtMs === undefined) return [];
  // The count that is to come has this payment too. One that is due may be under way without it.
  if (run.due !== undefined && run.due.atMs > nowMs) return [];
  const due = { queue: 'bulk', atMs: nowMs + countEveryMs(run) } as const;
  return [{ kind: 'bulk', record: { ...run, version: run.version + 1, due } }];
};

const auditRow = (
  { id, status }: BulkRun,
  atMs: number,
  what: string,
  who: Person,
  { button, where }: Pick<ConfirmingPress, 'button' | 'where'>,
  detail: Record<string, unknown>,
  before?: BulkRun,
): AuditRow => ({
  atMs,
  kind: 'bulk',
  id,
  what,
  who: personOf(who),
  button,
  where,
  detail,
  before: before?.status ?? null,
  after: status,
});
