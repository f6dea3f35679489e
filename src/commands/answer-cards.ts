import type { Problem } from '../core/errors.ts';
import type { NoAnswer } from '../core/gateway/gateway.ts';
import { maskPhones } from '../core/masking.ts';
import type { ServiceAnswer } from '../core/payments/payment.ts';
import type { Card, CardPart } from './card.ts';
import type { Caller } from './inbound.ts';
import type { Withheld } from './role-holding.ts';

/** A card that says one thing. */
export const plainCard = (title: string, text?: string): Card => ({
  title,
  parts: text === undefined ? [] : [{ kind: 'text', text }],
});

/** What was wrong with a command, and one to copy. */
export const problemCard = (problem: Problem, usage?: string): Card => {
  const parts: CardPart[] = [{ kind: 'text', text: problem.message }];
  if (problem.example !== undefined) parts.push({ kind: 'example', text: problem.example });
  if (usage !== undefined) parts.push({ kind: 'note', text: `Usage: ${usage}` });
  return { title: 'That did not work', tone: 'warning', parts };
};

/** Names the ids an administrator can grant. `withheld`: why what a channel or group may do does not count. */
export const deniedCard = (what: string, caller: Caller, withheld?: Withheld): Card => ({
  title: `You may not ${what} here`,
  tone: 'warning',
  parts: [
    ...(withheld === undefined ? [] : [{ kind: 'text', text: withheldText(withheld) } as const]),
    {
      kind: 'text',
      text: 'Ask whoever runs Paythread to grant it in the access file, to one of these ids:',
    },
    { kind: 'list', items: withheld === undefined ? idsOf(caller) : idsOf(caller).slice(0, 1) },
  ],
});

/** What to tell whoever was granted nothing for that reason. */
export const withheldText = (why: Withheld): string =>
  why === 'guest'
    ? 'What a channel or a group may do is not for guests of the workspace. They need a grant of their own.'
    : 'Who is a guest, and who is in a user group, cannot be found out at the moment, so a channel or a group grants nothing. Try again in a minute.';

/** The ids by which the access file can name a caller. */
export const idsOf = (caller: Caller): string[] => {
  const { platform, id, conversation } = caller;
  const own = `${platform}:${id} (you)`;
  const here = `${platform}:${conversation.channel} (everyone in this conversation)`;
  return conversation.channel === id || platform === 'terminal' ? [own] : [own, here];
};

/** Why a question to the service has no answer, in a sentence for people. */
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
  message !== undefined && sentence.includes(maskPhones(message));

/** The service's message and code as they came but for phone numbers, or undefined when it said neither. */
export const saidText = ({ message, code }: ServiceAnswer): string | undefined => {
  if (message === undefined)
    return code === undefined ? undefined : maskPhones(`The service answered with code ${code}.`);
  const words = code === undefined ? message : `${message} (code ${code})`;
  return maskPhones(`The service says: ${words}.`);
};
