import { ChargeFreeze } from '../guards/charge-freeze.ts';
import type { Alerts } from '../notices/alerts.ts';
import { approvalAsked, approvalEnded, approvalOver } from '../notices/approval-notices.ts';
import { oweNotices } from '../notices/owed-notices.ts';
import {
  type ApprovableDraft,
  auditIdOf,
  type Draft,
  type DraftContent,
  type DraftOf,
  endedDraft,
  isApprovable,
  KEEP_DRAFT_MS,
  warningsIn,
} from '../records/draft.ts';
import type { Put } from '../records/records.ts';
import type { Seal } from '../records/seals.ts';
import { type Clock, isFromClockAhead } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { failpoint } from '../runtime/failpoints.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import type { Conversation, Person } from '../values/conversation.ts';
import { shortIdFrom } from '../values/transaction-id.ts';
import { removeRecord } from '../work/remove-record.ts';
import { type AuditedPress, auditRow, type Happening, shownDetail } from './draft-audit.ts';

type DraftsOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly alerts: Alerts;
  readonly seal: Seal<Draft>;
  readonly confirmWithinMs: number;
};

/** Keeps what is shown for confirmation until exactly one press closes it. */
export class Drafts {
  readonly #options: DraftsOptions;

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  /** Undefined: the event was delivered twice, and the first delivery has made and shown the draft. */
  async create<K extends Draft['kind']>(
    eventId: string,
    content: DraftContent<K>,
    requester: Person,
    conversation: Conversation,
    pages: readonly Put[] = [],
  ): Promise<DraftOf<K> | undefined> {
    const { clock, seal, confirmWithinMs } = this.#options;
    const nowMs = clock.now();
    // Kind and content belong together, which the compiler cannot follow.
    const draft = seal.sealed({
      ...content,
      id: shortIdFrom(eventId),
      revision: nowMs,
      version: 1,
      due: { queue: 'tidy', atMs: nowMs + confirmWithinMs + KEEP_DRAFT_MS },
      requester,
      conversation,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + confirmWithinMs,
      status: 'open',
    } as Draft);
    const warnings = draft.kind === 'sms' ? [] : warningsIn(draft);
    const created = { what: 'created', by: requester, detail: shownDetail(draft, warnings) };
    const stored = await this.#commit(undefined, draft, created, nowMs, pages);
    failpoint('draft-stored', draft.id);
    return stored ? (draft as DraftOf<K>) : undefined;
  }

  get(id: string): Promise<Draft | undefined> {
    return this.#options.store.get('draft', id);
  }

  expired(draft: Draft): boolean {
    const { clock, confirmWithinMs } = this.#options;
    const nowMs = clock.now();
    const isAhead = isFromClockAhead(draft.expiresAtMs, nowMs, 2 * confirmWithinMs);
    return nowMs >= draft.expiresAtMs || isAhead;
  }

  /** False: the stored draft, or its rows, are not what was shown, so no press may count; the operators are told. */
  async isAsShown(draft: Draft, hasRows = true): Promise<boolean> {
    const { seal, alerts } = this.#options;
    if (hasRows && seal.isOn(draft)) return true;
    const id = auditIdOf(draft);
    await alerts.raise(`seal.${id}`, { kind: 'seal broken', paymentId: id, of: 'question' });
    return false;
  }

