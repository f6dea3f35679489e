import { SegmentedMessage } from 'sms-segments-calculator';
import { z } from 'zod';
import type { Answer } from '../core/http/answer.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { CallbackSender } from './callback-sender.ts';
import type { PaymentLedger } from './payment-ledger.ts';
import { accountNameOf, scenarioOf, settlementAt } from './scenario.ts';

/** What the sandbox does with a request: answers it, or cuts the connection as real services do. */
export type Reply = Answer | 'cut';

export type Handler = (body: unknown) => Reply | Promise<Reply>;

/** The requests as the service document describes them; further fields are let through unread. */
const filled = z.string().min(1);
const phone = z.string().regex(/^\+?\d{9,15}$/);
const serviceId = z.int();
const instant = z.iso.datetime({ offset: true });

const paymentFields = z.object({
  service_id: serviceId,
  reference: filled,
  nickname: filled,
  transaction_id: filled.max(64),
  trans_type: z.literal('CTM'),
  customer_number: phone,
  nw: z.enum(['MTN', 'VOD', 'AIR', 'VIS', 'MAS']),
  amount: z.number().positive(),
  payment_option: z.enum(['MOM', 'CRD', 'CRM']),
  callback_url: z.url({ protocol: /^https?$/ }),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  currency_val: z.number().optional(),
  request_time: instant.optional(),
});
type PaymentFields = z.infer<typeof paymentFields>;

const lookupFields = z.object({
  service_id: serviceId,
  pan: phone,
  // Not the codes of a payment; the document gives these three as examples.
  nw: z.enum(['MTN', 'VODA', 'AIRTELTIGO', 'VIS', 'MAS']),
});

const statusFields = z.object({ service_id: serviceId, transaction_id: filled });

const smsFields = z.object({
  service_id: serviceId,
  sender_id: filled.max(11),
  msg_body: filled,
  recipient_number: z.array(phone).min(1),
  unique_id: filled,
});

const balanceFields = z.object({ service_id: serviceId, request_time: instant });

const SMS_BALANCE = 1000;
const PAYOUT_BALANCE = 2500;
const COLLECTION_BALANCE = 10_000;

const RATE_LIMITS_BEFORE_ACCEPTING = 2;

const BROKEN_PAGE =
  '<!doctype html><html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>';

const json = (status: number, body: Readonly<Record<string, unknown>>): Answer => ({
  status,
  type: 'application/json',
  text: JSON.stringify(body),
});

const envelope = (code: string, message: string, extra: object = {}): Answer =>
  json(200, { response_code: code, response_message: message, ...extra });

export const refused = (status: number, message: string): Answer =>
  json(status, { response_code: String(status), response_message: message });

type Deps = {
  readonly serviceId: number;
  readonly ledger: PaymentLedger;
  readonly callbacks: CallbackSender;
  readonly clock: Clock;
  /** Payments wait for the customer's answer, whatever the number. */
  readonly hasPrompts: boolean;
};

export const sandboxOperations = (deps: Deps): ReadonlyMap<string, Handler> =>
  new Map([
    ['/make_payment', checked(deps, paymentFields, makePayment)],
    ['/payment_account_lookup', checked(deps, lookupFields, lookUpAccount)],
    ['/check_transaction_status', checked(deps, statusFields, checkStatus)],
    ['/send_sms', checked(deps, smsFields, sendSms)],
    ['/check_sms_balance', checked(deps, balanceFields, checkBalance)],
  ]);

const checked =
  <T extends { service_id: number }>(
    deps: Deps,
    schema: z.ZodType<T>,
    answer: (fields: T, deps: Deps) => Reply | Promise<Reply>,
  ): Handler =>
  (body) => {
    const read = schema.safeParse(body);
    if (!read.success) {
      // Such as `amount: Invalid input: expected number, received string`.
      const problems = read.error.issues.map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      );
      return refused(400, problems.join('; '));
    }
    if (read.data.service_id !== deps.serviceId)
      return refused(403, 'You are not allowed to use this service');
    return answer(read.data, deps);
  };

const makePayment = async (fields: PaymentFields, deps: Deps): Promise<Reply> => {
  const { onRequest } = scenarioOf(fields.customer_number);
  if (onRequest === 'break') return { status: 500, type: 'text/html', text: BROKEN_PAGE };
  if (onRequest === 'rate limit twice' && (await hasToWait(fields.transaction_id, deps)))
    return { ...refused(429, 'Too many requests'), headers: { 'retry-after': '1' } };
  await takePayment(fields, deps);
  if (onRequest === 'cut') return 'cut';
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

const takePayment = async (fields: PaymentFields, deps: Deps): Promise<void> => {
  const { ledger, callbacks, clock, hasPrompts } = deps;
  const { end, callbacks: owed } = scenarioOf(fields.customer_number);
  const taken = await ledger.take({
    transactionId: fields.transaction_id,
    customerNumber: fields.customer_number,
    amount: fields.amount,
    currencyCode: fields.currency_code,
    reference: fields.reference,
    callbackUrl: fields.callback_url,
    takenAtMs: clock.now(),
    // What waits for an answer ends, even where its number says that it never does.
    callbacksOwed: hasPrompts && end === undefined ? 1 : owed,
    ...(hasPrompts ? { prompt: { answer: 'none' } } : {}),
  });
  if (taken.times === 1) callbacks.owe(taken);
};

const lookUpAccount = ({ pan }: z.infer<typeof lookupFields>): Reply => {
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

const checkStatus = (fields: z.infer<typeof statusFields>, { ledger, clock }: Deps): Reply => {
  const payment = ledger.payment(fields.transaction_id);
  if (payment === undefined) return envelope('067', 'No record found');
  const { status, message } = settlementAt(payment, clock.now());
  return envelope('000', message, {
    response_data: {
      transaction_id: payment.transactionId,
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

const checkBalance = (_: unknown, { ledger, clock }: Deps): Reply => {
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
