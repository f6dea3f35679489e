import type { NoAnswer, ServiceAnswer } from '../../core/gateway/gateway.ts';
import { quotable, quoted } from '../../core/gateway/reason-texts.ts';
import { QUESTION_LIMIT } from '../../core/guards/question-budget.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { showClock } from '../../core/values/format-time.ts';
import type { Services } from '../command.ts';
import type { Caller } from '../inbound.ts';
import { type Card, joined, plainCard } from './card.ts';

const MINUTE_MS = 60_000;

/** Why a question to the payment service has no answer, in a sentence for people. */
export const noAnswerText = (outcome: NoAnswer): string => {
  if (outcome.kind === 'rateLimited')
    return 'The payment service is busy right now. Try again in a minute.';
  const { reason, answer } = outcome;
  return joined(reason, quotes(reason, answer) ? undefined : saidText(answer));
};

/** Whether a sentence has the service's message in it already. */
export const quotes = (sentence: string, { message }: ServiceAnswer): boolean =>
  message !== undefined && sentence.includes(quotable(message));

/** The service's message and code as they came but for phone numbers, or undefined when it said neither. */
export const saidText = ({ message, code }: ServiceAnswer): string | undefined => {
  if (message !== undefined)
    return `The payment service says: ${quoted({ message, ...(code === undefined ? {} : { code }) })}.`;
  return code === undefined
    ? undefined
    : maskPhones(`The payment service answered with code ${code}.`);
};

/** Counts one question of the caller to the payment service; returns what to say instead when they have none left. */
export const spendQuestion = (
  { questionBudget, clock, settings }: Pick<Services, 'questionBudget' | 'clock' | 'settings'>,
  { platform, id }: Caller,
): Card | undefined => {
  const waitMs = questionBudget.spend(`${platform}:${id}`);
  if (waitMs === 0) return undefined;
  // Shown to the minute, so rounded up to the minute in which a question certainly works again.
  const freeAtMs = Math.ceil((clock.now() + waitMs) / MINUTE_MS) * MINUTE_MS;
  return plainCard(
    'Too many questions',
    `You asked ${QUESTION_LIMIT.most} times in 10 minutes. Ask again at ${showClock(freeAtMs, settings.timeZone)}.`,
    'warning',
  );
};
