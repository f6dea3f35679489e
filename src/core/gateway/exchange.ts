import type { Log } from '../runtime/log.ts';
import type { NumberFormat } from '../values/customer-number.ts';
import {
  type Classified,
  classifyResponse,
  type Envelope,
  type Reader,
} from './classify-response.ts';
import type { PaymentRequest } from './gateway.ts';
import {
  createPostJson,
  type PostJson,
  type PostJsonSettings,
  type RequestKind,
} from './post-json.ts';
import { createQueue, type FairQueue, type QueueParts, type Share } from './turns.ts';

export type ExchangeSettings = Omit<PostJsonSettings, 'authorization'> & {
  /** Over all operations together. */
  readonly requestsPerSecond: number;
};

/** How an account is asked: its keys and what an operator sets, of which a provider reads what it needs. */
export type GatewaySettings = ExchangeSettings & {
  readonly clientKey: string;
  readonly secretKey: string;
  readonly serviceId: number;
  /** The merchant name that the payer sees. */
  readonly nickname: string;
  /** Whether the undocumented `currency_val` is sent, and what as. */
  readonly sendCurrencyVal: 'never' | 'amount' | 'one';
  readonly numberFormat: NumberFormat;
};

export type GatewayParts = QueueParts & {
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

export type Fields = Readonly<Record<string, unknown>>;

/** How one provider is spoken to. */
export type Dialect<E extends Envelope> = Reader<E> & {
  readonly pathOf: (operation: Operation) => string;
  readonly authorization: PostJsonSettings['authorization'];
  /** Sent with every request. */
  readonly ownFields: Fields;
};

/** The operations by their names in metrics, alerts and logs. Orders do something; questions may be repeated. */
const KINDS = {
  make_payment: 'order',
  payment_account_lookup: 'question',
  check_transaction_status: 'question',
  send_sms: 'order',
  check_sms_balance: 'question',
} as const satisfies Readonly<Record<string, RequestKind>>;

export type Operation = keyof typeof KINDS;

/** How long a request waits for its turn, unless its sender says. */
const patienceMs = (share: Share): number => (share === 'background' ? 30_000 : 20_000);
/** What was not asked for want of a turn is due again after this. */
const CHECK_AGAIN_MS = 5_000;

/**
 * Sends one request when its turn has come, or none at all after `sendByMs`. Waiting for the turn is no part of
 * the service's time to answer. Each instance decides by itself which of its requests goes next.
 */
export const createExchange = <E extends Envelope>(
  settings: ExchangeSettings,
  { pathOf, authorization, ownFields, ...reader }: Dialect<E>,
  parts: GatewayParts,
) => {
  const { clock, log, onExchange } = parts;
  const post = parts.post ?? createPostJson({ ...settings, authorization });
  const queue = parts.queue ?? createQueue(settings.requestsPerSecond, parts);

  return async (
    operation: Operation,
    share: Share,
    fields: () => Fields,
    {
      sendByMs = clock.now() + patienceMs(share),
      whyNotToSend,
    }: Pick<PaymentRequest, 'sendByMs' | 'whyNotToSend'> = {},
  ): Promise<Classified<E>> => {
    const askedAtMs = clock.now();
    const isItsTurn = await queue.take(share, sendByMs - askedAtMs);
    const whyNot = isItsTurn ? await whyNotToSend?.() : undefined;
    if (whyNot !== undefined) return { kind: 'notSent', reason: whyNot };
    const startedAtMs = clock.now();
    // The second case: this process was paused.
    if (!isItsTurn || startedAtMs > sendByMs) return untaken(operation, share);
    const body = { ...ownFields, ...fields() };
    const result = await post(pathOf(operation), body, KINDS[operation]);
    const verdict = classifyResponse(result, reader, clock.now());
    const tookMs = clock.now() - startedAtMs;
    report(log, operation, verdict, tookMs);
    onExchange?.(operation, { waitedMs: startedAtMs - askedAtMs, tookMs });
    return verdict;
  };
};

/** The verdict on a request that had no turn in time. */
const untaken = (operation: Operation, share: Share): Classified<never> => {
  // Not an answer, so not a check: the same one again, later.
  if (share === 'background')
    return { kind: 'rateLimited', answer: {}, retryAfterMs: CHECK_AGAIN_MS };
  return { kind: 'notSent', reason: KINDS[operation] === 'order' ? TOO_LATE : TOO_MANY };
};

const TOO_LATE = 'It could not be sent in time. Type the command again.';
const TOO_MANY = 'Too many questions are waiting. Try again in a minute.';

/** The service's message stays out of the log: it may name the customer. */
const report = (log: Log, operation: Operation, verdict: Classified, tookMs: number): void => {
  const { kind } = verdict;
  const facts = { operation, kind, tookMs };
  if (kind === 'notSent') log.warn({ ...facts, reason: verdict.reason }, 'gateway not reached');
  else if (kind === 'said') log.debug({ ...facts, code: verdict.answer.code }, 'gateway answered');
  else log.warn({ ...facts, code: verdict.answer.code }, 'gateway gave no usable answer');
};
