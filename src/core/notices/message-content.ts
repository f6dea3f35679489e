import type { Weight } from '../cluster/pace-book.ts';
import type { AccessRequest } from '../records/access-grants.ts';
import type { BulkRun } from '../records/bulk.ts';
import type { Digest, DigestPeriod } from '../records/digest.ts';
import type { ApprovableDraft } from '../records/draft.ts';
import type { KeptDay } from '../records/kept-day.ts';
import type { Alert } from '../records/notice.ts';
import type { Payment, PaymentState } from '../records/payment.ts';
import type { SmsBatch } from '../records/sms-batch.ts';
import type { MessageRef } from '../values/conversation.ts';

/** What a message shows: the records it is about. Cards are made of it where they are shown. */
export type MessageContent =
  | { readonly kind: 'card' | 'mirror' | 'payment alert'; readonly payment: Payment }
  /** `toldBefore`: the state that the same message told before. */
  | { readonly kind: 'outcome'; readonly payment: Payment; readonly toldBefore?: PaymentState }
  | { readonly kind: 'sms'; readonly batch: SmsBatch }
  | { readonly kind: 'run' | 'run end'; readonly run: BulkRun }
  /** Payments of a run that need a person: `waiting` have no outcome, of `inConflict` the service contradicts itself. */
  | {
      readonly kind: 'run alert';
      readonly run: BulkRun;
      readonly waiting: number;
      readonly inConflict: number;
    }
  | {
      readonly kind:
        | 'approval question'
        | 'approval reminder'
        | 'approval end'
        | 'question end'
        | 'approval news';
      readonly draft: ApprovableDraft;
    }
  | {
      readonly kind: 'access request' | 'access request end' | 'access news';
      readonly request: AccessRequest;
    }
  | { readonly kind: 'digest'; readonly digest: Digest }
  | { readonly kind: 'today'; readonly kept: KeptDay }
  | { readonly kind: 'digest picture'; readonly digest: Digest; readonly period: DigestPeriod }
  | { readonly kind: 'alert'; readonly alert: Exclude<Alert, { kind: 'payment' }> };

/** A message to post. `of`: what it tells, in a word; `under`: in the thread of that message. */
export type Posting = {
  readonly kind: 'post';
  readonly content: MessageContent;
  readonly of: string;
  readonly weight: Weight;
  readonly under?: MessageRef;
};

export type Editing = {
  readonly kind: 'edit';
  readonly content: MessageContent;
  readonly message: MessageRef;
  readonly weight: Weight;
};
