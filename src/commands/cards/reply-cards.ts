import type { NoAnswer } from '../../core/gateway/gateway.ts';
import { quotable, quoted } from '../../core/gateway/reason-texts.ts';
import type { ServiceAnswer } from '../../core/gateway/service-answer.ts';
import type { Problem } from '../../core/runtime/errors.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import type { Withheld } from '../access/role-membership.ts';
import type { Caller } from '../inbound.ts';
import { type Card, type CardPart, type Fact, idFact } from './card.ts';

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

/** Names the id an administrator can grant. `withheld`: why what a channel or group may do does not count. */
export const deniedCard = (deed: string, caller: Caller, withheld?: Withheld): Card => ({
  title: `You cannot ${deed} yet`,
  tone: 'warning',
  parts: [
    ...(withheld === undefined ? [] : [{ kind: 'text', text: withheldText(withheld) } as const]),
    { kind: 'text', text: 'Ask the person who manages Paythread for access. Send them your id.' },
    { kind: 'facts', facts: [ownIdFact(caller)] },
  ],
});

/** What to tell a person who was granted nothing for that reason. */
export const withheldText = (why: Withheld): string => WITHHELD[why];

const WITHHELD: Readonly<Record<Withheld, string>> = {
  guest: 'A guest needs access of their own. The access of a channel or group is not for guests.',
  'not told': 'I cannot see now who is a guest or in a group. Try again in a minute.',
  'not permitted':
    'I may not see who is a guest or in a group. A channel or group gives no access until I may. The owner can run npm run doctor.',
};

const ownIdFact = ({ platform, id }: Caller): Fact => idFact('Your id', `${platform}:${id}`);

/** The ids by which the access file can name a caller. */
export const idsOf = (caller: Caller): Fact[] => {
  const { platform, id, conversation } = caller;
  if (conversation.channel === id) return [ownIdFact(caller)];
  const here = idFact('Id of this conversation', `${platform}:${conversation.channel}`);
  return [ownIdFact(caller), here];
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
