import { confirmationSeal, draftSeal, smsSeal } from '../../src/core/records/seals.ts';

const SECRET = 'a secret of the tests';
export const testSeal = confirmationSeal(SECRET);
export const testDraftSeal = draftSeal(SECRET);
export const testSmsSeal = smsSeal(SECRET);
