import { type Api, GrammyError } from 'grammy';
import { backoffMs } from '../../core/runtime/backoff.ts';
import type { BotParts } from '../platform.ts';
import type { TelegramConnection } from './connection.ts';
import { safeError } from './failure.ts';
import { ALLOWED_UPDATES, type Me } from './read-update.ts';
import type { UpdateQueue } from './update-queue.ts';

/** How long Telegram holds the line while there is nothing new. */
export const POLL_SECONDS = 25;
const POLL_BACKOFF = { firstMs: 500, longestMs: 30_000 };

type Tools = Pick<BotParts, 'lead' | 'clock' | 'log'> & {
  /** With more patience than `POLL_SECONDS`. */
  readonly api: Api;
  readonly updates: UpdateQueue;
  readonly connection: TelegramConnection;
  /** Once it aborts, no more updates are taken. */
  readonly stopping: AbortSignal;
};

/**
 * Asks Telegram for updates, batch after batch. A batch is confirmed by asking for the next one, which
 * happens after `UpdateQueue.take` has resolved for all of it: what a crash interrupts is delivered again.
 *
 * grammY 1.46's own `bot.start()` is not used: its `stop()` confirms the update that is still being handled, it
 * gives up for good on 401 and 409, and it reports nothing while Telegram cannot be reached.
 */
export class Polling {
  readonly #tools: Tools;
  #offset: number | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Removes a webhook, because Telegram refuses `getUpdates` beside one; the log names its host. */
  async prepare(): Promise<void> {
    const { api, log } = this.#tools;
    const { url = '' } = await api.getWebhookInfo().catch((error: unknown) => {
      if (!(error instanceof GrammyError)) throw error;
      log.warn({ error: safeError(error) }, 'Telegram does not tell whether a webhook is set');
      // Polling then shows whether it works.
      return { url: '' };
    });
    if (url === '') return;
    log.warn(
      { host: URL.parse(url)?.host },
      'a webhook was set for this Telegram bot and is removed: long polling and a webhook exclude each other',
    );
    await api.deleteWebhook();
  }

  begin(me: Me): void {
    const { lead, stopping } = this.#tools;
    // Telegram serves one poller; where there are several instances this picks it.
    this.#loop = lead((signal) => this.#run(me, signal), stopping);
  }

  /** Resolves when the last batch is taken. */
  ended(): Promise<void> {
    return this.#loop;
  }

  /** Tells Telegram how far we came. Without it the last batch is delivered again after the next start. */
  async confirm(): Promise<void> {
    if (this.#offset === undefined) return;
    const { api, log } = this.#tools;
    try {
      await api.getUpdates({ offset: this.#offset, limit: 1, timeout: 0 });
    } catch (error) {
      log.info(safeError(error), 'the last updates could not be confirmed to Telegram');
    }
  }

  async #run(me: Me, signal: AbortSignal): Promise<void> {
    const { updates, connection, clock } = this.#tools;
    // Another instance may have polled meanwhile; without an offset Telegram goes on where that one ended.
    this.#offset = undefined;
    for (let failures = 0; !signal.aborted; ) {
      try {
        // After a failure without long polling, so that a success is noticed at once.
        const batch = await this.#fetch(failures === 0 ? POLL_SECONDS : 0, signal);
        connection.up('Telegram answers again');
        failures = 0;
        await Promise.all(batch.map((update) => updates.take(update, me)));
        this.#offset = nextOffset(batch) ?? this.#offset;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        connection.down(error, 'no updates from Telegram');
        await clock.sleep(waitMs(error, failures), signal);
      }
    }
  }

  #fetch(timeout: number, signal: AbortSignal) {
    const offset = this.#offset === undefined ? {} : { offset: this.#offset };
    const wanted = { ...offset, timeout, allowed_updates: [...ALLOWED_UPDATES] };
    return this.#tools.api.getUpdates(wanted, signalFor(signal));
  }
}

/** One above the highest id; a batch need not be sorted. */
const nextOffset = (batch: readonly { update_id: number }[]): number | undefined =>
  batch.length === 0 ? undefined : Math.max(...batch.map(({ update_id }) => update_id)) + 1;

const waitMs = (error: unknown, failures: number): number => {
  const asked = error instanceof GrammyError ? error.parameters.retry_after : undefined;
  return asked === undefined ? backoffMs(failures, POLL_BACKOFF) : asked * 1000;
};

type GrammySignal = NonNullable<Parameters<Api['getUpdates']>[1]>;

/** grammY's types name the signal of a polyfill for old Nodes; all it does with one is add and remove listeners. */
export const signalFor = (signal: AbortSignal): GrammySignal => signal as unknown as GrammySignal;
