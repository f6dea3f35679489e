import type { Api } from 'grammy';
import type { Card } from '../../commands/cards/card.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import { cardToAlert } from './card-to-html.ts';
import { safeError } from './failure.ts';

/** Telegram accepts an answer for some seconds, and the button shows a spinner until it comes. */
const LONGEST_SPIN_MS = 2_000;

/** The one answer that Telegram takes to a press: an alert that only the presser sees, or none. Nothing here rejects. */
export class PressAnswer {
  readonly #api: Api;
  readonly #log: Log;
  readonly #queryId: string;
  readonly #answered = new AbortController();

  constructor({ api, log }: { api: Api; log: Log }, queryId: string) {
    this.#api = api;
    this.#log = log;
    this.#queryId = queryId;
  }

  /** Whether the person was shown the text; false when the press was answered before or is too old. */
  alert(card: Card): Promise<boolean> {
    return this.#answer({ text: cardToAlert(card), show_alert: true });
  }

  /** A line at the edge of the chat that disappears by itself; otherwise as `alert`. */
  note(card: Card): Promise<boolean> {
    return this.#answer({ text: cardToAlert(card) });
  }

  /** Ends the spinner if nothing else has. */
  async end(): Promise<void> {
    await this.#answer({});
  }

  /** Ends the spinner of a press whose handler takes long; resolves as soon as the press is answered. */
  async endInTime(clock: Clock): Promise<void> {
    await clock.sleep(LONGEST_SPIN_MS, this.#answered.signal);
    await this.end();
  }

  async #answer(answer: { text?: string; show_alert?: true }): Promise<boolean> {
    if (this.#answered.signal.aborted) return false;
    this.#answered.abort();
    try {
      return await this.#api.answerCallbackQuery(this.#queryId, answer);
    } catch (error) {
      // Too old, most often: the press was delivered after a break, and is handled all the same.
      this.#log.debug(safeError(error), 'a press could not be answered');
      return false;
    }
  }
}
