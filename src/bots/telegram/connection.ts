import { GrammyError } from 'grammy';
import { StartError } from '../../core/runtime/errors.ts';

/** EX_CONFIG: the configuration is wrong. */
const EX_CONFIG = 78;

/** Whether Telegram can be reached, in words for `/readyz`. */
export class Connection {
  #missing: string | undefined = 'not connected yet';

  /** Undefined while all is well. */
  get missing(): string | undefined {
    return this.#missing;
  }

  /** True when the state has changed. */
  up(): boolean {
    const news = this.#missing !== undefined;
    this.#missing = undefined;
    return news;
  }

  /** True when the state has changed. */
  down(error: unknown): boolean {
    const missing = troubleOf(error);
    const news = this.#missing !== missing;
    this.#missing = missing;
    return news;
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

/** Telegram answers 401 to an unknown token, and 404 to one of the wrong form. */
export const isBadToken = (error: unknown): boolean =>
  error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404);

export const badTokenError = (): StartError =>
  new StartError(
    'Telegram refuses TELEGRAM_BOT_TOKEN. Expected the token that @BotFather gave for this bot, such as 123456789:AAE-example.',
    EX_CONFIG,
  );

/** A StartError for an address that Telegram never accepts. A name it cannot resolve may be new, so that is tried again. */
export const badWebhookError = (url: string, error: unknown): StartError | undefined => {
  if (!(error instanceof GrammyError) || error.error_code !== 400) return undefined;
  if (/resolve/i.test(error.description)) return undefined;
  return new StartError(
    `Telegram refuses the webhook ${url} (${error.description}). Set PUBLIC_URL to an https address on port 443, 80, 88 or 8443, or remove TELEGRAM_WEBHOOK_SECRET to use long polling.`,
    EX_CONFIG,
  );
};
