import type { Card } from '../../commands/card.ts';
import type { Answers, Form } from '../../commands/form.ts';
import type { Caller, Inbound, Surface } from '../../commands/inbound.ts';
import type { Clock } from '../../core/clock.ts';
import type { Delivery, MessageRef } from '../../core/conversation.ts';
import { assertNever } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { alertText } from './alert-text.ts';
import { isGroupId } from './limits.ts';
import { loggable } from './loggable.ts';
import type { Outbound, Target } from './outbound.ts';
import type { PressAnswer } from './press-answer.ts';

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

/** The message whose button was pressed, and the answer that Telegram waits for. */
export type Pressed = { readonly ref: MessageRef; readonly answer: PressAnswer };

/** Answers to one event: replies to what was typed, in the same topic. */
export const inboundOf = (
  tools: SurfaceTools,
  caller: Caller,
  eventId: string,
  pressed?: Pressed,
): Inbound => {
  const { conversation } = caller;
  const replyTo = pressed?.ref.message ?? conversation.replyTo;
  const target: Target = replyTo === undefined ? { conversation } : { conversation, replyTo };
  // Whatever is shown otherwise is no refusal, so the press need not wait for one.
  const counts = () => void pressed?.answer.end();
  const say = (card: Card) => {
    counts();
    return answer(tools, target, card);
  };
  const surface: Surface = {
    say,
    whisper: (card) => whisper(tools, { caller, say, pressed }, card),
    replace: async (card) => {
      counts();
      if (pressed === undefined || !(await answerInPlace(tools, pressed.ref, card)))
        await say(card);
    },
    refusePress: async (why, state) => {
      if (pressed === undefined) return say(why);
      const wasShown = await pressed.answer.alert(alertText(why));
      const isReplaced = state === 'over' && (await answerInPlace(tools, pressed.ref, why));
      if (!wasShown && !isReplaced) await tellInPrivate(tools, caller, why);
    },
    ask: async (form, answers) => {
      counts();
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
    ...(pressed === undefined ? {} : { pressed: { ref: pressed.ref, canBecomeCard: true } }),
  };
  return inbound;
};

/** For a press that can no longer be answered; the others in the conversation are not told of it. */
const tellInPrivate = async (
  tools: SurfaceTools,
  { platform, id }: Caller,
  card: Card,
): Promise<void> => {
  const { buttons: _, ...words } = card;
  reportLoss(
    tools,
    await tools.outbound.answer({ conversation: { platform, channel: id } }, words),
  );
};

/** In a group everyone reads an answer, so it goes to the private chat, which only the person can open. */
const whisper = async (
  tools: SurfaceTools,
  to: { caller: Caller; say: (card: Card) => Promise<void>; pressed: Pressed | undefined },
  card: Card,
): Promise<void> => {
  const { platform, id, conversation } = to.caller;
  if (!isGroupId(conversation.channel)) return to.say(card);
  const sent = await tools.outbound.answer({ conversation: { platform, channel: id } }, card);
  const word = sent.kind === 'delivered' ? SENT_PRIVATELY : WRITE_FIRST;
  if (to.pressed === undefined) return to.say(word);
  if (sent.kind === 'delivered') await to.pressed.answer.note(alertText(word));
  else await to.pressed.answer.alert(alertText(word));
};

const SENT_PRIVATELY: Card = { title: 'Sent to you privately.', parts: [] };

const WRITE_FIRST: Card = {
  title: 'I cannot write to you privately yet.',
  parts: [
    { kind: 'text', text: 'Open a private chat with me and press Start. Then do this again.' },
  ],
};

const FORM_FAULT: Card = {
  title: 'Something went wrong here',
  tone: 'warning',
  parts: [{ kind: 'text', text: 'Nothing was done. Type the command again.' }],
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
