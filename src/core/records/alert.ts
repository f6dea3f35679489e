import type { Conversation } from '../values/conversation.ts';

/** Something that operators have to look into. It says what; the words are made when it is delivered. */
export type Alert =
  /** `of`: as `outcomeWord` had it. */
  | { readonly kind: 'payment'; readonly paymentId: string; readonly of: string }
  /** The service refuses Paythread's credentials, so nothing is sent for a while. */
  | { readonly kind: 'keys refused'; readonly operation: string }
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
  /** Messages for it go elsewhere. */
  | {
      readonly kind: 'conversation lost';
      readonly conversation: Conversation;
      readonly reason: string;
    };
