import type {
  BalanceOutcome,
  Gateway,
  PaymentOutcome,
  PaymentRequest,
  SmsOutcome,
  StatusOutcome,
} from '../../src/core/gateway/gateway.ts';

type SmsRequest = Parameters<Gateway['sendSms']>[0];

/** A gateway that answers what the test says and remembers what was asked. */
export class StubGateway implements Gateway {
  readonly sent: PaymentRequest[] = [];
  readonly checked: string[] = [];
  readonly texted: SmsRequest[] = [];
  onPayment: (request: PaymentRequest) => PaymentOutcome | Promise<PaymentOutcome> = () => ({
    kind: 'accepted',
    answer: { code: '202', message: 'received' },
  });
  onStatus: (id: string) => StatusOutcome | Promise<StatusOutcome> = (id) =>
    statusOf(id, 'pending');

  onSms: (request: SmsRequest) => SmsOutcome | Promise<SmsOutcome> = () => ({
    kind: 'notSent',
    reason: 'not asked for here',
  });

  onBalance: () => BalanceOutcome | Promise<BalanceOutcome> = () => ({
    kind: 'noAnswer',
    answer: {},
    reason: 'not asked for here',
  });

  async makePayment(request: PaymentRequest): Promise<PaymentOutcome> {
    const reason = await request.whyNotToSend?.();
    if (reason !== undefined) return { kind: 'notSent', reason };
    this.sent.push(request);
    return this.onPayment(request);
  }

  async checkStatus(id: string): Promise<StatusOutcome> {
    this.checked.push(id);
    return this.onStatus(id);
  }

  lookUpAccount = async () => ({ kind: 'notFound', answer: {} }) as const;

  async sendSms(request: SmsRequest): Promise<SmsOutcome> {
    this.texted.push(request);
    return this.onSms(request);
  }

  checkBalance = async (): Promise<BalanceOutcome> => this.onBalance();
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
