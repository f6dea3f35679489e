import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallbackPost } from '../../support/callback-post.ts';
import { LoopbackService } from '../../support/loopback-service.ts';
import { type Manner, mannerOf, type Truth } from './manners.ts';

/** One `make_payment`, as it was received. Each that was charged is money: nothing is recognised as a repetition. */
export type Posting = {
  readonly id: string;
  readonly atMs: number;
  /** As the wire had it, digit by digit. */
  readonly amount: string;
  readonly currency: string;
  readonly customerNumber: string;
  readonly direction: string;
  /**
   * `busy`: 429, and nothing was charged; `lost`: an answer that says nothing, and nothing was charged;
   * `repeated`: charged before, under a 429, and recognised.
   */
  readonly fate: 'charged' | 'busy' | 'lost' | 'repeated';
  /** Of what was charged: how it ends, and when. */
  readonly truth: Truth;
  readonly settlesAtMs: number;
};

type Fields = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly body: object | string } | 'cut';

/** The payment service with books of its own; how it behaves is in the last two digits of the customer number. */
export class CrashGateway {
  /** Every payment request, oldest first. */
  readonly postings: Posting[] = [];
  /** The texts that were sent, oldest first, as often as they were. */
  readonly texts: { readonly text: string; readonly atMs: number }[] = [];
  /** When each id was asked about. */
  readonly asked: { readonly id: string; readonly atMs: number }[] = [];
  readonly callbacks = new CallbackPost({ tries: 6, pauseMs: 400 });
  readonly #service: LoopbackService;

  private constructor() {
    this.#service = new LoopbackService((...exchange) => this.#serve(...exchange));
  }

  static async start(): Promise<CrashGateway> {
    const gateway = new CrashGateway();
    await gateway.#service.start();
    return gateway;
  }

  /** Paythread's settings that lead here. */
  get settings(): Readonly<Record<string, string>> {
    return this.#service.settings;
  }

  /** What the service would answer to a status check now. */
  statusOf(id: string): string | undefined {
    const posting = this.#charged(id);
    if (posting === undefined) return undefined;
    const nowMs = Date.now();
    if (nowMs < posting.atMs + mannerOf(posting.customerNumber).hiddenMs) return undefined;
    return posting.settlesAtMs <= nowMs ? posting.truth : 'pending';
  }

  async stop(): Promise<void> {
    await this.callbacks.stop();
    await this.#service.stop();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const answer = await this.#answer(request.url ?? '', text);
    if (answer === 'cut') return void response.destroy();
    const isPage = typeof answer.body === 'string';
    response.writeHead(answer.status, {
      'content-type': isPage ? 'text/html' : 'application/json',
      'retry-after': '1',
    });
    response.end(isPage ? answer.body : JSON.stringify(answer.body));
  }

  async #answer(path: string, text: string): Promise<Answer> {
    const fields = JSON.parse(text) as Fields;
    switch (path) {
      case '/make_payment':
        return this.#makePayment(fields, text);
      case '/check_transaction_status':
        return this.#status(String(fields['transaction_id']));
      case '/payment_account_lookup':
        return saying('000', { account_name: 'KOFI MENSAH', account_status: 'active' });
      case '/check_sms_balance':
        return saying('000', { sms_balance: 100, payout_balance: 0, collection_balance: 0 });
      case '/send_sms':
        this.texts.push({ text: String(fields['msg_body']), atMs: Date.now() });
        return saying('000', { message_id: 'SMS-1', status: 'sent' });
      default:
        return { status: 404, body: {} };
    }
  }

  async #makePayment(fields: Fields, text: string): Promise<Answer> {
    const posting = this.#note(fields, text);
    const manner = mannerOf(posting.customerNumber);
    if (posting.fate === 'busy') return BUSY;
    if (posting.fate === 'charged')
      for (let copy = 0; copy < manner.callbacks; copy++)
        this.callbacks.owe(String(fields['callback_url']), endOf(posting), posting.settlesAtMs);
    if (posting.fate === 'charged' && manner.chargesWhileBusy) return BUSY;
    await sleep(manner.answersAfterMs);
    switch (manner.answer) {
      case 'accept':
        return saying('202');
      case 'cut':
        return 'cut';
      case 'break':
        return {
          status: 500,
          body: '<html><body><h1>500 Internal Server Error</h1></body></html>',
        };
    }
  }

  /** Before anything can go wrong: what was received is in the books. */
  #note(fields: Fields, text: string): Posting {
    const id = String(fields['transaction_id']);
    const customerNumber = String(fields['customer_number']);
    const manner = mannerOf(customerNumber);
    const atMs = Date.now();
    const posting: Posting = {
      id,
      atMs,
      amount: /"amount":([^,}]+)/.exec(text)?.[1] ?? '',
      currency: String(fields['currency_code']),
      customerNumber,
      direction: String(fields['trans_type']),
      fate: this.#fateOf(id, manner),
      truth: manner.truth,
      settlesAtMs: atMs + manner.settlesAfterMs,
    };
    this.postings.push(posting);
    return posting;
  }

  #fateOf(id: string, manner: Manner): Posting['fate'] {
    if (manner.chargesWhileBusy) return this.#charged(id) === undefined ? 'charged' : 'repeated';
    const busy = this.postings.filter((each) => each.id === id && each.fate === 'busy').length;
    if (busy < manner.busyTimes) return 'busy';
    return manner.charges ? 'charged' : 'lost';
  }

  #charged(id: string): Posting | undefined {
    return this.postings.find((each) => each.id === id && each.fate === 'charged');
  }

  #status(id: string): Answer {
    this.asked.push({ id, atMs: Date.now() });
    const status = this.statusOf(id);
    if (status === undefined) return saying('067');
    return saying('000', {
      transaction_id: id,
      status,
      amount: Number(this.#charged(id)?.amount),
    });
  }
}

const endOf = ({ id, truth, amount }: Posting) => ({
  transaction_id: id,
  status: truth,
  amount: Number(amount),
});

const saying = (code: string, data?: object) => ({
  status: 200,
  body: {
    response_code: code,
    response_message: 'said by the crash test',
    ...(data === undefined ? {} : { response_data: data }),
  },
});

const BUSY: Answer = { status: 429, body: saying('429').body };
