import { ApiError } from './api-error.ts';

export type SimUpdate = { readonly update_id: number } & Readonly<Record<string, unknown>>;

/** One delivery to a webhook, and how it was answered: 0 when nobody was there. */
export type WebhookDelivery = { readonly updateId: number; readonly status: number };

export type Webhook = {
  readonly url: string;
  readonly secret: string | undefined;
};

type Waiter = {
  readonly give: (updates: SimUpdate[]) => void;
  readonly refuse: (error: ApiError) => void;
};

const WEBHOOK_PATIENCE_MS = 30_000;
const NOT_BY_DEFAULT = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);

/**
 * Updates on their way to the bot: kept until an offset (polling) or a 2xx (webhook) confirms them, and
 * delivered again until then. Updates of one chat keep their order; chats do not wait for each other.
 */
export class UpdateQueue {
  readonly deliveries: WebhookDelivery[] = [];
  readonly #redeliverMs: number;
  readonly #all = new Map<number, SimUpdate>();
  #pending: SimUpdate[] = [];
  /** To be delivered again although they were confirmed. */
  #again: SimUpdate[] = [];
  #waiter: Waiter | undefined;
  #lastId: number;
  #webhook: Webhook | undefined;
  #allowed: ReadonlySet<string> | undefined;
  readonly #chains = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  /** The highest offset a poller ever asked for. */
  confirmedBelow = 0;

  constructor(options: { redeliverMs: number; earlier: number }) {
    this.#redeliverMs = options.redeliverMs;
    this.#lastId = 1000 + options.earlier;
  }

  get webhook(): Webhook | undefined {
    return this.#webhook;
  }

  get pending(): readonly SimUpdate[] {
    return this.#pending;
  }

  get allowed(): string[] | undefined {
    return this.#allowed === undefined ? undefined : [...this.#allowed];
  }

  allow(kinds: readonly string[] | undefined): void {
    if (kinds === undefined) return;
    this.#allowed = kinds.length === 0 ? undefined : new Set(kinds);
  }

  /** The new update's id, or undefined when the bot did not ask for this kind. */
  push(kind: string, payload: unknown, chatId: number): number | undefined {
    const wanted = this.#allowed?.has(kind) ?? !NOT_BY_DEFAULT.has(kind);
    if (!wanted) return undefined;
    this.#lastId += 1;
    const update = { update_id: this.#lastId, [kind]: payload };
    this.#all.set(update.update_id, update);
    this.#pending.push(update);
    this.#chain(String(chatId), update);
    this.#serveWaiter();
    return update.update_id;
  }

  /** Delivers an update once more, confirmed or not. */
  redeliver(updateId: number): void {
    const update = this.#all.get(updateId);
    if (update === undefined) throw new Error(`there was no update ${updateId}`);
    this.#again.push(update);
    if (this.#webhook !== undefined) this.#chain(`again ${updateId}`, update);
    this.#serveWaiter();
  }

  async poll(
    query: { offset: number | undefined; limit: number; timeoutSeconds: number },
    gone: AbortSignal,
  ): Promise<SimUpdate[]> {
    if (this.#webhook !== undefined)
      throw new ApiError(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    this.#waiter?.refuse(
      new ApiError(
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      ),
    );
    this.#confirm(query.offset);
    const ready = this.#batch(query.limit);
    if (ready.length > 0 || query.timeoutSeconds === 0) return ready;
    return this.#wait(query.limit, query.timeoutSeconds, gone);
  }

  setWebhook(webhook: Webhook | undefined, dropPending: boolean): void {
    if (dropPending) this.#pending = [];
    this.#webhook = webhook;
    if (webhook === undefined) return;
    this.#waiter?.refuse(new ApiError(409, 'Conflict: terminated by setWebhook request'));
    for (const update of this.#pending) this.#chain(chatIdOf(update), update);
  }

  /** Forgets everything that waits. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waiter?.give([]);
    await Promise.all(this.#chains.values());
  }

  #confirm(offset: number | undefined): void {
    if (offset === undefined) return;
    this.confirmedBelow = Math.max(this.confirmedBelow, offset);
    this.#pending = this.#pending.filter(({ update_id }) => update_id >= offset);
  }

  #batch(limit: number): SimUpdate[] {
    const again = this.#again.splice(0, limit);
    return again.length > 0 ? again : this.#pending.slice(0, limit);
  }

  #wait(limit: number, timeoutSeconds: number, gone: AbortSignal): Promise<SimUpdate[]> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        if (this.#waiter === waiter) this.#waiter = undefined;
      };
      const waiter: Waiter = {
        give: (updates) => {
          end();
          resolve(updates);
        },
        refuse: (error) => {
          end();
          reject(error);
        },
      };
      const timer = setTimeout(() => waiter.give(this.#batch(limit)), timeoutSeconds * 1000);
      gone.addEventListener('abort', () => waiter.give([]), { once: true });
      this.#waiter = waiter;
      if (gone.aborted) waiter.give([]);
    });
  }

  #serveWaiter(): void {
    if (this.#waiter !== undefined) this.#waiter.give(this.#batch(100));
  }

  #chain(key: string, update: SimUpdate): void {
    if (this.#webhook === undefined) return;
    const before = this.#chains.get(key) ?? Promise.resolve();
    this.#chains.set(
      key,
      before.then(() => this.#deliver(update)),
    );
  }

  async #deliver(update: SimUpdate): Promise<void> {
    const owed = () => this.#pending.includes(update) || this.#again.includes(update);
    while (owed() && !this.#stopping.signal.aborted && this.#webhook !== undefined) {
      const status = await this.#post(this.#webhook, update);
      this.deliveries.push({ updateId: update.update_id, status });
      if (status >= 200 && status < 300) {
        this.#pending = this.#pending.filter((each) => each !== update);
        this.#again = this.#again.filter((each) => each !== update);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, this.#redeliverMs));
    }
  }

  async #post({ url, secret }: Webhook, update: SimUpdate): Promise<number> {
    const patience = AbortSignal.timeout(WEBHOOK_PATIENCE_MS);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret }),
        },
        body: JSON.stringify(update),
        signal: AbortSignal.any([patience, this.#stopping.signal]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      // Nobody there, or no answer in time: Telegram tries again.
      return 0;
    }
  }
}

const chatIdOf = (update: SimUpdate): string =>
  /"chat":\{"id":(-?\d+)/.exec(JSON.stringify(update))?.[1] ?? 'none';
