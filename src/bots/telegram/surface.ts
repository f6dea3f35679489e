import type { Card } from '../../commands/cards/card.ts';
import type { Answers, Form } from '../../commands/forms/form.ts';
import type { Caller, Inbound, Surface } from '../../commands/inbound.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { AnswerQueues } from './answer-queues.ts';
import { isGroupId } from './limits.ts';
import type { Target } from './outbound.ts';
import type { PressAnswer } from './press-answer.ts';
import { safeError } from './safe-error.ts';

/** Asks a form's questions one by one, because Telegram has no forms. */
export type AskStepByStep = (inbound: Inbound, form: Form, answers: Answers) => Promise<void>;

/** A group became a supergroup: its chat id changed. */
export type OnMoved = (from: string, to: string) => Promise<void> | void;

export type SurfaceTools = {
  readonly answers: AnswerQueues;
  readonly clock: Clock;
  readonly log: Log;
  readonly askStepByStep: AskStepByStep;
  readonly onMoved: OnMoved;
  /** Work that is not awaited, and has to end before the bot stops. */
  readonly hold: (work: Promise<void>) => void;
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
  // Any other answer means that the press was not refused, so its spinner can end.
  const counts = () => void pressed?.answer.end();
  const say = (card: Card) => {
    counts();
    return answer(tools, target, card);
  };
  const replace = async (card: Card): Promise<void> => {
    counts();
    if (pressed === undefined || !(await answerInPlace(tools, pressed.ref, card))) await say(card);
  };
  const refusePress = async (why: Card, state?: 'over'): Promise<void> => {
    if (pressed === undefined) return say(why);
    const wasShown = await pressed.answer.alert(why);
    const isReplaced = state === 'over' && (await answerInPlace(tools, pressed.ref, why));
    if (!wasShown && !isReplaced) await tellInPrivate(tools, caller, why);
  };
  const surface: Surface = {
    say: (card) => later(tools, say(card)),
    whisper: (card) => whisper(tools, { caller, say, pressed }, card),
    replace: (card) => later(tools, replace(card)),
    refusePress: (why, state) => later(tools, refusePress(why, state)),
    ask: async (form, answers) => {
      counts();
      try {
        await tools.askStepByStep(inbound, form, answers);
      } catch (error) {
        tools.log.error({ eventId, error: safeError(error) }, 'a form could not be begun');
        await say(FORM_FAULT);
      }
    },
    answersAreReplies: isGroupId(conversation.channel),
  };
  const inbound: Inbound = {
    caller,
    eventId,
    surface: {
      ...surface,
      sparing: sparingOf(tools, surface, { target, personId: caller.id }),
    },
    ...(pressed === undefined ? {} : { pressed: { ref: pressed.ref, canBecomeCard: true } }),
  };
  return inbound;
};

/** Not awaited: an answer that waits for its turn delays neither the next command nor the confirmation of an update. */
const later = async ({ hold }: SurfaceTools, work: Promise<void>): Promise<void> => hold(work);

/** For a press that can no longer be answered. In the conversation itself everyone would read the refusal. */
const tellInPrivate = async (
  tools: SurfaceTools,
  { platform, id }: Caller,
  card: Card,
): Promise<void> => {
  const { buttons: _, ...words } = card;
  reportLoss(tools, await tools.answers.say({ conversation: { platform, channel: id } }, words));
};

/** Everyone in a group reads an answer, so it goes to the private chat, which only the person can open. */
const whisper = async (
  tools: SurfaceTools,
  to: { caller: Caller; say: (card: Card) => Promise<void>; pressed: Pressed | undefined },
  card: Card,
): Promise<void> => {
  const { platform, id, conversation } = to.caller;
  if (!isGroupId(conversation.channel)) return to.say(card);
  const sent = await tools.answers.say({ conversation: { platform, channel: id } }, card);
  const word = sent.kind === 'delivered' ? SENT_PRIVATELY : WRITE_FIRST;
  if (to.pressed === undefined) return to.say(word);
  if (sent.kind === 'delivered') await to.pressed.answer.note(word);
  else await to.pressed.answer.alert(word);
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

/** Says a card, where the group is now. Never rejects; what is lost is logged. */
const answer = async (tools: SurfaceTools, target: Target, card: Card): Promise<void> => {
  const first = await tools.answers.say(target, card);
  if (first.kind !== 'moved') return reportLoss(tools, first);
  await reportMove(tools, target.conversation.channel, first.conversation.channel);
  reportLoss(tools, await tools.answers.say({ conversation: first.conversation }, card));
};

/** False when the message cannot be edited; the caller then posts a new one. */
const answerInPlace = async (
  tools: SurfaceTools,
  ref: MessageRef,
  card: Card,
): Promise<boolean> => {
  const { kind } = await tools.answers.replace(ref, card);
  return kind === 'delivered' || kind === 'rateLimited';
};

/** For people without any grant: an answer for which there is no room is dropped. */
const sparingOf = (
  { answers, log }: SurfaceTools,
  surface: Surface,
  { target, personId }: { target: Target; personId: string },
): Surface => {
  const say = async (card: Card): Promise<void> => {
    const { kind } = await answers.aside(target, personId, card);
    if (kind !== 'delivered') log.debug({ kind }, 'no answer to a person without any grant');
  };
  return { ...surface, say, whisper: say, replace: say };
};

/** For an author who may not do anything: as `sparingOf`. */
export const rejectAuthor = async (
  { answers }: SurfaceTools,
  target: Target,
  card: Card,
): Promise<void> => {
  await answers.aside(target, card.title, card);
};

const reportLoss = ({ log }: SurfaceTools, delivery: Delivery): void => {
  if (delivery.kind !== 'delivered') log.warn({ delivery }, 'an answer did not reach Telegram');
};

/** Passes a new chat id on. A failure is only logged: the next message to the old id reports the move again. */
export const reportMove = async (
  { onMoved, log }: SurfaceTools,
  from: string,
  to: string,
): Promise<void> => {
  try {
    await onMoved(from, to);
  } catch (error) {
    log.error({ from, to, error: safeError(error) }, 'the new id of a group could not be kept');
  }
};
