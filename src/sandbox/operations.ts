import { SegmentedMessage } from 'sms-segments-calculator';
import type { z } from 'zod';
import type { Clock } from '../core/runtime/clock.ts';
import { accountNameOf } from './account-name.ts';
import type { CallbackSender } from './callback-sender.ts';
import {
  balanceFields,
  lookupFields,
  type PaymentFields,
  paymentFields,
  problemsIn,
  smsFields,
  statusFields,
} from './fields.ts';
import type { PaymentLedger } from './payment-ledger.ts';
import { scenarioOf, settlementAt } from './scenario.ts';

/** What the sandbox does with a request: answers it, or breaks as real services do. */
export type Reply =
  | {
      readonly kind: 'json';
      readonly httpStatus: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'html'; readonly httpStatus: number; readonly page: string }
  | { readonly kind: 'cut' };

export type Operation = (body: unknown) => Reply | Promise<Reply>;

/** Opening balances. */
const SMS_BALANCE = 1000;
const PAYOUT_BALANCE = 2500;
const COLLECTION_BALANCE = 10_000;

const RATE_LIMITS_BEFORE_ACCEPTING = 2;

const BROKEN_PAGE =
  '<!doctype html><html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>';

export const envelope = (
  code: string,
  message: string,
  extra: Readonly<Record<string, unknown>> = {},
  httpStatus = 200,
): Reply => ({
  kind: 'json',
  httpStatus,
  body: { response_code: code, response_message: message, ...extra },
});

type Deps = {
  readonly serviceId: number;
  readonly ledger: PaymentLedger;
  readonly callbacks: CallbackSender;
  readonly clock: Clock;
};

/** The five operations by their paths. */
export const sandboxOperations = (deps: Deps): ReadonlyMap<string, Operation> => {
  const { serviceId } = deps;
  return new Map([
    ['/make_payment', checked(serviceId, paymentFields, (fields) => makePayment(fields, deps))],
    ['/payment_account_lookup', checked(serviceId, lookupFields, ({ pan }) => lookUpAccount(pan))],
    [
      '/check_transaction_status',
      checked(serviceId, statusFields, (fields) => checkStatus(fields.transaction_id, deps)),
    ],
    ['/send_sms', checked(serviceId, smsFields, (fields) => sendSms(fields, deps))],
    ['/check_sms_balance', checked(serviceId, balanceFields, () => checkBalance(deps))],
  ]);
};

const checked =
  <T extends { service_id: number }>(
    serviceId: number,
    schema: z.ZodType<T>,
    answer: (fields: T) => Reply | Promise<Reply>,
  ): Operation =>
  (body) => {
    const read = schema.safeParse(body);
    if (!read.success) return envelope('400', problemsIn(read.error), {}, 400);
    if (read.data.service_id !== serviceId)
      return envelope('403', 'You are not allowed to use this service', {}, 403);
    return answer(read.data);
  };

const makePayment = async (fields: PaymentFields, deps: Deps): Promise<Reply> => {
  const { onRequest } = scenarioOf(fields.customer_number);
  if (onRequest === 'break') return { kind: 'html', httpStatus: 500, page: BROKEN_PAGE };
  if (onRequest === 'rate limit twice' && (await hasToWait(fields.transaction_id, deps)))
    return tooManyRequests();
  await takePayment(fields, deps);
  if (onRequest === 'cut') return { kind: 'cut' };
  const link = `https://checkout.example/pay/${encodeURIComponent(fields.transaction_id)}`;
  return envelope(
    '202',
    'Request received for processing',
    fields.payment_option === 'MOM' ? {} : { redirect_url: link },
  );
};

const hasToWait = async (transactionId: string, { ledger }: Deps): Promise<boolean> =>
  ledger.payment(transactionId) === undefined &&
  (await ledger.countRateLimit(transactionId)) <= RATE_LIMITS_BEFORE_ACCEPTING;

const tooManyRequests = (): Reply => ({
  kind: 'json',
  httpStatus: 429,
  headers: { 'retry-after': '1' },
  body: { response_code: '429', response_message: 'Too many requests' },
});

const takePayment = async (fields: PaymentFields, deps: Deps): Promise<void> => {
  const { ledger, callbacks, clock } = deps;
  const taken = await ledger.take({
    transactionId: fields.transaction_id,
    customerNumber: fields.customer_number,
    amount: fields.amount,
    currencyCode: fields.currency_code,
    reference: fields.reference,
    callbackUrl: fields.callback_url,
    takenAtMs: clock.now(),
    callbacksOwed: scenarioOf(fields.customer_number).callbacks,
  });
  if (taken.times === 1) callbacks.owe(taken);
};

const lookUpAccount = (pan: string): Reply => {
  const { lookup } = scenarioOf(pan);
  if (lookup === 'not found') return envelope('033', 'No account was found for this number');
  return envelope('000', 'Account found', {
    response_data: {
      account_name: accountNameOf(pan),
      account_status: lookup,
      account_type: 'mobile_money',
    },
  });
};

const checkStatus = (transactionId: string, { ledger, clock }: Deps): Reply => {
  const payment = ledger.payment(transactionId);
  if (payment === undefined) return envelope('067', 'No record found');
  const { status, message } = settlementAt(payment, clock.now());
  return envelope('000', message, {
    response_data: {
      transaction_id: transactionId,
      status,
      amount: payment.amount,
      payment_date: new Date(payment.takenAtMs).toISOString(),
    },
  });
};

const sendSms = async (fields: z.infer<typeof smsFields>, { ledger }: Deps): Promise<Reply> => {
  const parts = new SegmentedMessage(fields.msg_body).segmentsCount;
  const units = parts * fields.recipient_number.length;
  if (units > SMS_BALANCE - ledger.smsUsed) return envelope('064', 'SMS balance is too low');
  await ledger.spendSms(units);
  return envelope('000', 'Message sent', {
    response_data: { message_id: `SMS-${fields.unique_id}`, status: 'sent' },
  });
};

const checkBalance = ({ ledger, clock }: Deps): Reply => {
  const nowMs = clock.now();
  const collected = ledger
    .payments()
    .filter((payment) => settlementAt(payment, nowMs).status === 'completed')
    .reduce((sum, { amount, times }) => sum + amount * times, 0);
  return envelope('000', 'Balance retrieved', {
    response_data: {
      sms_balance: SMS_BALANCE - ledger.smsUsed,
      payout_balance: PAYOUT_BALANCE,
      collection_balance: Number((COLLECTION_BALANCE + collected).toFixed(2)),
    },
  });
};
