import { GrammyError } from 'grammy';
import { EX_CONFIG, StartError } from '../../core/runtime/errors.ts';
import type { Log } from '../../core/runtime/log.ts';
import { safeError } from './failure.ts';

/** Whether Telegram can be reached. Each change is logged once. */
export class TelegramConnection {
  readonly #log: Log;
  #missing: string | undefined = 'not connected yet';

  constructor(log: Log) {
    this.#log = log;
  }

  /** In words for `/readyz`; undefined while Telegram answers. */
  get missing(): string | undefined {
    return this.#missing;
  }

  /** @param news what is logged when Telegram did not answer before */
  up(news: string, facts: object = {}): void {
    if (this.#missing !== undefined) this.#log.info(facts, news);
    this.#missing = undefined;
  }

  /** @param news what is logged when the trouble is a new one */
  down(error: unknown, news: string): void {
    const missing = troubleOf(error);
    if (this.#missing !== missing) this.#log.error({ error: safeError(error) }, news);
    this.#missing = missing;
  }
}

const troubleOf = (error: unknown): string => {
  if (error instanceof StartError) return error.message;
  if (!(error instanceof GrammyError)) return 'no answer from Telegram';
  switch (error.error_code) {
    case 401:
    case 404:
      return 'Telegram refuses TELEGRAM_BOT_TOKEN';
    case 409:
      return 'another program uses the same TELEGRAM_BOT_TOKEN';
    default:
      return `Telegram answers with ${error.error_code}`;
  }
};

/** A StartError for a token or a webhook's address that Telegram never accepts; undefined for any other error. */
export const startErrorOf = (error: unknown, webhookUrl: string): StartError | undefined => {
  if (!(error instanceof GrammyError)) return undefined;
  const { method, error_code: code, description } = error;
  // 401: an unknown token; 404: one of the wrong form.
  if (method === 'getMe' && (code === 401 || code === 404))
    return new StartError(
      'Telegram refuses TELEGRAM_BOT_TOKEN. Expected the token that @BotFather gave for this bot, such as 123456789:AAE-example.',
      EX_CONFIG,
    );
  // A name that Telegram cannot resolve may be new, so that is tried again.
  if (method === 'setWebhook' && code === 400 && !/resolve/i.test(description))
    return new StartError(
      `Telegram refuses the webhook ${webhookUrl} (${description}). Set PUBLIC_URL to an https address on port 443, 80, 88 or 8443, or remove TELEGRAM_WEBHOOK_SECRET to use long polling.`,
      EX_CONFIG,
    );
  return undefined;
};
