import { auditIdOf, type Draft, type FileDraft, isOfFile } from '../records/draft.ts';
import type { AuditRow } from '../records/records.ts';
import { defined } from '../runtime/defined.ts';
import { type Conversation, type Person, personOf } from '../values/conversation.ts';

/** Which button was pressed, and where. An absent field is not recorded. */
export type AuditedPress = { readonly button?: string; readonly where?: Conversation };

/** What happened to a draft, for the audit trail. `by`: absent when Paythread itself did it. */
export type Happening = AuditedPress & {
  readonly what: string;
  readonly by?: Person | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
};

/** The draft of a charge goes by the id its payment will have, so that one id leads to both. */
export const auditRow = (
  before: Draft | undefined,
  after: Draft,
  { what, by, button, where = after.conversation, detail }: Happening,
  atMs: number,
): AuditRow => ({
  what,
  before: before?.status ?? null,
  atMs,
  kind: 'draft',
  id: auditIdOf(after),
  after: after.status,
  where,
  ...defined({ who: by && personOf(by), button, detail }),
});

export const shownDetail = (
  draft: Draft,
  warnings: readonly string[],
): Record<string, unknown> => ({
  draft: draft.id,
  ...('paymentId' in draft ? { amount: draft.terms.amount } : {}),
  ...(draft.kind === 'given back' ? { of: draft.kind, ...defined({ reason: draft.reason }) } : {}),
  ...(isOfFile(draft) ? fileDetail(draft) : {}),
  expiresAtMs: draft.expiresAtMs,
  ...(warnings.length === 0 ? {} : { warnings }),
});

export const fileDetail = ({ kind, terms }: FileDraft): Record<string, unknown> => {
  const { sha256, fileName, rows } = terms;
  const more =
    kind === 'bulk'
      ? { amount: terms.total, ...defined({ again: terms.again, round: terms.round }) }
      : { template: terms.template, parts: terms.parts, ...defined({ reminds: terms.reminds }) };
  return { sha256, fileName, rows, ...more };
};