  /**
   * The draft as `changed`, to be shown again; a button of an earlier showing confirms nothing any more. `told`: what it
   * warns of now. Undefined: another press changed it first.
   */
  async showAgain<D extends Draft>(
    changed: D,
    by: Person,
    press: AuditedPress,
    { told = [], pages = [] }: { told?: readonly string[]; pages?: readonly Put[] } = {},
  ): Promise<D | undefined> {
    const { version, revision = 0 } = changed;
    const next = { ...changed, version: version + 1, revision: revision + 1 };
    const draft = this.#options.seal.sealed<D>(next);
    const shown = { ...press, what: 'shown again', by, detail: shownDetail(draft, told) };
    const nowMs = this.#options.clock.now();
    return (await this.#commit(changed, draft, shown, nowMs, pages)) ? draft : undefined;
  }

  /** `what`: `changed` when its form is filled in again. False: another press closed it first. */
  async cancel(
    draft: Draft,
    by: Person,
    press: AuditedPress = {},
    what: 'cancelled' | 'changed' = 'cancelled',
  ): Promise<boolean> {
    const nowMs = this.#options.clock.now();
    const cancelled = endedDraft(draft, { status: what, by, atMs: nowMs });
    const wasAsked = isApprovable(cancelled) && draft.status === 'awaiting approval';
    const beside = wasAsked ? approvalEnded(cancelled, nowMs, { becomesCard: false }) : [];
    return this.#commit(draft, cancelled, { ...press, what, by }, nowMs, beside);
  }

  /**
   * The requester pressed; an approver now has the whole of `CONFIRM_WITHIN`. The question is owed to
   * `askedIn`. Undefined: another press changed it first.
   */
  async awaitApproval<D extends ApprovableDraft>(
    draft: D,
    asking: Pick<ApprovableDraft, 'question' | 'askedIn' | 'approvers' | 'limit'>,
    press: AuditedPress = {},
  ): Promise<D | undefined> {
    const { clock, seal, confirmWithinMs } = this.#options;
    const nowMs = clock.now();
    const expiresAtMs = nowMs + confirmWithinMs;
    const waiting = seal.sealed<D>({
      ...draft,
      ...asking,
      version: draft.version + 1,
      // Its end is told, so it waits with what is told.
      due: { queue: 'notice', atMs: expiresAtMs },
      status: 'awaiting approval',
      askedAtMs: nowMs,
      expiresAtMs,
    });
    const by = draft.requester;
    const asked = { ...press, what: 'awaiting approval', by, detail: { expiresAtMs } };
    const beside = approvalAsked(waiting, nowMs);
    return (await this.#commit(draft, waiting, asked, nowMs, beside)) ? waiting : undefined;
  }

  /** An approver says no; without one it cannot be done any more: `why`. Undefined: another press ended it first. */
  async refuse(
    draft: ApprovableDraft,
    by: Person | undefined,
    { why, ...press }: AuditedPress & { readonly why?: string } = {},
  ): Promise<ApprovableDraft | undefined> {
    const nowMs = this.#options.clock.now();
    const ended = endedDraft(draft, { status: 'refused', by, atMs: nowMs });
    const refused = { ...ended, ...defined({ refusal: why }) };
    const detail = why === undefined ? undefined : { reason: why };
    const what = { ...press, what: by ? 'refused' : 'not possible', by, detail };
    const beside = draft.status === 'awaiting approval' ? approvalOver(refused, nowMs) : [];
    return (await this.#commit(draft, refused, what, nowMs, beside)) ? refused : undefined;
  }

  /** Until when the person who refused it may say why. */
  explainableUntilMs({ closedAtMs = 0 }: ApprovableDraft): number {
    return closedAtMs + this.#options.confirmWithinMs;
  }

  /** The person who refused it says why, once. False: the reason was said already. */
  explainRefusal(
    id: string,
    reason: string,
    by: Person,
    press: AuditedPress = {},
  ): Promise<boolean> {
    return untilStored(`draft ${id}`, async () => {
      const draft = await this.get(id);
      if (draft === undefined || !isApprovable(draft) || draft.status !== 'refused') return false;
      if (draft.refusal !== undefined) return false;
      const nowMs = this.#options.clock.now();
      const explained: ApprovableDraft = { ...draft, version: draft.version + 1, refusal: reason };
      // Each notice of the refusal is owed once more, with the reason.
      const told = approvalOver(explained, nowMs).map(({ record }) => record);
      const beside = await oweNotices(this.#options.store, told);
      const what = { ...press, what: 'refusal explained', by, detail: { reason } };
      // Stale: one of the messages may have been told at this moment.
      return (await this.#commit(draft, explained, what, nowMs, beside)) || STALE;
    });
  }

  /** Serves a draft whose time is over: one that awaits an approval is ended, any other is removed. */
  async expire(draft: Draft): Promise<void> {
    if (await this.#runOut(draft)) return;
    await removeRecord(this.#options.store, { kind: 'draft', record: draft });
  }

  /** Ends a draft that was not approved in time, and tells the requester. False: it has ended before. */
  async #runOut(draft: Draft): Promise<boolean> {
    const nowMs = this.#options.clock.now();
    if (!isApprovable(draft) || draft.status !== 'awaiting approval') return false;
    if (nowMs >= draft.expiresAtMs + KEEP_DRAFT_MS) return false;
    const expired = endedDraft(draft, { status: 'expired', atMs: nowMs });
    // Either is refused when an approver was faster; the record is then due at another time.
    if (await this.#isToldOf(draft)) {
      const beside = approvalOver(expired, nowMs);
      await this.#commit(draft, expired, { what: 'out of time' }, nowMs, beside);
    } else {
      const due = { queue: 'tidy', atMs: nowMs + KEEP_DRAFT_MS } as const;
      const kept = { ...draft, version: draft.version + 1, due };
      await this.#options.store.commit({ put: [{ kind: 'draft', record: kept }] });
    }
    return true;
  }

  /** Not of a draft that was changed in the store, nor of one that may have been approved in the time that a restore lost. */
  async #isToldOf(draft: Draft): Promise<boolean> {
    const restored = await new ChargeFreeze(this.#options.store).mark();
    const isLost = restored !== undefined && draft.createdAtMs <= restored.sinceMs;
    return !isLost && (await this.isAsShown(draft));
  }

  /** False: another press changed the draft first, or one of the records `beside` it has changed. */
  #commit(
    before: Draft | undefined,
    after: Draft,
    happening: Happening,
    atMs: number,
    beside: readonly Put[] = [],
  ): Promise<boolean> {
    return this.#options.store.commit({
      put: [{ kind: 'draft', record: after }, ...beside],
      audit: [auditRow(before, after, happening, atMs)],
    });
  }
}
