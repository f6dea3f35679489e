import type { Conversation, MessageRef, Person } from '../values/conversation.ts';
import type { Due, Stored } from './due.ts';
import type { PaymentState } from './payment.ts';

/**
 * A message owed to a conversation, as an entry of the outbox. It says what to tell; the words are made from the
 * record as it is at delivery, so a notice that waited for a day tells the outcome and no earlier state.
 */
export type Notice = Stored & {
  readonly about: /**
   * Bring the payment card up to date. At most one of these is owed per payment. `alone`: a rule of the conversation
   * leaves this outcome to the card, so it is posted after all if the card cannot be edited.
   */
    | { readonly kind: 'card'; readonly paymentId: string; readonly alone?: string }
    /** Tell another conversation of a payment: the first time a message is posted there, unless it `onlyEdits`; later it is edited. */
    | { readonly kind: 'mirror'; readonly paymentId: string; readonly onlyEdits?: boolean }
    /** Tell the outcome (or that it is unknown, or in conflict) in the card's thread. */
    | { readonly kind: 'outcome'; readonly paymentId: string; readonly of: string }
    /** Edit a message that told a state (`told`) after it was over. */
    | {
        readonly kind: 'stale outcome';
        readonly paymentId: string;
        readonly message: MessageRef;
        readonly told: PaymentState;
      }
    | { readonly kind: 'sms'; readonly batchId: string }
    /** Bring the report on an SMS up to date. */
    | { readonly kind: 'sms edit'; readonly batchId: string }
    /** Tell the operators how many payments of a file's run need a person, in one message that is edited. */
    | { readonly kind: 'run alert'; readonly runId: string }
    /** Post the card of a file's run, bring it up to date, and tell its end. */
    | { readonly kind: 'bulk' | 'bulk edit' | 'bulk end'; readonly runId: string }
    /** Ask for the approval of a draft, and remind of it. `at`: which of the conversations it is asked in. @default 0 */
    | {
        readonly kind: 'approval' | 'approval reminder';
        readonly draftId: string;
        readonly at?: number;
      }
    /** Tell the requester that it was refused, and why when that is said, or that its time is over. */
    | { readonly kind: 'approval news'; readonly draftId: string }
    /** Bring a message about an approval up to date. */
    | {
        readonly kind: 'approval edit';
        readonly draftId: string;
        readonly of: ApprovalQuestion;
        readonly at?: number;
      }
    /** Ask the operators whether a person gets a role. */
    | { readonly kind: 'access request'; readonly requestId: string }
    /** Bring such a question up to date, which the notice `question` posted. */
    | {
        readonly kind: 'access request edit';
        readonly requestId: string;
        readonly question: string;
      }
    /** Tell the person who asked what was answered. */
    | { readonly kind: 'access news'; readonly requestId: string }
    /** Sum up a day; `at`: which of its digests. */
    | { readonly kind: 'digest'; readonly day: string; readonly at: number }
    /** Show a conversation its day: the first of a day posts a message, the next ones edit it. `place`: its `placeKey`. */
    | { readonly kind: 'today'; readonly place: string; readonly day: string }
    /** The picture of a week or a month that such a digest sums up. */
    | {
        readonly kind: 'digest picture';
        readonly day: string;
        readonly at: number;
        readonly of: 'week' | 'month';
      }
    /** Tell the operators. */
    | { readonly kind: 'alert'; readonly alert: Alert };
  readonly conversation: Conversation;
  /** Gets the notice directly when the conversation is lost; absent in alerts and in questions to approvers. */
  readonly to?: Person;
  readonly createdAtMs: number;
  readonly attempts: number;
  /** An earlier attempt got no answer, so the message may have been posted. */
  readonly mayStand: boolean;
  /** The posted message, of a notice whose message is edited or replied to later. */
  readonly message?: MessageRef;
};

/** The question to approvers, and the one that the requester pressed before. */
export type ApprovalQuestion = 'approval' | 'question';

export const outcomeNoticeId = (paymentId: string): string => `${paymentId}.outcome`;

/** False of a delivered notice, which is kept for a while. */
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

/** The balances with a limit below which the operators are told. */
export type WatchedBalance = 'sms' | 'payout';

/** Something that operators have to look into. It says what; the words are made when it is delivered. */
export type Alert =
  /** `of`: as `outcomeWord` had it. */
  | { readonly kind: 'payment'; readonly paymentId: string; readonly of: string }
  /** The service refuses Paythread's credentials, so nothing is sent for a while. */
  | { readonly kind: 'keys refused'; readonly operation: string; readonly merchant?: string }
  /** A stored payment is not what was confirmed, and was not sent. */
  | {
      readonly kind: 'seal broken';
      /** The id of the payment, SMS or draft. */
      readonly paymentId: string;
      /** @default a payment */
      readonly of?: 'question' | 'SMS';
    }
  /** A poison message: serving it ended the process repeatedly. */
  | { readonly kind: 'set aside'; readonly work: string; readonly id: string }
  /** Nothing is charged until an operator has run `npm run reconcile`. */
  | { readonly kind: 'restored' }
  /** Its address was issued here, and its payment is not in the store. */
  | { readonly kind: 'stray callback'; readonly paymentId: string }
  /** The earlier rules stay in force. One line for each mistake, with its place. */
  | { readonly kind: 'access file'; readonly file: string; readonly problems: readonly string[] }
  | { readonly kind: 'access file mended'; readonly file: string }
  /** Nothing comes from the platform, or nothing can be sent there. */
  | { readonly kind: 'chat away'; readonly platform: string; readonly reason: string }
  | { readonly kind: 'chat back'; readonly platform: string }
  /** Amounts as they are shown. Told once until it is back. */
  | {
      readonly kind: 'balance low' | 'balance back';
      readonly merchant?: string;
      readonly of: WatchedBalance;
      readonly balance: string;
      readonly limit: string;
    }
  /** Messages for it go elsewhere; `isMirror`: payments of other conversations were to be told there; `isDigest`: the day's summary; `isToday`: the kept day. */
  | {
      readonly kind: 'conversation lost';
      readonly conversation: Conversation;
      readonly reason: string;
      readonly isMirror?: true;
      readonly isDigest?: true;
      readonly isToday?: true;
    };
