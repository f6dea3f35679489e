import { QUESTION_LIMIT } from '../../core/guards/question-budget.ts';
import { showClock } from '../../core/values/format-time.ts';
import type { Card } from '../cards/card.ts';
import type { Services } from '../command.ts';
import type { Caller } from '../inbound.ts';

const MINUTE_MS = 60_000;

/** Counts one question of the caller to the payment service; returns what to say instead when they have none left. */
export const spendQuestion = (
  { questions, clock, settings }: Pick<Services, 'questions' | 'clock' | 'settings'>,
  { platform, id }: Caller,
): Card | undefined => {
  const waitMs = questions.spend(`${platform}:${id}`);
  if (waitMs === 0) return undefined;
  // Shown to the minute, so the minute in which it works from the beginning.
  const freeAtMs = Math.ceil((clock.now() + waitMs) / MINUTE_MS) * MINUTE_MS;
  return {
    title: 'Too many questions',
    tone: 'warning',
    parts: [
      {
        kind: 'text',
        text: `You asked the payment service ${QUESTION_LIMIT.most} times in 10 minutes. Ask again at ${showClock(freeAtMs, settings.timeZone)}.`,
      },
    ],
  };
};
