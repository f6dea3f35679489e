import type { ApprovalMessage, Notice } from '../notice.ts';
import type { Put } from '../store/store.ts';
import { approvalPlace, type Draft } from './draft.ts';

/** Longer than any approval is waited for. */
export const KEEP_APPROVAL_MS = 48 * 3_600_000;

/** Names of the notices about an approval, by what they are about. */
export const approvalNoticeId = (
  { id }: Draft,
  of: ApprovalMessage | 'approval-end' | 'question-end' | 'news-end',
) => `${id}.${of}`;

/** Approvers are asked. */
export const approvalAsked = (draft: Draft, nowMs: number): Put =>
  owed(draft, nowMs, {
    id: approvalNoticeId(draft, 'approval'),
    about: { kind: 'approval', draftId: draft.id },
    conversation: approvalPlace(draft),
  });

/**
 * An approval has ended, in the commit that ends it: both messages are edited. One that becomes the payment
 * card is edited as that.
 */
export const approvalEnded = (
  draft: Draft,
  nowMs: number,
  { becomesCard }: { becomesCard: boolean },
): Put[] => [
  edit(draft, nowMs, 'approval'),
  ...(draft.question === undefined || becomesCard ? [] : [edit(draft, nowMs, 'question')]),
];

/** The requester is told that it was refused, or that its time is over. */
export const approvalNews = (draft: Draft, nowMs: number): Put =>
  owed(draft, nowMs, {
    id: approvalNoticeId(draft, 'news'),
    about: { kind: 'approval news', draftId: draft.id },
    conversation: draft.conversation,
  });

const edit = (draft: Draft, nowMs: number, of: ApprovalMessage): Put =>
  owed(draft, nowMs, {
    id: approvalNoticeId(draft, `${of}-end`),
    about: { kind: 'approval edit', draftId: draft.id, of },
    conversation: of === 'approval' ? approvalPlace(draft) : draft.conversation,
  });

const owed = (
  { requester }: Draft,
  nowMs: number,
  what: Pick<Notice, 'id' | 'about' | 'conversation'>,
): Put => ({
  kind: 'notice',
  record: {
    ...what,
    version: 1,
    due: { queue: 'notice', atMs: nowMs },
    to: requester,
    createdAtMs: nowMs,
    attempts: 0,
    mayStand: false,
  },
});
