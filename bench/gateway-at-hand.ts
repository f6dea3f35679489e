import type { Gateway } from '../src/core/gateway/gateway.ts';

const answer = { code: '000', message: 'ok' };

/** A gateway without a network: every payment is accepted, every check says completed. */
export const gatewayAtHand = (): Gateway => ({
  makePayment: async () => ({ kind: 'accepted', answer }),
  checkStatus: async (transactionId) => ({
    kind: 'status',
    status: 'completed',
    word: 'completed',
    transactionId,
    amount: '50.00',
    answer,
  }),
  lookUpAccount: async () => ({ kind: 'notFound', answer }),
  sendSms: async () => ({ kind: 'notSent', reason: 'not asked for here' }),
  checkBalance: async () => ({ kind: 'noAnswer', answer, reason: 'not asked for here' }),
});
