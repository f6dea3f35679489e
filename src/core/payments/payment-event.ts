import type { ServiceAnswer } from '../gateway/gateway.ts';
import type { Payment, TextKind } from '../records/payment.ts';
import { assertNever } from '../runtime/errors.ts';
import type { MessageRef, Person } from '../values/conversation.ts';
import type { Money } from '../values/money.ts';

export type Finding =
  | { readonly kind: 'completed'; readonly answer: ServiceAnswer }
  | { readonly kind: 'failed'; readonly answer: ServiceAnswer; readonly reason: string }
  /** The service says it is under way. */
  | { readonly kind: 'pending'; readonly answer: ServiceAnswer }
  /** No usable answer. `knowsIt`: a status that decides nothing, so the service has the transaction. */
  | { readonly kind: 'nothing'; readonly answer: ServiceAnswer; readonly knowsIt?: true }
  /** An outcome without its transaction or amount: it settles nothing. */
  | {
      readonly kind: 'unproven';
      readonly word: 'completed' | 'failed';
      readonly answer: ServiceAnswer;
      readonly reason: string;
    }
  /** The answer is about another id or amount than ours. */
  | { readonly kind: 'mismatch'; readonly answer: ServiceAnswer; readonly reason: string };

/** What a finding contradicts of a settled payment, in a sentence; undefined: nothing. */
export const contradiction = ({ state }: Payment, finding: Finding): string | undefined => {
  switch (finding.kind) {
    case 'completed':
      return state === 'completed' ? undefined : 'The payment service now says completed.';
    case 'failed':
      return state === 'completed' ? 'The payment service now says failed.' : undefined;
    case 'pending':
      // A payment that is under way can neither have been refused nor never have been received.
      return state === 'refused' || state === 'not sent'
        ? 'The payment service now says that it is under way.'
        : undefined;
    case 'unproven':
      // It may be about this payment or not: enough for a person to look if the payment ended otherwise.
      return state === finding.word || (finding.word === 'failed' && state !== 'completed')
        ? undefined
        : finding.reason;
    case 'mismatch':
      return finding.reason;
    case 'nothing':
      return undefined;
    default:
      return assertNever(finding);
  }
};

/** Everything that can happen to a payment after its confirmation. */
export type PaymentEvent =
  /** `card`: it was posted just now. */
  | {
      readonly kind: 'submitting';
      readonly presumedLostAtMs: number;
      readonly card?: MessageRef;
    }
  | { readonly kind: 'accepted'; readonly answer: ServiceAnswer; readonly checkoutUrl?: string }
  | { readonly kind: 'not sent'; readonly reason: string; readonly answer?: ServiceAnswer }
  /** It must not be sent any more; without effect when its request is being sent already. */
  | { readonly kind: 'given up'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly answer: ServiceAnswer }
  | {
      readonly kind: 'rate limited';
      readonly answer: ServiceAnswer;
      readonly retryAtMs: number;
      readonly submitByMs: number;
    }
  | { readonly kind: 'lost'; readonly reason: string; readonly answer: ServiceAnswer }
  /** Serving it ended the process repeatedly (poison message), so it is not served for a while. */
  | { readonly kind: 'set aside' }
  /** Found in a store that was restored from a backup: its request may have been sent after the backup. */
  | { readonly kind: 'restored'; readonly reason: string }
  /** `count`: how many callbacks. @default 1 */
  | { readonly kind: 'callback'; readonly message?: string; readonly count?: number }
  /** An SMS to the customer is confirmed. */
  | { readonly kind: 'texted'; readonly of: TextKind; readonly batchId: string }
  /** Certainly nothing of such an SMS was sent: another one may be. */
  | { readonly kind: 'text not sent'; readonly batchId: string }
  /** Written down by a person; the payment service is not asked. `id`: of `GivenBack`. */
  | {
      readonly kind: 'given back';
      readonly id: string;
      readonly amount: Money;
      readonly reason?: string;
      readonly by: Person;
      readonly approver?: Person;
    }
  | { readonly kind: 'noted'; readonly id: string; readonly note: string; readonly by: Person }
  /** `hintsBefore`: those that had come when the service was asked. @default all */
  | { readonly kind: 'checked'; readonly finding: Finding; readonly hintsBefore?: number };

/** The event of a payment that was about to be sent, or being sent, when the backup was made. */
export const RESTORED: Extract<PaymentEvent, { kind: 'restored' }> = {
  kind: 'restored',
  reason: 'Paythread was restored from a backup. This payment may have been sent since.',
};
