import type { PostResult } from '../../../src/core/gateway/post-json.ts';
import { Dice } from '../storm/dice.ts';
import { CallbackSender, type SendCallback } from './callback-sender.ts';
import { type Charge, wordAt } from './charges.ts';
import {
  busy,
  type Fate,
  fateOf,
  NO_ANSWER,
  PROVEN_NOT,
  REFUSED_CONNECTION,
  type Reply,
  replyTo,
  said,
  TAKEN,
  truthsOf,
  UNREADABLE,
} from './gateway-fates.ts';
import type { Timeline } from './timeline.ts';
import type { Trace } from './trace.ts';
import { calmWeather, type Weather } from './weather.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One `make_payment` that arrived or was on its way. */
export type Posting = {
  readonly id: string;
  readonly atMs: number;
  readonly fields: Fields;
  readonly fate: Fate;
  /** The answer proves that nothing was taken. */
  readonly provenNot: boolean;
};

/** An outcome that was told in answer to a status check. */
export type StatusTold = {
  readonly id: string;
  readonly atMs: number;
  readonly word: string;
  readonly amountMinor: number;
};

/** One `send_sms` as it was received. */
export type Texting = {
  readonly atMs: number;
  readonly uniqueId: string;
  readonly recipients: readonly string[];
  readonly text: string;
  /** By whose keys, where there are merchants. */
  readonly serviceId: unknown;
  readonly fate: Fate;
  readonly isAccepted: boolean;
};

const MINUTE_MS = 60_000;

/** The payment service with books of its own, and every bad habit that its weather gives it. */
export class SimulatedGateway {
  readonly postings: Posting[] = [];
  readonly charges: Charge[] = [];
  readonly told: StatusTold[] = [];
  readonly texts: Texting[] = [];
  /** The moments of all requests. */
  readonly requestsAtMs: number[] = [];
  readonly #timeline: Timeline;
  readonly #trace: Trace;
  readonly #dice: Dice;
  readonly #seed: number;
  readonly #timeoutMs: number;
  readonly #fates: Fate[];
  readonly #callbacks: CallbackSender;
  readonly #takenWhileBusy = new Set<string>();
  #weather: Weather;
  #downUntilMs = 0;

  constructor(options: {
    timeline: Timeline;
    trace: Trace;
    weather: Weather;
    seed: number;
    timeoutMs: number;
    /** Of the first requests for money; of others by chance. */
    fates: readonly Fate[];
    send: SendCallback;
  }) {
    this.#timeline = options.timeline;
    this.#trace = options.trace;
    this.#weather = options.weather;
    this.#seed = options.seed;
    this.#dice = new Dice(options.seed ^ 0x6a7e);
    this.#timeoutMs = options.timeoutMs;
    this.#fates = [...options.fates];
    this.#callbacks = new CallbackSender({ ...options, dice: new Dice(options.seed ^ 0xca11) });
  }

  /** Callbacks that were answered with 200. */
  get heardOf(): CallbackSender['heard'] {
    return this.#callbacks.heard;
  }

  goDown(ms: number): void {
    this.#downUntilMs = this.#timeline.nowMs + ms;
    this.#trace.note(`gateway down for ${ms}`);
  }

  heal(): void {
    this.#weather = calmWeather(this.#weather);
    this.#downUntilMs = 0;
    this.#callbacks.heal();
  }

