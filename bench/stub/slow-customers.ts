import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoopbackService } from '../../test/support/loopback-service.ts';
import { postCallback } from '../../test/support/post-callback.ts';

/** One payment that the service took. */
export type Paid = {
  readonly amountMinor: number;
  readonly takenAtMs: number;
  readonly paidAtMs: number;
  readonly isCalledBack: boolean;
};

/** How a customer pays: so long after the prompt, and the service calls back or does not. */
export type Habit = Pick<Paid, 'isCalledBack'> & { readonly afterMs: number };

/** A payment service at which nothing goes wrong, and whose customers take their time. */
export class SlowCustomers {
  readonly paid = new Map<string, Paid>();
  readonly #service: LoopbackService;
  readonly #habitOf: (count: number) => Habit;
  readonly #stopping = new AbortController();

  private constructor(habitOf: (count: number) => Habit) {
    this.#habitOf = habitOf;
    this.#service = new LoopbackService((...exchange) => this.#serve(...exchange));
  }

  /** `habitOf` is asked for each payment, counted from 0. */
  static async start(habitOf: (count: number) => Habit): Promise<SlowCustomers> {
    const customers = new SlowCustomers(habitOf);
    await customers.#service.start();
    return customers;
  }

  /** Paythread's settings that lead here. */
  get settings(): Readonly<Record<string, string>> {
    return this.#service.settings;
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#service.stop();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const fields = JSON.parse(text) as Readonly<Record<string, string>>;
    const body = JSON.stringify(this.#answer(request.url ?? '', fields));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }

  #answer(path: string, fields: Readonly<Record<string, string>>): object {
    const id = String(fields['transaction_id']);
    switch (path) {
      case '/make_payment':
        this.#take(id, fields);
        return { response_code: '202', response_message: 'received' };
      case '/check_transaction_status':
        return saying(this.#status(id));
      default:
        return saying({ account_name: 'KOFI MENSAH', account_status: 'active' });
    }
  }

  #take(id: string, fields: Readonly<Record<string, string>>): void {
    const { afterMs, isCalledBack } = this.#habitOf(this.paid.size);
    const takenAtMs = Date.now();
    const amountMinor = Math.round(Number(fields['amount']) * 100);
    this.paid.set(id, { amountMinor, takenAtMs, paidAtMs: takenAtMs + afterMs, isCalledBack });
    if (isCalledBack) void this.#callBack(id, String(fields['callback_url']), afterMs);
  }

  async #callBack(id: string, url: string, afterMs: number): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await sleep(afterMs, undefined, { signal });
    } catch {
      // It is over.
      return;
    }
    await postCallback(url, { ...this.#status(id), status: 'completed' }, signal);
  }

  #status(id: string): object {
    const paid = this.paid.get(id);
    if (paid === undefined) throw new Error(`asked about ${id}, which was never sent`);
    return {
      transaction_id: id,
      status: Date.now() >= paid.paidAtMs ? 'completed' : 'pending',
      amount: paid.amountMinor / 100,
    };
  }
}

const saying = (data: object) => ({
  response_code: '000',
  response_message: 'ok',
  response_data: data,
});
