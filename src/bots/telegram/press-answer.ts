import type { Api } from 'grammy';
import { type Card, itemText } from '../../commands/cards/card.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import { cut } from '../sanitise.ts';
import { cleanText } from './escape.ts';
import { LIMITS } from './limits.ts';
import { safeError } from './safe-error.ts';

/** Telegram accepts an answer for some seconds, and the button shows a spinner until it comes. */
const LONGEST_SPIN_MS = 2_000;

/** The one answer that Telegram takes to a press: an alert that only the presser sees, or none. */
export class PressAnswer {
  readonly #api: Api;
  readonly #queryId: string;
  readonly #log: Log;
  readonly #answered = new AbortController();

  constructor({ api, queryId, log }: { api: Api; queryId: string; log: Log }) {
    this.#api = api;
    this.#queryId = queryId;
    this.#log = log;
  }

  /** Whether the person was shown the text; false when the press was answered before or is too old. Never rejects. */
  alert(card: Card): Promise<boolean> {
    return this.#answer({ text: alertText(card), show_alert: true });
  }

  /** A line at the edge of the chat that disappears by itself; otherwise as `alert`. */
  note(card: Card): Promise<boolean> {
    return this.#answer({ text: alertText(card) });
  }

  /** Ends the spinner if nothing else has. Never rejects. */
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

const SENTENCE_END = /[.!?](?=\s|$)/g;

/** The words of a card for an alert, which has no markup and no buttons; what is too long ends after a whole sentence. */
const alertText = ({ title, parts }: Card): string => {
  const said = parts.flatMap((part) => {
    if (part.kind === 'facts') return part.facts.map(({ label, value }) => `${label}: ${value}`);
    return part.kind === 'list' ? part.items.map(itemText) : [part.text];
  });
  return shortened(cleanText([title, ...said].join('\n')).trim());
};

const shortened = (text: string): string => {
  if (text.length <= LIMITS.alertLength) return text;
  const end = [...text.slice(0, LIMITS.alertLength - 1).matchAll(SENTENCE_END)].at(-1);
  return end === undefined ? cut(text, LIMITS.alertLength) : text.slice(0, end.index + 1);
};
