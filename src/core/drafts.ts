import type { Alerts } from './alerts.ts';
import type { Clock } from './clock.ts';
import type { Conversation, Person } from './conversation.ts';
import { draftAuditRow, type Press, shownDetail } from './draft-audit.ts';
import { moment } from './moments.ts';
import type { Notice } from './notice.ts';
import type { Draft } from './payments/draft.ts';
import type { DraftSeal } from './payments/draft-seal.ts';
import type { Store } from './store/store.ts';
import { shortIdFrom } from './transaction-id.ts';

/** Closed and expired drafts are kept this long, so that a late press gets a true answer. */
const KEEP_MS = 24 * 3_600_000;

/** Keeps what is shown for confirmation until exactly one press closes it. */
export class Drafts {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #alerts: Alerts;
  readonly #seal: DraftSeal;
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
    this.#confirmWithinMs = options.confirmWithinMs;
  }

  /**
   * Undefined: the same event has made a draft already (a platform delivered it twice), and that one
   * stands in the conversation.
   */
  async create(
    eventId: string,
    what: Draft['what'],
    requester: Person,
    conversation: Conversation,
  ): Promise<Draft | undefined> {
    const nowMs = this.#clock.now();
    const draft = this.#seal.sealed({
      id: shortIdFrom(eventId),
      version: 1,
      due: { queue: 'tidy', atMs: nowMs + this.#confirmWithinMs + KEEP_MS },
      what,
      requester,
      conversation,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + this.#confirmWithinMs,
      status: 'open',
    });
    const warnings = what.kind === 'charge' ? what.warnings : [];
    const created = { what: 'created', before: null, atMs: nowMs } as const;
    const stored = await this.#store.commit({
      put: [{ kind: 'draft', record: draft }],
      audit: [
        { ...draftAuditRow(draft, created, requester), detail: shownDetail(draft, warnings) },
      ],
    });
    moment('draft-stored', draft.id);
    return stored ? draft : undefined;
  }

  get(id: string): Promise<Draft | undefined> {
    return this.#store.get('draft', id);
  }

  expired(draft: Draft): boolean {
    return this.#clock.now() >= draft.expiresAtMs;
  }

  /** False: it is not what was shown, so no press may count; the operators are told. */
  async isAsShown(draft: Draft): Promise<boolean> {
    if (this.#seal.isOn(draft)) return true;
    const id = draft.what.kind === 'charge' ? draft.what.paymentId : draft.id;
    await this.#alerts.raise(`seal.${id}`, { kind: 'seal broken', paymentId: id, of: 'question' });
    return false;
  }

  /** Something new came up: the draft as it has to be shown again. Undefined: somebody else changed it first. */
  async revise(
    draft: Draft,
    news: { readonly warnings: readonly string[]; readonly repeats: readonly string[] },
    by: Person,
    press: Press = {},
  ): Promise<Draft | undefined> {
    if (draft.what.kind !== 'charge') throw new Error(`draft ${draft.id} is not a charge`);
    const { warnings, repeats = [] } = draft.what;
    const revised = this.#seal.sealed({
      ...draft,
      version: draft.version + 1,
      revision: (draft.revision ?? 0) + 1,
      what: {
        ...draft.what,
        warnings: [...news.warnings, ...warnings],
        repeats: [...news.repeats, ...repeats],
      },
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

  /** False: somebody else closed it first. */
  async cancel(draft: Draft, by: Person, press: Press = {}): Promise<boolean> {
    const nowMs = this.#clock.now();
    const cancelled: Draft = {
      ...draft,
      version: draft.version + 1,
      status: 'cancelled',
      closedBy: by,
      closedAtMs: nowMs,
    };
    const what = { what: 'cancelled', before: draft.status, atMs: nowMs };
    return this.#store.commit({
      put: [{ kind: 'draft', record: cancelled }],
      audit: [draftAuditRow(cancelled, what, by, press)],
    });
  }

  /** The requester pressed; now an approver has to. The question is owed to `askedIn`. */
  async awaitApproval(draft: Draft, askedIn: Conversation, press: Press = {}): Promise<boolean> {
    const nowMs = this.#clock.now();
    const notice: Notice = {
      id: `${draft.id}.approval`,
      version: 1,
      due: { queue: 'notice', atMs: nowMs },
      about: { kind: 'approval', draftId: draft.id },
      conversation: askedIn,
      to: draft.requester,
      createdAtMs: nowMs,
      attempts: 0,
      mayStand: false,
    };
    const waiting = this.#seal.sealed({
      ...draft,
      version: draft.version + 1,
      status: 'awaiting approval',
      askedAtMs: nowMs,
    });
    const what = { what: 'awaiting approval', before: draft.status, atMs: nowMs };
    return this.#store.commit({
      put: [
        { kind: 'draft', record: waiting },
        { kind: 'notice', record: notice },
      ],
      audit: [draftAuditRow(waiting, what, draft.requester, press)],
    });
  }
}
