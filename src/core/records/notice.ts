import type { Conversation, MessageRef, Person } from '../values/conversation.ts';
import type { Alert } from './alert.ts';
import type { Due } from './due.ts';
import type { PaymentState } from './payment.ts';

/**
 * A message owed to a conversation. It says what to tell, not the words: those are made from the
 * record's state when it is delivered, so a notice that waited a day tells the end and not the middle.
 */
export type Notice = {
  readonly id: string;
  readonly version: number;
  readonly due?: Due;
  readonly about: /** Bring the payment card up to date. At most one of these is owed per payment. */
    | { readonly kind: 'card'; readonly paymentId: string }
    /** Tell the outcome (or that it is unknown, or in conflict) in the card's thread. */
    | { readonly kind: 'outcome'; readonly paymentId: string; readonly of: string }
    /** Bring a message up to date that told a state (`told`) a moment after it was over. */
    | {
        readonly kind: 'stale outcome';
        readonly paymentId: string;
        readonly message: MessageRef;
        readonly told: PaymentState;
      }
    | { readonly kind: 'sms'; readonly batchId: string }
    /** Ask for the approval of a draft in its conversation. */
    | { readonly kind: 'approval'; readonly draftId: string }
    /** Tell the requester that it was refused, and why when that is said, or that its time is over. */
    | { readonly kind: 'approval news'; readonly draftId: string }
    /** Bring a message about an approval up to date. */
    | { readonly kind: 'approval edit'; readonly draftId: string; readonly of: ApprovalQuestion }
    /** Tell the operators. */
    | { readonly kind: 'alert'; readonly alert: Alert };
  readonly conversation: Conversation;
  /** Who is told directly when the conversation is lost; absent in what is for the operators. */
  readonly to?: Person;
  readonly createdAtMs: number;
  readonly attempts: number;
  /** An earlier attempt got no answer, so the message may stand there already. */
  readonly mayStand: boolean;
  /** Where it stands since it was told, of what is edited later. */
  readonly message?: MessageRef;
};

/** What approvers were asked, and what the requester pressed before that. */
export type ApprovalQuestion = 'approval' | 'question';

/** One that was told stays for a while, and is owed no more. */
export const isOwed = (notice: Notice | undefined): notice is Notice & { readonly due: Due } =>
  notice?.due?.queue === 'notice';

/** Version 1 of a notice, due at `atMs`; no attempt to deliver it was made yet. */
export const newNotice = (
  what: Pick<Notice, 'id' | 'about' | 'conversation' | 'to'>,
  nowMs: number,
  atMs = nowMs,
): Notice => ({
  ...what,
  version: 1,
  due: { queue: 'notice', atMs },
  createdAtMs: nowMs,
  attempts: 0,
  mayStand: false,
});

/** Edits a message, so it belongs where that message is. */
export const isEdit = ({ kind }: Notice['about']): boolean =>
  kind === 'card' || kind === 'stale outcome' || kind === 'approval edit';
