import { auditIdOf, type Draft } from '../records/draft.ts';
import type { AuditRow } from '../records/records.ts';
import { type Conversation, type Person, personOf } from '../values/conversation.ts';

/** Which button was pressed, and where. An absent field is not recorded. */
export type Press = { readonly button?: string; readonly where?: Conversation };

/**
 * What happened to a draft, for the audit trail. The draft of a charge goes by the id its payment will have,
 * so that one id leads to both, also when the draft was never confirmed.
 */
export const draftAuditRow = (
  draft: Draft,
  what: { readonly what: string; readonly before: Draft['status'] | null; readonly atMs: number },
  by: Person | undefined,
  { button, where = draft.conversation }: Press = {},
): AuditRow => ({
  ...what,
  kind: 'draft',
  id: auditIdOf(draft),
  after: draft.status,
  ...(by === undefined ? {} : { who: personOf(by) }),
  where,
  ...(button === undefined ? {} : { button }),
});

/** What was asked, and what was warned of, when a draft was shown. */
export const shownDetail = (
  draft: Draft,
  warnings: readonly string[],
): Record<string, unknown> => ({
  draft: draft.id,
  ...(draft.kind === 'charge' ? { amount: draft.terms.amount } : {}),
  expiresAtMs: draft.expiresAtMs,
  ...(warnings.length === 0 ? {} : { warnings }),
});
