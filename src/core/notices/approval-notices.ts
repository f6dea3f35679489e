import { type ApprovableDraft, approvalPlaces } from '../records/draft.ts';
import { type ApprovalQuestion, type Notice, newNotice } from '../records/notice.ts';
import type { Put } from '../records/records.ts';

type NoticePut = Extract<Put, { readonly kind: 'notice' }>;

export const approvalNoticeId = (
  { id }: ApprovableDraft,
  of: ApprovalQuestion | 'approval-end' | 'question-end' | 'reminder' | 'news',
  at = 0,
) => `${id}.${of}${at === 0 ? '' : `.${at + 1}`}`;

/** The question to approvers in each place where they are asked, and its reminder half way through the time. */
export const approvalAsked = (draft: ApprovableDraft, nowMs: number): NoticePut[] =>
  approvalPlaces(draft).flatMap((conversation, at) => {
    const halfWayMs = Math.floor((nowMs + draft.expiresAtMs) / 2);
    const owedAt = (kind: 'approval' | 'approval reminder', id: string, dueMs: number) => {
      const what = { id, about: { kind, draftId: draft.id, at }, conversation };
      return { kind: 'notice', record: newNotice(what, nowMs, dueMs) } as const;
    };
    return [
      owedAt('approval', approvalNoticeId(draft, 'approval', at), nowMs),
      owedAt('approval reminder', approvalNoticeId(draft, 'reminder', at), halfWayMs),
    ];
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
  ...approvalPlaces(draft).map((place, at) => edit(draft, nowMs, 'approval', place, at)),
  ...(draft.question === undefined || becomesCard ? [] : [edit(draft, nowMs, 'question')]),
];

/** What is owed when an approval ended and no card tells it: those edits, and news to the requester. */
export const approvalOver = (draft: ApprovableDraft, nowMs: number): NoticePut[] => [
  ...approvalEnded(draft, nowMs, { becomesCard: false }),
  owed(draft, nowMs, {
    id: approvalNoticeId(draft, 'news'),
    about: { kind: 'approval news', draftId: draft.id },
    conversation: draft.conversation,
  }),
];

const edit = (
  draft: ApprovableDraft,
  nowMs: number,
  of: ApprovalQuestion,
  conversation = draft.conversation,
  at = 0,
): NoticePut =>
  owed(draft, nowMs, {
    id: approvalNoticeId(draft, `${of}-end`, at),
    about: { kind: 'approval edit', draftId: draft.id, of, at },
    conversation,
  });

const owed = (
  { requester }: ApprovableDraft,
  nowMs: number,
  what: Pick<Notice, 'id' | 'about' | 'conversation'>,
): NoticePut => ({ kind: 'notice', record: newNotice({ ...what, to: requester }, nowMs) });
