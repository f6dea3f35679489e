import type {
  Gateway,
  PaymentOutcome,
  PaymentRequest,
  StatusOutcome,
} from '../../src/core/gateway/gateway.ts';

/** A gateway that answers what the test says and remembers what was asked. */
export class StubGateway implements Gateway {
  readonly sent: PaymentRequest[] = [];
  readonly checked: string[] = [];
  onPayment: (request: PaymentRequest) => PaymentOutcome | Promise<PaymentOutcome> = () => ({
    kind: 'accepted',
    answer: { code: '202', message: 'received' },
  });
  onStatus: (id: string) => StatusOutcome | Promise<StatusOutcome> = (id) =>
    statusOf(id, 'pending');

  async makePayment(request: PaymentRequest): Promise<PaymentOutcome> {
    this.sent.push(request);
    return this.onPayment(request);
  }

  async checkStatus(id: string): Promise<StatusOutcome> {
    this.checked.push(id);
    return this.onStatus(id);
  }

  lookUpAccount = async () => ({ kind: 'notFound', answer: {} }) as const;
  sendSms = async () => ({ kind: 'notSent', reason: 'not asked for here' }) as const;
  checkBalance = async () =>
    ({ kind: 'noAnswer', answer: {}, reason: 'not asked for here' }) as const;
}

export const statusOf = (
  transactionId: string,
  status: 'pending' | 'completed' | 'failed' | 'unrecognised',
  changes: { amount?: string; word?: string } = {},
): StatusOutcome => ({
  kind: 'status',
  status,
  word: changes.word ?? status,
  transactionId,
  amount: changes.amount ?? '50.00',
  answer: { code: '000', message: 'ok' },
});
