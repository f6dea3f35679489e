import type { NoAnswer, ServiceAnswer } from '../../core/gateway/gateway.ts';
import { isForOwner, quotable, quoted } from '../../core/gateway/reason-texts.ts';
import { QUESTION_LIMIT } from '../../core/guards/question-budget.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { showClock } from '../../core/values/format-time.ts';
import type { Services } from '../command.ts';
import type { Caller } from '../inbound.ts';
import { type Card, joined, plainCard } from './card.ts';

const MINUTE_MS = 60_000;

/** Why a question to the payment service has no answer, in a sentence for people; `whole`: as of `whyText`. */
export const noAnswerText = (outcome: NoAnswer, whole?: 'whole'): string =>
  outcome.kind === 'rateLimited'
    ? 'The payment service is busy right now. Try again in a minute.'
    : whyText(outcome, whole);

/** For support: what its name says, and where a refusal has nothing else. */
const CODES =
  / \((?:code|HTTP) [^)]*\)|(?<=refused): code [^"]*(?=\.)| ?The payment service answered with code \S+/g;

/**
 * Why nothing came of a request, with the service's words where the reason does not quote them. `whole`: for Details,
 * with codes and what the owner has to do; without it for people who sell.
 */
export const whyText = (
  { reason, answer = {} }: { readonly reason?: string; readonly answer?: ServiceAnswer },
  whole?: 'whole',
): string => {
  if (whole === undefined && isForOwner(reason)) return 'Payments are down now. Ask the owner.';
  const { message } = answer;
  const isQuoted = message !== undefined && reason?.includes(quotable(message)) === true;
  const text = joined(reason, isQuoted ? undefined : saidText(answer));
  return whole === undefined ? text.replace(CODES, '') : text;
};

/** How much of that a person reads in Details: what the owner alone can correct is for administrators. */
export const inDetails = (reason: string | undefined, { admin }: { readonly admin: boolean }) =>
  admin || !isForOwner(reason) ? 'whole' : undefined;

/** The service's message and code as they came but for phone numbers, or undefined when it said neither. */
const saidText = ({ message, code }: ServiceAnswer): string | undefined => {
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
