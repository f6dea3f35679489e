import { type ApprovableDraft, approvalPlace } from '../records/draft.ts';
import { type ApprovalQuestion, type Notice, newNotice } from '../records/notice.ts';
import type { Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';
import { oweNotices } from './owed-notices.ts';

type NoticePut = Extract<Put, { readonly kind: 'notice' }>;

/** Longer than any approval can be awaited. */
export const KEEP_APPROVAL_MS = 48 * 3_600_000;

/** The id of a notice about an approval. */
export const approvalNoticeId = (
  { id }: ApprovableDraft,
  of: ApprovalQuestion | 'approval-end' | 'question-end' | 'news',
) => `${id}.${of}`;

/** The question to approvers. */
export const approvalAsked = (draft: ApprovableDraft, nowMs: number): NoticePut =>
  owed(draft, nowMs, {
    id: approvalNoticeId(draft, 'approval'),
    about: { kind: 'approval', draftId: draft.id },
    conversation: approvalPlace(draft),
  });

/**
 * Edits of the question to approvers and of the requester's, for the commit that ends an approval.
 * `becomesCard`: the requester's becomes the payment card, and is edited as that.
 */
export const approvalEnded = (
  draft: ApprovableDraft,
  nowMs: number,
  { becomesCard }: { becomesCard: boolean },
): NoticePut[] => [
  edit(draft, nowMs, 'approval'),
  ...(draft.question === undefined || becomesCard ? [] : [edit(draft, nowMs, 'question')]),
];

/** Tells the requester that it was refused, or that its time is over. */
export const approvalNews = (draft: ApprovableDraft, nowMs: number): NoticePut =>
  owed(draft, nowMs, {
    id: approvalNoticeId(draft, 'news'),
    about: { kind: 'approval news', draftId: draft.id },
    conversation: draft.conversation,
  });

/**
 * Tells why it was refused: each notice that told of the refusal is owed once more. One that was not delivered yet
 * is delivered once, with the reason.
 */
export const refusalExplained = (
  draft: ApprovableDraft,
  nowMs: number,
  store: Pick<Store, 'get'>,
): Promise<Put[]> => {
  const told = [...approvalEnded(draft, nowMs, { becomesCard: false }), approvalNews(draft, nowMs)];
  return oweNotices(
    store,
    told.map(({ record }) => record),
  );
};

const edit = (draft: ApprovableDraft, nowMs: number, of: ApprovalQuestion): NoticePut =>
  owed(draft, nowMs, {
    id: approvalNoticeId(draft, `${of}-end`),
    about: { kind: 'approval edit', draftId: draft.id, of },
    conversation: of === 'approval' ? approvalPlace(draft) : draft.conversation,
  });

const owed = (
  { requester }: ApprovableDraft,
  nowMs: number,
  what: Pick<Notice, 'id' | 'about' | 'conversation'>,
): NoticePut => ({ kind: 'notice', record: newNotice({ ...what, to: requester }, nowMs) });
