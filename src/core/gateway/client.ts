import type { Cluster } from '../cluster/cluster.ts';
import type { Clock } from '../runtime/clock.ts';
import { assertNever } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { secretHider } from '../runtime/masking.ts';
import { type NumberFormat, numberForService } from '../values/customer-number.ts';
import { moneyToNumber } from '../values/money.ts';
import { lookupCode } from '../values/network.ts';
import { type Classified, classifyResponse } from './classify-response.ts';
import type { Gateway, PaymentRequest } from './gateway.ts';
import {
  balanceOutcome,
  lookupOutcome,
  paymentOutcome,
  smsOutcome,
  statusOutcome,
} from './outcome.ts';
import {
  basicCredentials,
  createPostJson,
  type PostJson,
  type PostJsonSettings,
} from './post-json.ts';
import { FairQueue, localTurns, type Share, sharedTurns } from './turns.ts';

export type GatewaySettings = PostJsonSettings & {
  readonly serviceId: number;
  /** The merchant name that the payer sees. */
  readonly nickname: string;
  /** Over all operations together. */
  readonly requestsPerSecond: number;
  /** Whether the undocumented `currency_val` is sent, and what as. */
  readonly sendCurrencyVal: 'never' | 'amount' | 'one';
  readonly numberFormat: NumberFormat;
};

/** How long a request waits for its turn, unless its sender says. */
const PATIENCE_MS: Record<Share, number> = { money: 20_000, person: 20_000, background: 30_000 };
/** What was not asked for want of a turn is due again after this. */
const CHECK_AGAIN_MS = 5_000;

/** Operations that do something; all others only ask, and may be repeated. */
const ORDERS: ReadonlySet<string> = new Set(['make_payment', 'send_sms']);

type Fields = Readonly<Record<string, unknown>>;
/** What can still hold a request back when its turn has come. */
type LastLook = Pick<PaymentRequest, 'sendByMs' | 'whyNotToSend'>;

/**
 * A client of the payment service. Throws only when `baseUrl` is no URL. `cluster` is what several instances
 * agree on, so that together they keep to the rate; each decides by itself which of its requests goes next.
 */
export const createGateway = (
  settings: GatewaySettings,
  {
    clock,
    log,
    cluster,
    onExchange,
    post: given,
  }: {
    clock: Clock;
    log: Log;
    /** @default this process has the whole rate */
    cluster?: Pick<Cluster, 'reserve'>;
    /** Told of every exchange: how long it waited for its turn, and how long the service took. */
    onExchange?: (operation: string, times: { waitedMs: number; tookMs: number }) => void;
    /** The way to the service. @default HTTP */
    post?: PostJson;
  },
): Gateway => {
  const post: PostJson = given ?? createPostJson(settings);
  const { clientKey, secretKey } = settings;
  const hideKeys = secretHider([clientKey, secretKey, basicCredentials(settings)]);
  const { requestsPerSecond } = settings;
  const nextTurn =
    cluster === undefined
      ? localTurns(clock, requestsPerSecond)
      : sharedTurns({ cluster, clock, log, requestsPerSecond });
  const queue = new FairQueue(clock, nextTurn);
  const numberOf = (e164: string) => numberForService(e164, settings.numberFormat);
  const requestTime = () => new Date(clock.now()).toISOString();

  /** One request, or none at all after `sendByMs`. Waiting for its turn is no part of the service's time to answer. */
  const ask = async (
    operation: string,
    share: Share,
    fields: () => Fields,
    { sendByMs = clock.now() + PATIENCE_MS[share], whyNotToSend }: LastLook = {},
  ): Promise<Classified> => {
    const askedAtMs = clock.now();
    const isItsTurn = await queue.take(share, sendByMs - askedAtMs);
    const whyNot = isItsTurn ? await whyNotToSend?.() : undefined;
    if (whyNot !== undefined) return { kind: 'notSent', reason: whyNot };
    const startedAtMs = clock.now();
    // The second case: this process stood still.
    if (!isItsTurn || startedAtMs > sendByMs) return untaken(operation, share);
    const body = { service_id: settings.serviceId, ...fields() };
    const result = await post(`/${operation}`, body, ORDERS.has(operation) ? 'order' : 'question');
    const verdict = classifyResponse(result, clock.now(), hideKeys);
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
      paymentOutcome(await ask('make_payment', 'money', () => paymentFields(request), request)),

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
      return smsOutcome(
        await ask('send_sms', 'person', fields, sendByMs === undefined ? {} : { sendByMs }),
      );
    },

    checkBalance: async () =>
      balanceOutcome(
        await ask('check_sms_balance', 'person', () => ({ request_time: requestTime() })),
      ),
  };
};

/** The verdict on a request that had no turn in time. */
const untaken = (operation: string, share: Share): Classified => {
  // Not an answer, so not a check: the same one again, later.
  if (share === 'background')
    return { kind: 'rateLimited', answer: {}, retryAfterMs: CHECK_AGAIN_MS };
  return { kind: 'notSent', reason: ORDERS.has(operation) ? TOO_LATE : TOO_MANY };
};

const TOO_LATE = 'It could not be sent in time. Type the command again.';
const TOO_MANY = 'Too many questions are waiting. Try again in a minute.';

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
const report = (log: Log, operation: string, verdict: Classified, tookMs: number): void => {
  const { kind } = verdict;
  const facts = { operation, kind, tookMs };
  if (kind === 'notSent') log.warn({ ...facts, reason: verdict.reason }, 'gateway not reached');
  else if (kind === 'said') log.debug({ ...facts, code: verdict.answer.code }, 'gateway answered');
  else log.warn({ ...facts, code: verdict.answer.code }, 'gateway gave no usable answer');
};
