import type { SmsOutcome } from '../gateway/gateway.ts';
import { notSentReason } from '../gateway/reason-texts.ts';
import type { SmsChunk } from '../records/sms-batch.ts';
import { assertNever } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';
import { MOST_RATE_LIMITS, rateLimitWaitMs } from '../work/send-once.ts';

/** The service documents no limit, and sibling services take more. A lost answer makes fewer recipients `unknown`. */
const RECIPIENTS_PER_REQUEST = 50;

/** The chunk after an attempt, and how long to wait before it goes out again (only after 429). */
export type AfterSending = { readonly next: SmsChunk; readonly waitMs?: number };

export const chunksOf = (recipients: readonly string[]): string[][] => {
  const chunks: string[][] = [];
  for (let from = 0; from < recipients.length; from += RECIPIENTS_PER_REQUEST)
    chunks.push(recipients.slice(from, from + RECIPIENTS_PER_REQUEST));
  return chunks;
};

export const afterOutcome = (
  chunk: SmsChunk,
  outcome: SmsOutcome,
  random: Random,
): AfterSending => {
  switch (outcome.kind) {
    case 'sent': {
      const { answer, messageId, status } = outcome;
      return { next: { ...chunk, state: 'sent', answer, messageId, status } };
    }
    case 'notSent':
      return { next: { ...chunk, state: 'not sent', reason: outcome.reason } };
    case 'refused':
    case 'unknown': {
      const { answer, reason } = outcome;
      return { next: { ...chunk, state: outcome.kind, answer, reason } };
    }
    case 'rateLimited': {
      const rateLimits = chunk.rateLimits + 1;
      if (rateLimits > MOST_RATE_LIMITS)
        return { next: { ...chunk, state: 'not sent', reason: notSentReason(rateLimits) } };
      const waitMs = rateLimitWaitMs(rateLimits, outcome.retryAfterMs, random);
      return { next: { ...chunk, rateLimits, answer: outcome.answer }, waitMs };
    }
    default:
      return assertNever(outcome);
  }
};