  serve(path: string, fields: Fields, answer: (exchange: PostResult) => void): void {
    this.requestsAtMs.push(this.#timeline.nowMs);
    const [exchange, tookMs] = this.#answer(path, fields);
    this.#timeline.after(tookMs ?? this.#dice.whole(20, 400), () => {
      const said = exchange.kind === 'answered' ? `${exchange.httpStatus}` : exchange.reason;
      this.#trace.note(`gateway answers ${said}`);
      answer(exchange);
    });
  }

  #answer(path: string, fields: Fields): Reply {
    switch (path) {
      case '/make_payment':
        return this.#makePayment(fields);
      case '/check_transaction_status':
        return this.#status(String(fields['transaction_id']));
      case '/send_sms':
        return this.#sendSms(fields);
      case '/check_sms_balance':
        return this.#balances();
      default:
        this.#trace.note(`lookup ${String(fields['pan']).slice(-4)}`);
        return this.#isDown() ? [REFUSED_CONNECTION] : [said(200, '000', KOFI)];
    }
  }

  /** Draws no dice: the worlds of earlier seeds stay as they were. */
  #balances(): Reply {
    this.#trace.note('check_sms_balance');
    if (this.#isDown()) return [REFUSED_CONNECTION, 50];
    const left = { sms_balance: 1_000 - this.texts.length, payout_balance: 500 };
    return [said(200, '000', { ...left, collection_balance: this.charges.length }), 50];
  }

  #isDown(): boolean {
    return this.#timeline.nowMs < this.#downUntilMs;
  }

  #makePayment(fields: Fields): Reply {
    const id = String(fields['transaction_id']);
    const amountMinor = Math.round(Number(fields['amount']) * 100);
    const earlier = this.postings.filter((posting) => posting.id === id).length;
    // Of its own for each payment, so that what comes of it does not hang on when it was asked.
    const dice = new Dice(this.#seed * 31 + amountMinor * 7 + earlier);
    const fate = this.#isDown() ? 'unsent' : (this.#fates.shift() ?? fateOf(dice, this.#weather));
    this.#trace.note(`make_payment ${id} ${amountMinor} ${fate}`);
    const provenNot = PROVEN_NOT.has(fate);
    this.postings.push({ id, atMs: this.#timeline.nowMs, fields, fate, provenNot });
    const takes = this.#takes(fate, dice);
    const reply = replyTo(fate, { dice, timeoutMs: this.#timeoutMs, nowMs: this.#timeline.nowMs });
    const isTaken = takes || (fate === 'busy' && dice.chance(this.#weather.busyTaken));
    // What it took under a 429 it recognises; anything else that comes twice is charged twice.
    if (!isTaken || this.#takenWhileBusy.has(id)) return reply;
    if (fate === 'busy') this.#takenWhileBusy.add(id);
    const delayMs = fate === 'arrivesLate' ? this.#timeoutMs + dice.whole(1_000, 120_000) : 0;
    const charge = this.#take(fields, dice, delayMs);
    if ((fate !== 'taken' && fate !== 'busy') || !dice.chance(this.#weather.callbackEarly))
      return reply;
    this.#callbacks.send(charge, 'received');
    return [reply[0], 2_000];
  }

  /** Nothing is recognised as a repetition here either, and no status can be asked for. */
  #sendSms(fields: Fields): Reply {
    const drawn = this.#isDown() ? 'unsent' : fateOf(this.#dice, this.#weather);
    const fate = drawn === 'oddStatus' ? 'oddAnswer' : drawn;
    const isAccepted =
      TAKEN.has(fate) || (['serverError', 'oddAnswer'].includes(fate) && this.#dice.chance(0.5));
    const [uniqueId, text] = [String(fields['unique_id']), String(fields['msg_body'])];
    const recipients = fields['recipient_number'] as string[];
    this.#trace.note(`send_sms ${uniqueId} ${fate}`);
    const { nowMs } = this.#timeline;
    this.texts.push({
      atMs: nowMs,
      uniqueId,
      recipients,
      text,
      serviceId: fields['service_id'],
      fate,
      isAccepted,
    });
    if (fate === 'taken') return [said(200, '000', { message_id: uniqueId, status: 'sent' })];
    return replyTo(fate, { dice: this.#dice, timeoutMs: this.#timeoutMs, nowMs });
  }

  #takes(fate: Fate, dice: Dice): boolean {
    if (TAKEN.has(fate)) return true;
    if (fate === 'refused' || fate === 'keysRefused')
      return dice.chance(this.#weather.lyingRefusal);
    return (fate === 'serverError' || fate === 'oddAnswer') && dice.chance(0.5);
  }

  #take(fields: Fields, dice: Dice, delayMs: number): Charge {
    const atMs = this.#timeline.nowMs + delayMs;
    const weather = this.#weather;
    const charge: Charge = {
      id: String(fields['transaction_id']),
      amountMinor: Math.round(Number(fields['amount']) * 100),
      customerNumber: String(fields['customer_number']),
      atMs,
      foundAtMs: atMs + (dice.chance(weather.notFoundFirst) ? dice.whole(0, 40 * MINUTE_MS) : 0),
      truths: truthsOf(dice, weather, atMs),
      lagMs: dice.chance(weather.staleStatus) ? dice.whole(1_000, 30 * MINUTE_MS) : 0,
      callbackUrl: String(fields['callback_url']),
    };
    this.charges.push(charge);
    this.#callbacks.owe(charge, dice);
    return charge;
  }

  #status(id: string): Reply {
    this.#trace.note(`check_transaction_status ${id}`);
    if (this.#isDown()) return [REFUSED_CONNECTION];
    const { nowMs } = this.#timeline;
    const charge = this.charges.find((each) => each.id === id && each.foundAtMs <= nowMs);
    if (this.#dice.chance(this.#weather.statusTrouble)) return this.#trouble(charge);
    if (charge === undefined) return [this.#notFound()];
    const word = wordAt(charge, nowMs - charge.lagMs);
    const wrong = this.#dice.chance(this.#weather.wrongAmount);
    const amountMinor = charge.amountMinor + (wrong ? 100 : 0);
    this.told.push({ id, atMs: nowMs, word, amountMinor });
    return [said(200, '000', { transaction_id: id, status: word, amount: amountMinor / 100 })];
  }

  #trouble(charge: Charge | undefined): Reply {
    switch (this.#dice.whole(0, 5)) {
      case 0:
        return [NO_ANSWER, this.#timeoutMs];
      case 1:
        return [busy(this.#dice, this.#timeline.nowMs)];
      case 2:
        return [said(401, '401')];
      case 3:
        return [{ kind: 'answered', httpStatus: 502, body: UNREADABLE }];
      case 4:
        // What has ended is not forgotten.
        return charge?.truths.some(({ atMs }) => atMs <= this.#timeline.nowMs)
          ? [NO_ANSWER]
          : [this.#notFound()];
      default:
        return [said(200, '000', { status: 'hm' })];
    }
  }

  #notFound(): PostResult {
    return said(this.#dice.chance(0.5) ? 200 : 404, '067');
  }
}

const KOFI = { account_name: 'KOFI MENSAH', account_status: 'active', account_type: 'wallet' };
