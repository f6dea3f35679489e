import type { Card } from '../../commands/card.ts';
import type { Answers, Form } from '../../commands/form.ts';
import type { Caller, Inbound, Surface } from '../../commands/inbound.ts';
import type { Clock } from '../../core/clock.ts';
import type { Delivery, MessageRef } from '../../core/conversation.ts';
import { assertNever } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { isGroupId } from './limits.ts';
import { loggable } from './loggable.ts';
import type { Outbound, Target } from './outbound.ts';

/** Telegram has no forms, so the questions are asked one by one by whoever keeps the answers. */
export type AskStepByStep = (inbound: Inbound, form: Form, answers: Answers) => Promise<void>;

/** A group became a supergroup: its chat id changed. */
export type OnMoved = (from: string, to: string) => Promise<void> | void;

/** A person waits; after this an answer is worth less than the next message. */
const LONGEST_WAIT_MS = 10_000;
const TRY_AGAIN_MS = 1_000;

export type SurfaceTools = {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Log;
  readonly askStepByStep: AskStepByStep;
  readonly onMoved: OnMoved;
};

/** Answers to one event: replies to what was typed, in the same topic. */
export const inboundOf = (
  tools: SurfaceTools,
  caller: Caller,
  eventId: string,
  pressed?: MessageRef,
): Inbound => {
  const { conversation } = caller;
  const replyTo = pressed?.message ?? conversation.replyTo;
  const target: Target = replyTo === undefined ? { conversation } : { conversation, replyTo };
  const say = (card: Card) => answer(tools, target, card);
  const surface: Surface = {
    say,
    whisper: (card) => whisper(tools, caller, say, card),
    replace: async (card) => {
      if (pressed === undefined || !(await answerInPlace(tools, pressed, card))) await say(card);
    },
    ask: async (form, answers) => {
      try {
        await tools.askStepByStep(inbound, form, answers);
      } catch (error) {
        tools.log.error({ eventId, error: loggable(error) }, 'a form could not be begun');
        await say(FORM_FAULT);
      }
    },
    answersAreReplies: isGroupId(conversation.channel),
  };
  const inbound: Inbound = {
    caller,
    eventId,
    surface,
    ...(pressed === undefined ? {} : { pressed: { ref: pressed, canBecomeCard: true } }),
  };
  return inbound;
};

/** In a group everybody reads an answer, so it goes to the private chat, which only the person can open. */
const whisper = async (
  tools: SurfaceTools,
  { platform, id, conversation }: Caller,
  say: (card: Card) => Promise<void>,
  card: Card,
): Promise<void> => {
  if (!isGroupId(conversation.channel)) return say(card);
  const sent = await tools.outbound.answer({ conversation: { platform, channel: id } }, card);
  if (sent.kind !== 'delivered') await say(WRITE_FIRST);
};

const WRITE_FIRST: Card = {
  title: 'This is for you alone',
  parts: [
    { kind: 'text', text: 'Open a private chat with me, press Start there, and press this again.' },
  ],
};

const FORM_FAULT: Card = {
  title: 'Something went wrong on our side',
  tone: 'warning',
  parts: [
    { kind: 'text', text: 'The question could not be asked. Please type the command again.' },
  ],
};

/** Sends a card now, and once more where that can help. Never rejects; what is lost is logged. */
export const answer = async (tools: SurfaceTools, target: Target, card: Card): Promise<void> => {
  const first = await tools.outbound.answer(target, card);
  const next = await secondTarget(tools, target, first);
  if (next !== undefined) reportLoss(tools, await tools.outbound.answer(next, card));
};

/** False: it cannot stand there, so it has to be said anew. */
const answerInPlace = async (
  tools: SurfaceTools,
  ref: MessageRef,
  card: Card,
): Promise<boolean> => {
  const first = await tools.outbound.answerInPlace(ref, card);
  switch (first.kind) {
    case 'delivered':
      return true;
    case 'gone':
    case 'moved':
      return false;
    case 'rateLimited':
      if (first.retryAfterMs > LONGEST_WAIT_MS) return false;
      await tools.clock.sleep(first.retryAfterMs);
      break;
    case 'notDelivered':
    case 'unclear':
      // The same edit twice is one edit.
      await tools.clock.sleep(TRY_AGAIN_MS);
      break;
    default:
      return assertNever(first);
  }
  return (await tools.outbound.answerInPlace(ref, card)).kind === 'delivered';
};

/** Where to try again, after waiting as long as that asks for; undefined: not at all. */
const secondTarget = async (
  tools: SurfaceTools,
  target: Target,
  first: Delivery,
): Promise<Target | undefined> => {
  switch (first.kind) {
    case 'delivered':
      return undefined;
    case 'rateLimited':
      if (first.retryAfterMs > LONGEST_WAIT_MS) break;
      await tools.clock.sleep(first.retryAfterMs);
      return target;
    case 'notDelivered':
      await tools.clock.sleep(TRY_AGAIN_MS);
      return target;
    case 'moved':
      await tellMoved(tools, target.conversation.channel, first.conversation.channel);
      return { conversation: first.conversation };
    case 'unclear': // it may stand there, and a second confirmation beside it would confuse
    case 'gone':
      break;
    default:
      return assertNever(first);
  }
  reportLoss(tools, first);
  return undefined;
};

const reportLoss = ({ log }: SurfaceTools, delivery: Delivery): void => {
  if (delivery.kind !== 'delivered') log.warn({ delivery }, 'an answer did not reach Telegram');
};

/** Passes a new chat id on. A failure is logged: the next message to the old id brings the news again. */
export const tellMoved = async (
  { onMoved, log }: SurfaceTools,
  from: string,
  to: string,
): Promise<void> => {
  try {
    await onMoved(from, to);
  } catch (error) {
    log.error({ from, to, error: loggable(error) }, 'the new id of a group could not be kept');
  }
};
