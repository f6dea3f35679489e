import type { Cluster } from '../cluster/cluster.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
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
const PATIENCE_MS: Record<Share, number> = {
  money: 20_000,
  bulk: 20_000,
  person: 20_000,
  background: 30_000,
};
/** What was not asked for want of a turn is due again after this. */
const CHECK_AGAIN_MS = 5_000;

/** Operations that do something; all others only ask, and may be repeated. */
const ORDERS: ReadonlySet<string> = new Set(['make_payment', 'send_sms']);

type Fields = Readonly<Record<string, unknown>>;

export type GatewayParts = {
  readonly clock: Clock;
  readonly log: Log;
  /** What several instances agree on, so that together they keep to the rate. @default this process has the whole rate */
  readonly cluster?: Pick<Cluster, 'reserve'>;
  /** Told of every exchange: how long it waited for its turn, and how long the service took. */
  readonly onExchange?: (
    operation: string,
    times: { readonly waitedMs: number; readonly tookMs: number },
  ) => void;
  /** Where requests wait for their turn. @default a queue of its own, at the rate of the settings */
  readonly queue?: FairQueue;
  /** The way to the service. @default HTTP */
  readonly post?: PostJson;
};

/** A client of the payment service. Throws only when `baseUrl` is no URL. */
export const createGateway = (settings: GatewaySettings, parts: GatewayParts): Gateway => {
  const ask = createAsk(settings, parts);
  const numberOf = (e164: string) => numberForService(e164, settings.numberFormat);
  const requestTime = () => new Date(parts.clock.now()).toISOString();
  const paymentFields = ({ amount, ...request }: PaymentRequest): Fields => ({
    reference: request.reference,
    nickname: settings.nickname,
    transaction_id: request.transactionId,
    // Customer to merchant. A constant: no input may ever turn a charge into a payout.
    trans_type: 'CTM',
    customer_number: numberOf(request.customerNumber),
    nw: request.network,
    amount: moneyToNumber(amount),
    payment_option: request.option,
    callback_url: request.callbackUrl,
    currency_code: amount.currency,
    ...currencyVal(settings.sendCurrencyVal, moneyToNumber(amount)),
    request_time: requestTime(),
  });

  return {
    makePayment: async (request) =>
      paymentOutcome(
        await ask(
          'make_payment',
          request.isOfFile === true ? 'bulk' : 'money',
          () => paymentFields(request),
          request,
        ),
      ),

    lookUpAccount: async ({ number, network, urgency = 'person' }) => {
      const fields = () => ({ pan: numberOf(number), nw: lookupCode(network) });
      return lookupOutcome(await ask('payment_account_lookup', urgency, fields));
    },

    checkStatus: async (transactionId, urgency) => {
      const fields = () => ({ transaction_id: transactionId });
      return statusOutcome(await ask('check_transaction_status', urgency, fields));
    },

    sendSms: async ({ senderId, text, recipients, uniqueId, isOfFile, sendByMs }) => {
      const fields = () => ({
        sender_id: senderId,
        msg_body: text,
        recipient_number: recipients.map(numberOf),
        unique_id: uniqueId,
      });
      return smsOutcome(
        await ask('send_sms', isOfFile === true ? 'bulk' : 'person', fields, defined({ sendByMs })),
      );
    },

    checkBalance: async (urgency = 'person') => {
      const fields = () => ({ request_time: requestTime() });
      return balanceOutcome(await ask('check_sms_balance', urgency, fields));
    },
  };
};

/**
 * Sends one request when its turn has come, or none at all after `sendByMs`. Waiting for the turn is no part of
 * the service's time to answer. Each instance decides by itself which of its requests goes next.
 */
const createAsk = (
  settings: GatewaySettings,
  { clock, log, cluster, onExchange, ...given }: GatewayParts,
) => {
  const post: PostJson = given.post ?? createPostJson(settings);
  const { clientKey, secretKey } = settings;
  const hideKeys = secretHider([clientKey, secretKey, basicCredentials(settings)]);
  const queue = given.queue ?? createQueue(settings, { clock, log, ...defined({ cluster }) });

  return async (
    operation: string,
    share: Share,
    fields: () => Fields,
    {
      sendByMs = clock.now() + PATIENCE_MS[share],
      whyNotToSend,
    }: Pick<PaymentRequest, 'sendByMs' | 'whyNotToSend'> = {},
  ): Promise<Classified> => {
    const askedAtMs = clock.now();
    const isItsTurn = await queue.take(share, sendByMs - askedAtMs);
    const whyNot = isItsTurn ? await whyNotToSend?.() : undefined;
    if (whyNot !== undefined) return { kind: 'notSent', reason: whyNot };
    const startedAtMs = clock.now();
    // The second case: this process was paused.
    if (!isItsTurn || startedAtMs > sendByMs) return untaken(operation, share);
    const body = { service_id: settings.serviceId, ...fields() };
    const result = await post(`/${operation}`, body, ORDERS.has(operation) ? 'order' : 'question');
    const verdict = classifyResponse(result, clock.now(), hideKeys);
    const tookMs = clock.now() - startedAtMs;
    report(log, operation, verdict, tookMs);
    onExchange?.(operation, { waitedMs: startedAtMs - askedAtMs, tookMs });
    return verdict;
  };
};

/** Where requests wait for their turn under the rate, which is that of all merchants together. */
export const createQueue = (
  { requestsPerSecond }: Pick<GatewaySettings, 'requestsPerSecond'>,
  { clock, log, cluster }: Pick<GatewayParts, 'clock' | 'log' | 'cluster'>,
): FairQueue =>
  new FairQueue(
    clock,
    cluster === undefined
      ? localTurns(clock, requestsPerSecond)
      : sharedTurns({ cluster, clock, log, requestsPerSecond }),
  );

/** The verdict on a request that had no turn in time. */
const untaken = (operation: string, share: Share): Classified => {
  // Not an answer, so not a check: the same one again, later.
  if (share === 'background')
    return { kind: 'rateLimited', answer: {}, retryAfterMs: CHECK_AGAIN_MS };
  return { kind: 'notSent', reason: ORDERS.has(operation) ? TOO_LATE : TOO_MANY };
};

const TOO_LATE = 'It could not be sent in time. Type the command again.';
const TOO_MANY = 'Too many questions are waiting. Try again in a minute.';

const currencyVal = (send: GatewaySettings['sendCurrencyVal'], amount: number): Fields =>
  send === 'never' ? {} : { currency_val: send === 'one' ? 1 : amount };

/** The service's message stays out of the log: it may name the customer. */
const report = (log: Log, operation: string, verdict: Classified, tookMs: number): void => {
  const { kind } = verdict;
  const facts = { operation, kind, tookMs };
  if (kind === 'notSent') log.warn({ ...facts, reason: verdict.reason }, 'gateway not reached');
  else if (kind === 'said') log.debug({ ...facts, code: verdict.answer.code }, 'gateway answered');
  else log.warn({ ...facts, code: verdict.answer.code }, 'gateway gave no usable answer');
};
