import type { Clock } from '../clock.ts';
import { type NumberFormat, numberForService } from '../customer-number.ts';
import { assertNever } from '../errors.ts';
import type { Log } from '../log.ts';
import { secretHider } from '../masking.ts';
import { moneyToNumber } from '../money.ts';
import { lookupCode } from '../network.ts';
import type { Pace, PaceLimit } from '../pacer.ts';
import { basicCredentials, createPost, type Post, type PostSettings } from './exchange.ts';
import type { Gateway, PaymentRequest, Urgency } from './gateway.ts';
import {
  balanceOutcome,
  lookupOutcome,
  paymentOutcome,
  smsOutcome,
  statusOutcome,
} from './outcome.ts';
import { RateLimit } from './rate-limit.ts';
import { judge, type Verdict } from './verdict.ts';

export type GatewaySettings = PostSettings & {
  readonly serviceId: number;
  /** The merchant name that the payer sees. */
  readonly nickname: string;
  /** Over all operations together. */
  readonly requestsPerSecond: number;
  /** Whether the undocumented `currency_val` is sent, and what as. */
  readonly sendCurrencyVal: 'never' | 'amount' | 'one';
  readonly numberFormat: NumberFormat;
};

const TOO_LATE = 'Its turn to be sent came too late.';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A client of the payment service. Throws only when `baseUrl` is no URL. `pace` is what several instances
 * agree on, so that together they keep to the rate; each queues its own requests before it.
 */
export const createGateway = (
  settings: GatewaySettings,
  {
    clock,
    log,
    pace,
    onExchange,
    post: given,
  }: {
    clock: Clock;
    log: Log;
    pace?: Pick<Pace, 'take'>;
    /** Told of every exchange: how long it waited for its turn, and how long the service took. */
    onExchange?: (operation: string, times: { waitedMs: number; tookMs: number }) => void;
    /** The way to the service. @default one HTTP request over a connection of its own */
    post?: Post;
  },
): Gateway => {
  const post: Post = given ?? createPost(settings);
  const { clientKey, secretKey } = settings;
  const hideKeys = secretHider([clientKey, secretKey, basicCredentials(settings)]);
  const rateLimit = new RateLimit(clock, settings.requestsPerSecond);
  const numberOf = (e164: string) => numberForService(e164, settings.numberFormat);
  const requestTime = () => new Date(clock.now()).toISOString();

  const turn: PaceLimit = { key: 'gateway', burst: 1, perMs: 1000 / settings.requestsPerSecond };
  const sharedTurn = async (): Promise<void> => {
    for (let waitMs = 1; pace !== undefined && waitMs > 0; ) {
      waitMs = await pace.take([turn]);
      if (waitMs > 0) await clock.sleep(waitMs);
    }
  };

  /** One request, sent once. Waiting for its turn is no part of the service's time to answer. */
  const ask = async (
    operation: string,
    urgency: Urgency,
    fields: () => Fields,
    sendByMs = Number.POSITIVE_INFINITY,
  ): Promise<Verdict> => {
    const askedAtMs = clock.now();
    await rateLimit.take(urgency);
    await sharedTurn();
    const startedAtMs = clock.now();
    // A long queue, or this process stood still.
    if (startedAtMs > sendByMs) return { kind: 'notSent', reason: TOO_LATE };
    const exchange = await post(`/${operation}`, { service_id: settings.serviceId, ...fields() });
    const verdict = judge(exchange, clock.now(), hideKeys);
    const tookMs = clock.now() - startedAtMs;
    report(log, operation, verdict, tookMs);
    onExchange?.(operation, { waitedMs: startedAtMs - askedAtMs, tookMs });
    return verdict;
  };

  const paymentFields = (request: PaymentRequest): Fields => {
    const amount = moneyToNumber(request.amount);
    return {
      reference: request.reference,
      nickname: settings.nickname,
      transaction_id: request.transactionId,
      // Customer to merchant. A constant: no input may ever turn a charge into a payout.
      trans_type: 'CTM',
      customer_number: numberOf(request.customerNumber),
      nw: request.network,
      amount,
      payment_option: request.option,
      callback_url: request.callbackUrl,
      currency_code: request.amount.currency,
      ...currencyVal(settings.sendCurrencyVal, amount),
      request_time: requestTime(),
    };
  };

  return {
    makePayment: async (request) =>
      paymentOutcome(
        await ask('make_payment', 'person', () => paymentFields(request), request.sendByMs),
      ),

    lookUpAccount: async ({ number, network }) =>
      lookupOutcome(
        await ask('payment_account_lookup', 'person', () => ({
          pan: numberOf(number),
          nw: lookupCode(network),
        })),
      ),

    checkStatus: async (transactionId, urgency) =>
      statusOutcome(
        await ask('check_transaction_status', urgency, () => ({ transaction_id: transactionId })),
      ),

    sendSms: async ({ senderId, text, recipients, uniqueId, sendByMs }) => {
      const fields = () => ({
        sender_id: senderId,
        msg_body: text,
        recipient_number: recipients.map(numberOf),
        unique_id: uniqueId,
      });
      return smsOutcome(await ask('send_sms', 'person', fields, sendByMs));
    },

    checkBalance: async () =>
      balanceOutcome(
        await ask('check_sms_balance', 'person', () => ({ request_time: requestTime() })),
      ),
  };
};

const currencyVal = (send: GatewaySettings['sendCurrencyVal'], amount: number): Fields => {
  switch (send) {
    case 'never':
      return {};
    case 'amount':
      return { currency_val: amount };
    case 'one':
      return { currency_val: 1 };
    default:
      return assertNever(send);
  }
};

/** The service's message stays out of the log: it may name the customer. */
const report = (log: Log, operation: string, verdict: Verdict, tookMs: number): void => {
  const { kind } = verdict;
  const facts = { operation, kind, tookMs };
  if (kind === 'notSent') log.warn({ ...facts, reason: verdict.reason }, 'gateway not reached');
  else if (kind === 'said') log.debug({ ...facts, code: verdict.answer.code }, 'gateway answered');
  else log.warn({ ...facts, code: verdict.answer.code }, 'gateway gave no usable answer');
};
