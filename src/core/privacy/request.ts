import type { Person } from '../values/conversation.ts';
import type { Found } from './customer-records.ts';
import type { ReasonToWait } from './erasure-blockers.ts';

/** Somebody asks for a customer to be forgotten. */
export type ForgetRequest = {
  /** E.164. */
  readonly number: string;
  readonly who: Person;
  /** `false`: only look what there is. */
  readonly isSure: boolean;
  /** What pseudonyms are made with. @default a key that is made once and kept in the store */
  readonly key?: string;
};

/** What came of it. Only `forgotten` has changed anything. */
export type ForgetAnswer =
  /** Nothing is stored about the number. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'wait'; readonly reasons: readonly ReasonToWait[] }
  | { readonly kind: 'found'; readonly found: Found }
  | {
      readonly kind: 'forgotten';
      readonly found: Found;
      readonly pseudonym: string;
      /** How many months of the journal, or records' rows, were sealed anew. */
      readonly sealedAnew: number;
    };
