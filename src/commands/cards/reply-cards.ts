import type { NoAnswer } from '../../core/gateway/gateway.ts';
import { quotable, quoted } from '../../core/gateway/reason-texts.ts';
import type { ServiceAnswer } from '../../core/gateway/service-answer.ts';
import type { Problem } from '../../core/runtime/errors.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import type { Card, CardPart } from './card.ts';

/** A card that says one thing. */
export const plainCard = (title: string, text?: string): Card => ({
  title,
  parts: text === undefined ? [] : [{ kind: 'text', text }],
});

/** What was wrong with a command, and one to copy; how it is typed in general only where no such line helps. */
export const problemCard = (problem: Problem, usage?: string): Card => {
  const parts: CardPart[] = [{ kind: 'text', text: problem.message }];
  if (problem.example !== undefined) parts.push({ kind: 'example', text: problem.example });
  else if (usage !== undefined) parts.push({ kind: 'example', text: usage });
  return { title: 'That did not work', tone: 'warning', parts };
};

/** Why a question to the payment service has no answer, in a sentence for people. */
export const noAnswerText = (outcome: NoAnswer): string =>
  outcome.kind === 'rateLimited'
    ? 'The payment service is busy right now. Try again in a minute.'
    : withAnswer(outcome.reason, outcome.answer);

/** The service's own words beside ours. */
const withAnswer = (sentence: string, answer: ServiceAnswer): string => {
  const said = saidText(answer);
  return said === undefined || quotes(sentence, answer) ? sentence : `${sentence} ${said}`;
};

/** Whether a sentence has the service's message in it already. */
export const quotes = (sentence: string, { message }: ServiceAnswer): boolean =>
  message !== undefined && sentence.includes(quotable(message));

/** The service's message and code as they came but for phone numbers, or undefined when it said neither. */
export const saidText = ({ message, code }: ServiceAnswer): string | undefined => {
  if (message === undefined)
    return code === undefined
      ? undefined
      : maskPhones(`The payment service answered with code ${code}.`);
  return `The payment service says: ${quoted({ message, ...(code === undefined ? {} : { code }) })}.`;
};
