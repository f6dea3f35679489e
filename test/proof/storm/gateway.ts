import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackService } from '../../support/loopback-service.ts';
import { Callbacks, type Taking } from './callbacks.ts';
import type { Dice } from './dice.ts';

type Fields = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly body: object; readonly headers?: object } | 'cut';

/** Longer than Paythread's patience in this storm. */
const TOO_LATE_MS = 6_500;

/** The payment service with books of its own, as slow, forgetful and talkative as such services are. */
export class StormGateway {
  /** Every charge, oldest first. */
  readonly takings: Taking[] = [];
  /** How often it said 429 instead of taking a payment. */
  busy = 0;
  readonly #dice: Dice;
  readonly #service: LoopbackService;
  readonly #callbacks: Callbacks;
  readonly #busyWith = new Set<string>();

  private constructor(dice: Dice) {
    this.#dice = dice;
    this.#callbacks = new Callbacks(dice.fork());
    this.#service = new LoopbackService((...exchange) => this.#serve(...exchange));
  }

  static async start(dice: Dice): Promise<StormGateway> {
    const gateway = new StormGateway(dice);
    await gateway.#service.start();
    return gateway;
  }

  /** Paythread's settings that lead here. */
  get settings(): Readonly<Record<string, string>> {
    return this.#service.settings;
  }

  async stop(): Promise<void> {
    await this.#callbacks.stop();
    await this.#service.stop();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const answer = await this.#answer(request.url ?? '', JSON.parse(text) as Fields);
    if (answer === 'cut') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  }

  async #answer(path: string, fields: Fields): Promise<Answer> {
    switch (path) {
      case '/make_payment':
        return this.#makePayment(fields);
      case '/check_transaction_status':
        return this.#status(String(fields['transaction_id']));
      case '/payment_account_lookup':
        return saying('000', { account_name: 'KOFI MENSAH', account_status: 'active' });
      case '/check_sms_balance':
        return saying('000', { sms_balance: 100, payout_balance: 0, collection_balance: 0 });
      default:
        return { status: 404, body: {} };
    }
  }

  async #makePayment(fields: Fields): Promise<Answer> {
    const id = String(fields['transaction_id']);
    if (!this.#busyWith.has(id) && this.#dice.chance(0.03)) return this.#tooBusy(id);
    const taking = this.#take(fields);
    this.#callbacks.owe(taking, String(fields['callback_url']));
    if (this.#dice.chance(0.03)) return 'cut';
    await sleep(this.#dice.chance(0.03) ? TOO_LATE_MS : this.#dice.between(5, 400));
    return saying('202');
  }

  #tooBusy(id: string): Answer {
    this.#busyWith.add(id);
    this.busy += 1;
    return { ...saying('429'), status: 429, headers: { 'retry-after': '1' } };
  }

  #take(fields: Fields): Taking {
    const atMs = Date.now();
    const patienceMs = this.#customerPatienceMs();
    const taking: Taking = {
      transactionId: String(fields['transaction_id']),
      amountMinor: Math.round(Number(fields['amount']) * 100),
      customerNumber: String(fields['customer_number']),
      atMs,
      settlesAtMs: atMs + patienceMs,
      truth: this.#dice.chance(0.85) ? 'completed' : 'failed',
    };
    this.takings.push(taking);
    return taking;
  }

  /** Some customers have approved before the answer is out, and some look for their phone first. */
  #customerPatienceMs(): number {
    if (this.#dice.chance(0.2)) return 0;
    return this.#dice.chance(0.03)
      ? this.#dice.between(10_000, 40_000)
      : this.#dice.between(200, 5_000);
  }

  #status(id: string): Answer {
    const taking = this.takings.find(({ transactionId }) => transactionId === id);
    if (taking === undefined) return { ...saying('067') };
    return saying('000', {
      transaction_id: id,
      status: taking.settlesAtMs <= Date.now() ? taking.truth : 'pending',
      amount: taking.amountMinor / 100,
    });
  }
}

const saying = (code: string, data?: object) => ({
  status: 200,
  body: {
    response_code: code,
    response_message: 'said by the storm',
    ...(data === undefined ? {} : { response_data: data }),
  },
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
