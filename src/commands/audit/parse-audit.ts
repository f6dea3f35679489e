import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { isTransactionId, normaliseTransactionId } from '../../core/values/transaction-id.ts';

/** The transaction id behind `/audit`, as it was typed or read out. */
export const parseAuditId = (words: string): Parsed<string> => {
  const id = normaliseTransactionId(words);
  return isTransactionId(id)
    ? parsed(id)
    : wrong(
        'That is not a transaction id. It has 16 letters and digits. You find it on the payment card.',
        '/audit 01JD2M4X9QK7T3VB',
      );
};
