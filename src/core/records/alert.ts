import type { Conversation } from '../values/conversation.ts';

/** Something that the people who run Paythread have to look into. It says what, not the words. */
export type Alert =
  /** `of`: as `outcomeWord` had it. */
  | { readonly kind: 'payment'; readonly paymentId: string; readonly of: string }
  /** The service refuses Paythread's credentials, so nothing is sent for a while. */
  | { readonly kind: 'keys refused'; readonly operation: string }
  /** A payment was about to be sent that nobody confirmed as it is stored. */
  | {
      readonly kind: 'seal broken';
      /** Of what goes by another id, that one. */
      readonly paymentId: string;
      /** @default a payment */
      readonly of?: 'question' | 'SMS';
    }
  /** Serving it ended the process again and again. */
  | { readonly kind: 'set aside'; readonly work: string; readonly id: string }
  /** Nothing is charged until an operator has asked the service about everything. */
  | { readonly kind: 'restored' }
  /** It was issued here, and its payment is not in the store. */
  | { readonly kind: 'stray callback'; readonly paymentId: string }
  /** The rules of before stay in force. One line for each mistake, with its place. */
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
