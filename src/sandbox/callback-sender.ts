import type { Clock } from '../core/runtime/clock.ts';
import { InFlight } from '../core/runtime/in-flight.ts';
import type { OnExchange } from './exchange.ts';
import type { PaymentLedger, SandboxPayment } from './payment-ledger.ts';
import { settledAtMs, settlementAt } from './scenario.ts';

/** How often one callback is tried, and how long after a refusal. */
const TRIES = 5;
const PAUSE_MS = 1000;
const TIMEOUT_MS = 10_000;

export class CallbackSender {
  readonly #ledger: PaymentLedger;
  readonly #clock: Clock;
  readonly #onExchange: OnExchange;
  readonly #stopping = new AbortController();
  readonly #inFlight = new InFlight();

  constructor(ledger: PaymentLedger, clock: Clock, onExchange: OnExchange) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#onExchange = onExchange;
  }

  /** Sends what is owed for this payment when its time comes. */
  owe(payment: SandboxPayment): void {
    // The file could not be written: the callback stays owed there, and a restart sends it.
    void this.#inFlight.add(this.#send(payment).catch(() => undefined));
  }

  /** Goes on with what a process before this one still owed. */
  resume(): void {
    for (const payment of this.#ledger.payments()) if (payment.callbacksOwed > 0) this.owe(payment);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#inFlight.ended();
  }

  async #send(payment: SandboxPayment): Promise<void> {
    const atMs = settledAtMs(payment);
    if (atMs === Number.POSITIVE_INFINITY) return;
    await this.#clock.sleep(atMs - this.#clock.now(), this.#stopping.signal);
    for (let owed = payment.callbacksOwed; owed > 0; owed--) {
      await this.#sendOne(payment, atMs);
      if (this.#stopping.signal.aborted) return;
      await this.#ledger.settleCallback(payment.transactionId);
    }
  }

  async #sendOne(payment: SandboxPayment, atMs: number): Promise<void> {
    // Never before the payment's end, even when the wall clock is set back.
    const body = callbackBody(payment, Math.max(atMs, this.#clock.now()));
    for (let tries = 1; !this.#stopping.signal.aborted; tries++) {
      if ((await this.#post(payment.callbackUrl, body)) || tries === TRIES) return;
      await this.#clock.sleep(PAUSE_MS, this.#stopping.signal);
    }
  }

  async #post(url: string, body: object): Promise<boolean> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      // No listener, or no answer in time: tried again, then given up, as a service does.
    }).catch(() => undefined);
    await response?.body?.cancel().catch(() => undefined);
    const { pathname: path } = new URL(url);
    this.#onExchange({ kind: 'callback', path, body, status: response?.status });
    return response?.ok === true;
  }
}

/** The service document shows no callback body; this is the shape its siblings send today. */
const callbackBody = (payment: SandboxPayment, nowMs: number): object => {
  const { status, message } = settlementAt(payment, nowMs);
  return {
    transaction_id: payment.transactionId,
    status,
    status_desc: status === 'completed' ? 'Completed' : 'Failed',
    message,
    amount: payment.amount,
    currency_code: payment.currencyCode,
    customer_number: payment.customerNumber,
    reference: payment.reference,
    timestamp: new Date(nowMs).toISOString(),
  };
};
