import { ChargeFreeze } from '../guards/charge-freeze.ts';
import type { Alerts } from '../notices/alerts.ts';
import {
  approvalAsked,
  approvalEnded,
  approvalNews,
  refusalExplained,
} from '../notices/approval-notices.ts';
import {
  auditIdOf,
  type ChargeContent,
  type ChargeDraft,
  type Draft,
  KEEP_DRAFT_MS,
  type SmsContent,
  type SmsDraft,
} from '../records/draft.ts';
import type { Due } from '../records/due.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoints.ts';
import type { Store } from '../store/store.ts';
import { type Conversation, type Person, personOf } from '../values/conversation.ts';
import { shortIdFrom } from '../values/transaction-id.ts';
import { draftAuditRow, type Press, shownDetail } from './draft-audit.ts';
import type { DraftSeal } from './draft-seal.ts';

/** Keeps what is shown for confirmation until exactly one press closes it. */
export class Drafts {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #alerts: Alerts;
  readonly #seal: DraftSeal;
  readonly #freeze: ChargeFreeze;
  readonly #confirmWithinMs: number;

  constructor(options: {
    store: Store;
    clock: Clock;
    alerts: Alerts;
    seal: DraftSeal;
    confirmWithinMs: number;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#alerts = options.alerts;
    this.#seal = options.seal;
    this.#freeze = new ChargeFreeze(options.store);
    this.#confirmWithinMs = options.confirmWithinMs;
  }

  /**
   * Undefined: the platform delivered the event twice, and the first delivery has made and shown the draft.
   */
  create(
    eventId: string,
    content: ChargeContent,
    requester: Person,
    conversation: Conversation,
  ): Promise<ChargeDraft | undefined>;
  create(
    eventId: string,
    content: SmsContent,
    requester: Person,
    conversation: Conversation,
  ): Promise<SmsDraft | undefined>;
  async create(
    eventId: string,
    content: ChargeContent | SmsContent,
    requester: Person,
    conversation: Conversation,
  ): Promise<Draft | undefined> {
    const nowMs = this.#clock.now();
    const draft = this.#seal.sealed<Draft>({
      ...content,
      id: shortIdFrom(eventId),
      version: 1,
      due: { queue: 'tidy', atMs: nowMs + this.#confirmWithinMs + KEEP_DRAFT_MS },
      requester,
      conversation,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + this.#confirmWithinMs,
      status: 'open',
    });
    const warnings = content.kind === 'charge' ? content.warnings : [];
    const created = { what: 'created', before: null, atMs: nowMs } as const;
    const stored = await this.#store.commit({
      put: [{ kind: 'draft', record: draft }],
      audit: [
        { ...draftAuditRow(draft, created, requester), detail: shownDetail(draft, warnings) },
      ],
    });
    failpoint('draft-stored', draft.id);
    return stored ? draft : undefined;
  }

  get(id: string): Promise<Draft | undefined> {
    return this.#store.get('draft', id);
  }

  expired(draft: Draft): boolean {
    return this.#clock.now() >= draft.expiresAtMs;
  }

  /** False: the stored draft is not what was shown, so no press may count; the operators are told. */
  async isAsShown(draft: Draft): Promise<boolean> {
    if (this.#seal.isOn(draft)) return true;
    const id = auditIdOf(draft);
    await this.#alerts.raise(`seal.${id}`, { kind: 'seal broken', paymentId: id, of: 'question' });
    return false;
  }

  /** The draft with new warnings, to be shown again. Undefined: another press changed it first. */
  async revise(
    draft: ChargeDraft,
    news: { readonly warnings: readonly string[]; readonly repeats: readonly string[] },
    by: Person,
    press: Press = {},
  ): Promise<ChargeDraft | undefined> {
    const { warnings, repeats = [] } = draft;
    const revised = this.#seal.sealed({
      ...draft,
      version: draft.version + 1,
      revision: (draft.revision ?? 0) + 1,
      warnings: [...news.warnings, ...warnings],
      repeats: [...news.repeats, ...repeats],
    });
    const shown = { what: 'shown again', before: draft.status, atMs: this.#clock.now() };
    const stored = await this.#store.commit({
      put: [{ kind: 'draft', record: revised }],
      audit: [
        {
          ...draftAuditRow(revised, shown, by, press),
          detail: shownDetail(revised, news.warnings),
        },
      ],
    });
    return stored ? revised : undefined;
  }

  /** False: another press closed it first. */
  async cancel(draft: Draft, by: Person, press: Press = {}): Promise<boolean> {
    const nowMs = this.#clock.now();
    const cancelled = endedDraft(draft, { status: 'cancelled', by, atMs: nowMs });
    const what = { what: 'cancelled', before: draft.status, atMs: nowMs };
    return this.#store.commit({
      put: [
        { kind: 'draft', record: cancelled },
        ...(cancelled.kind === 'charge' && draft.status === 'awaiting approval'
          ? approvalEnded(cancelled, nowMs, { becomesCard: false })
          : []),
      ],
      audit: [draftAuditRow(cancelled, what, by, press)],
    });
  }

  /**
   * The requester pressed; an approver now has the whole of `CONFIRM_WITHIN`. The question is owed to
   * `askedIn`. Undefined: another press changed it first.
   */
  async awaitApproval(
    draft: ChargeDraft,
    asking: Pick<ChargeDraft, 'question' | 'askedIn' | 'limit'>,
    press: Press = {},
  ): Promise<ChargeDraft | undefined> {
    const nowMs = this.#clock.now();
    const expiresAtMs = nowMs + this.#confirmWithinMs;
    const waiting = this.#seal.sealed({
      ...draft,
      ...asking,
      version: draft.version + 1,
      due: { queue: 'tidy', atMs: expiresAtMs },
      status: 'awaiting approval',
      askedAtMs: nowMs,
      expiresAtMs,
    });
    const what = { what: 'awaiting approval', before: draft.status, atMs: nowMs };
    const stored = await this.#store.commit({
      put: [{ kind: 'draft', record: waiting }, approvalAsked(waiting, nowMs)],
      audit: [{ ...draftAuditRow(waiting, what, draft.requester, press), detail: { expiresAtMs } }],
    });
    return stored ? waiting : undefined;
  }

  /** An approver says no. Undefined: another press ended it first. */
  async refuse(
    draft: ChargeDraft,
    by: Person,
    press: Press = {},
  ): Promise<ChargeDraft | undefined> {
    const nowMs = this.#clock.now();
    const refused = endedDraft(draft, { status: 'refused', by, atMs: nowMs });
    const what = { what: 'refused', before: draft.status, atMs: nowMs };
    const stored = await this.#store.commit({
      put: [
        { kind: 'draft', record: refused },
        ...approvalEnded(refused, nowMs, { becomesCard: false }),
        approvalNews(refused, nowMs),
      ],
      audit: [draftAuditRow(refused, what, by, press)],
    });
    return stored ? refused : undefined;
  }

  /** Until when the person who refused it may say why. */
  explainableUntilMs({ closedAtMs = 0 }: ChargeDraft): number {
    return closedAtMs + this.#confirmWithinMs;
  }

  /** The person who refused it says why, once. False: the reason was said already. */
  async explainRefusal(
    id: string,
    reason: string,
    by: Person,
    press: Press = {},
  ): Promise<boolean> {
    const draft = await this.get(id);
    if (draft?.kind !== 'charge' || draft.status !== 'refused') return false;
    if (draft.refusal !== undefined) return false;
    const nowMs = this.#clock.now();
    const explained: ChargeDraft = { ...draft, version: draft.version + 1, refusal: reason };
    const what = { what: 'refusal explained', before: draft.status, atMs: nowMs };
    const stored = await this.#store.commit({
      put: [
        { kind: 'draft', record: explained },
        ...(await refusalExplained(explained, nowMs, this.#store)),
      ],
      audit: [{ ...draftAuditRow(explained, what, by, press), detail: { reason } }],
    });
    // One of the messages may have been told at this moment.
    return stored || this.explainRefusal(id, reason, by, press);
  }

  /**
   * Ends a draft whose approval was not given in time, and the requester is told. False: it has ended before,
   * so the record can be removed.
   */
  async runOut(draft: Draft): Promise<boolean> {
    const nowMs = this.#clock.now();
    if (draft.kind !== 'charge' || draft.status !== 'awaiting approval') return false;
    if (nowMs >= draft.expiresAtMs + KEEP_DRAFT_MS) return false;
    const expired = endedDraft(draft, { status: 'expired', atMs: nowMs });
    const what = { what: 'out of time', before: draft.status, atMs: nowMs };
    if (await this.#isToldOf(draft))
      await this.#store.commit({
        put: [
          { kind: 'draft', record: expired },
          ...approvalEnded(expired, nowMs, { becomesCard: false }),
          approvalNews(expired, nowMs),
        ],
        audit: [draftAuditRow(expired, what, undefined)],
      });
    else
      await this.#store.commit({
        put: [
          { kind: 'draft', record: { ...draft, version: expired.version, due: keptUntil(nowMs) } },
        ],
      });
    // Refused: an approver was faster, and the record is due at another time.
    return true;
  }

  /** Not of a draft that was changed in the store, nor of one that may have been approved in the time that a restore lost. */
  async #isToldOf(draft: Draft): Promise<boolean> {
    const restored = await this.#freeze.mark();
    const isLost = restored !== undefined && draft.createdAtMs <= restored.sinceMs;
    return !isLost && (await this.isAsShown(draft));
  }
}

const keptUntil = (endedMs: number): Due => ({ queue: 'tidy', atMs: endedMs + KEEP_DRAFT_MS });

const endedDraft = <D extends Draft>(
  draft: D,
  { status, by, atMs }: { status: Draft['status']; by?: Person; atMs: number },
): D => ({
  ...draft,
  version: draft.version + 1,
  due: keptUntil(atMs),
  status,
  ...(by === undefined ? {} : { closedBy: personOf(by) }),
  closedAtMs: atMs,
});
