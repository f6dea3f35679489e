import { ConfirmationSeal } from '../../src/core/payments/confirmation-seal.ts';
import { DraftSeal } from '../../src/core/payments/draft-seal.ts';
import { SmsSeal } from '../../src/core/sms/sms-seal.ts';

const SECRET = 'a secret of the tests';
export const testSeal = new ConfirmationSeal(SECRET);
export const testDraftSeal = new DraftSeal(SECRET);
export const testSmsSeal = new SmsSeal(SECRET);
