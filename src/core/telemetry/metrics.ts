import { collectDefaultMetrics } from 'prom-client';
import type { Pace } from '../cluster/rate-limiter.ts';
import type { Notice } from '../records/notice.ts';
import { outcomeWord } from '../records/payment.ts';
import type { Change, Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';
import { MetricRegister } from './metric-register.ts';
import { moneyCounters, type Shops } from './money-counters.ts';
import type { AroundCall, OnCommit } from './observer.ts';
import { stateGauges } from './state-gauges.ts';

/** From half a millisecond, a commit on a good disk, to ten seconds. */
const QUICK_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** What goes over the internet, up to the longest patience with the payment service. */
const REMOTE_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 120];
/** Anything else a callback was answered with is one label. */
const CALLBACK_ANSWERS = new Set([200, 404, 413, 503]);

export type ProcessInfo = { readonly version: string; readonly store: 'embedded' | 'postgres' };

/**
 * The numbers an operator watches, as Prometheus text. No label ever holds a number, a name or an id:
 * the count of time series stays the same however much is paid.
 */
export class Metrics {
  readonly #register = new MetricRegister();
  readonly #answers = this.#register.counter(
    'paythread_gateway_answers_total',
    'Answers of the payment service by operation and outcome',
    ['operation', 'outcome'],
  );
  readonly #gatewaySeconds = this.#register.histogram(
    'paythread_gateway_duration_seconds',
    'How long the payment service took to answer, by operation',
    REMOTE_SECONDS,
    ['operation'],
  );
  readonly #gatewayWaitSeconds = this.#register.histogram(
    'paythread_gateway_wait_seconds',
    'How long a request waited for its turn under PAYMENTS_RATE, by operation',
    REMOTE_SECONDS,
    ['operation'],
  );
  readonly #callbackSeconds = this.#register.histogram(
    'paythread_callback_duration_seconds',
    'How long a callback took to be answered, by the status it was answered with',
    QUICK_SECONDS,
    ['answer'],
  );
  readonly #commandSeconds = this.#register.histogram(
    'paythread_command_duration_seconds',
    'How long a command took to be carried out, by command and how it was given',
    REMOTE_SECONDS,
    ['command', 'by'],
  );
  readonly #deliveries = this.#register.counter(
    'paythread_deliveries_total',
    'Attempts at delivering what is owed to chats, by platform, what it is, and what came of it',
    ['platform', 'what', 'result'],
  );
  readonly #noticeSeconds = this.#register.histogram(
    'paythread_notice_delay_seconds',
    'From when a notice was owed to when it was delivered, by what it is',
    REMOTE_SECONDS,
    ['what'],
  );
  readonly #limits = this.#register.counter(
    'paythread_chat_limits_hit_total',
    'How often a chat platform asked for patience',
    ['platform'],
  );
  readonly #commitSeconds = this.#register.histogram(
    'paythread_store_commit_duration_seconds',
    'How long a change took to be stored durably',
    QUICK_SECONDS,
    [],
  );
  readonly #commits = this.#register.counter(
    'paythread_store_commits_total',
    'Changes by what came of them; stale: another writer was quicker, and nothing was stored',
    ['result'],
  );
  readonly #reached = this.#register.counter(
    'paythread_payments_total',
    'Payments that reached a state since this process started',
    ['state'],
  );
  readonly #flagged = this.#register.counter(
    'paythread_flags_raised_total',
    'Payments shown to a person since this process started, by flag',
    ['flag'],
  );
  readonly #countMoney: ReturnType<typeof moneyCounters>;
  readonly #nowMs: () => number;
  readonly #readState: () => Promise<void>;

  /** `store`: the gauges show what it holds. */
  constructor(options: { nowMs: () => number; info: ProcessInfo; store: Store; shops: Shops }) {
    this.#nowMs = options.nowMs;
    this.#countMoney = moneyCounters(this.#register, options.shops);
    this.#readState = stateGauges(this.#register, options);
    collectDefaultMetrics({ register: this.#register });
    this.#register
      .gauge('paythread_info', 'Always 1; the labels say what runs', ['version', 'store'])
      .set({ ...options.info }, 1);
  }

  /** Prometheus text. Resolves also when the store cannot be asked. */
  async text(): Promise<string> {
    await this.#readState();
    return this.#register.metrics();
  }

  described(): { name: string; type: string; labelNames: readonly string[] }[] {
    // The kind and the labels are on every metric; the library's types keep them to itself.
    return this.#register.getMetricsAsArray().map((metric) => {
      const { name, labelNames = [] } = metric as { name: string; labelNames?: string[] };
      return { name, type: metric.constructor.name.toLowerCase(), labelNames };
    });
  }

  /** Measures a commit, and counts what it changed once it is stored. */
  readonly onCommit: OnCommit = (change) => {
    const end = this.#commitSeconds.startTimer();
    return (result) => {
      end();
      this.#commits.inc({ result });
      if (result === 'stored') this.#countChange(change);
    };
  };

  /** Counts the answer of an operation of the gateway. */
  readonly aroundCall: AroundCall = async (operation, call) => {
    const outcome = await call();
    this.#answers.inc({ operation, outcome: outcome.kind });
    return outcome;
  };

  exchanged(operation: string, { waitedMs, tookMs }: { waitedMs: number; tookMs: number }): void {
    this.#gatewayWaitSeconds.observe({ operation }, waitedMs / 1000);
    this.#gatewaySeconds.observe({ operation }, tookMs / 1000);
  }

  /** A callback has come; call the result with the status it was answered with. */
  callback(): (status: number) => void {
    const end = this.#callbackSeconds.startTimer();
    return (status) => void end({ answer: CALLBACK_ANSWERS.has(status) ? status : 'other' });
  }

  /**
   * An event for a command has come; call the result once it was carried out.
   * @param command its name, or one word for all that are none.
   */
  command(command: string, by: string): () => void {
    const end = this.#commandSeconds.startTimer();
    return () => void end({ command, by });
  }

  /** One attempt to deliver a notice. `what`: its kind, or `new card`. */
  noticeTried(
    { about, conversation: { platform }, createdAtMs }: Notice,
    what: string,
    result: string,
  ): void {
    this.#deliveries.inc({ platform, what, result });
    // A notice of an unknown outcome is delayed on purpose; a first card was not owed as a notice.
    const isDelayed = about.kind === 'outcome' && about.of === 'unknown';
    if (result === 'delivered' && what === about.kind && !isDelayed)
      this.#noticeSeconds.observe({ what }, (this.#nowMs() - createdAtMs) / 1000);
  }

  /** The same pace, with what a platform refused for being too fast counted. */
  watchedPace(platform: string, pace: Pace): Pace {
    this.#limits.inc({ platform }, 0);
    return {
      take: (limits, turn) => pace.take(limits, turn),
      spend: (limits) => pace.spend(limits),
      block: (key, ms) => {
        this.#limits.inc({ platform });
        pace.block(key, ms);
      },
    };
  }

  #countChange({ audit = [], put = [] }: Change): void {
    const news = new Map<string, string>();
    for (const { kind, id, what, before, after } of audit) {
      if (kind !== 'payment' || after === null) continue;
      if (after !== before) this.#reached.inc({ state: after });
      if (after !== before || what === 'given back') news.set(id, after === before ? what : after);
    }
    for (const { kind, record } of put) {
      if (kind !== 'payment') continue;
      this.#countMoney(record, news.get(record.id));
      // A flag is news when payment and notice are stored together; a notice that is tried again comes alone.
      if (record.flag !== undefined && tellsOf(put, outcomeWord(record)))
        this.#flagged.inc({ flag: record.flag });
    }
  }
}

const tellsOf = (put: readonly Put[], word: string): boolean =>
  put.some(({ kind, record }) => {
    if (kind !== 'notice') return false;
    const { about } = record;
    return (
      (about.kind === 'outcome' && about.of === word) ||
      (about.kind === 'card' && about.alone === word)
    );
  });
