import type { Api } from 'grammy';
import type { Card } from '../../commands/cards/card.ts';
import type { InFlight } from '../../core/runtime/in-flight.ts';
import type { BotParts } from '../platform.ts';
import { cardToAlert } from './card-to-html.ts';
import { safeError } from './failure.ts';

/** The button shows a spinner until the answer comes. Telegram does not say for how long it takes one. */
const LONGEST_SPIN_MS = 10_000;

/**
 * Answers a press, to the presser alone: with an alert, with a note at the edge of the chat that disappears by
 * itself, or without a card, which only ends the spinner. Returns whether the card was shown; false when the press
 * was answered before or is too old. Never rejects.
 */
export type AnswerPress = (card?: Card, as?: 'alert' | 'note') => Promise<boolean>;

/** The one answer that Telegram takes to a press. The spinner ends in time even if nothing else is answered. */
export const pressAnswer = (
  { api, clock, log, inFlight }: Pick<BotParts, 'clock' | 'log'> & { api: Api; inFlight: InFlight },
  queryId: string,
): AnswerPress => {
  const answered = new AbortController();
  const answer: AnswerPress = async (card, as) => {
    if (answered.signal.aborted) return false;
    answered.abort();
    try {
      const said = card && { text: cardToAlert(card), ...(as === 'alert' && { show_alert: true }) };
      return await api.answerCallbackQuery(queryId, said);
    } catch (error) {
      // Too old, most often: the press was delivered after a break, and is handled all the same.
      log.debug(safeError(error), 'a press could not be answered');
      return false;
    }
  };
  void inFlight.add(clock.sleep(LONGEST_SPIN_MS, answered.signal).then(() => answer()));
  return answer;
};
