import { ConfirmationSeal } from '../../src/core/payments/confirmation-seal.ts';

export const testSeal = new ConfirmationSeal('a secret of the tests');
