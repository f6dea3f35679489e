import { type Card, cardOf, part, plainCard, withoutButtons } from '../../commands/cards/card.ts';
import type { OutgoingFile } from '../../commands/cards/outgoing-file.ts';
import type {
  AskedForm,
  Caller,
  FileDelivery,
  Inbound,
  Questions,
  Surface,
} from '../../commands/inbound.ts';
import type { InFlight } from '../../core/runtime/in-flight.ts';
import type { Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { BotParts } from '../platform.ts';
import { fitsCaption } from './card-to-html.ts';
import { START_FIRST, safeError } from './failure.ts';
import { isGroupId, LIMITS } from './limits.ts';
import type { Outbound } from './outbound.ts';
import type { AnswerPress } from './press-answer.ts';
import type { Target } from './send-card.ts';

export type SurfaceTools = Pick<BotParts, 'askStepByStep' | 'onMoved' | 'log'> & {
  readonly outbound: Outbound;
  /** The address of the bot's private chat; empty before Telegram has named the bot. */
  readonly ownLink: () => string;
  readonly inFlight: InFlight;
};

/** The message whose button was pressed, and the answer that Telegram waits for. */
export type Pressed = { readonly ref: MessageRef; readonly answer: AnswerPress };

type Event = SurfaceTools & {
  readonly caller: Caller;
  readonly eventId: string;
  readonly pressed: Pressed | undefined;
  readonly target: Target;
  /** A question that was answered: the next card takes its place, once. */
  readonly instead?: { question: MessageRef | undefined };
  /** What cannot be sent privately is told once. */
  readonly told: { isToWriteFirst: boolean };
};

export const inboundOf = (
  tools: SurfaceTools,
  caller: Caller,
  eventId: string,
  pressed?: Pressed,
): Inbound => {
  const { conversation } = caller;
  const replyTo = pressed?.ref.message ?? conversation.replyTo;
  const target = { conversation, replyTo };
  const told = { isToWriteFirst: false };
  return inboundFor({ ...tools, caller, eventId, pressed, target, told });
};

const inboundFor = (event: Event): Inbound => {
  const { caller, eventId, pressed, inFlight } = event;
  // Not awaited: an answer that waits for its turn delays neither the next command nor the confirmation of an update.
  const later = async (work: Promise<void>): Promise<void> => void inFlight.add(work);
  const post = (card: Card) => later(say(event, card).then(() => {}));
  const surface: Surface = {
    say: post,
    whisper: (card) => whisper(event, card),
    publish: post,
    replace: (card, id) => later(replace(event, card, id)),
    sayProgress: progressOf(event),
    whisperPicture: (card, picture) => inFlight.add(whisperPicture(event, card, picture)),
    sendFile: (file) => {
      accept(event);
      return inFlight.add(sendFile(event, file));
    },
    answerPress: (why, state) => later(answerPress(event, why, state)),
    ask: (...asked) => ask(event, inbound, ...asked),
    answersAreReplies: isGroupId(caller.conversation.channel),
  };
  const aside = (card: Card) => sayAside(event, card);
  const inGroup = isGroupId(caller.conversation.channel) && { answerPress: aside };
  const sparing: Surface = { ...surface, say: aside, whisper: aside, replace: aside, ...inGroup };
  const inbound: Inbound = {
    caller,
    eventId,
    surface: { ...surface, sparing, questions: questionsOf(event) },
    ...(pressed === undefined ? {} : { pressed: { ref: pressed.ref, canBecomeCard: true } }),
  };
  return inbound;
};

/** The messages of a form. A group takes few new messages a minute, so there all its questions are one message. */
const questionsOf = (event: Event): Questions => ({
  post: (card) => {
    const known = event.instead?.question;
    const said = event.inFlight.add(say(event, card));
    return known === undefined ? said : Promise.resolve(known);
  },
  close: async (question, line) => void event.inFlight.add(edits(event, question, line)),
  after: (question, line) => {
    const isInPlace = isGroupId(question.conversation.channel);
    if (!isInPlace) void event.inFlight.add(edits(event, question, line));
    const { surface } = inboundFor({ ...event, ...(isInPlace && { instead: { question } }) });
    return { ...surface, replace: surface.say };
  },
});

/** Says a card, where the group is now; returns its message, undefined when it was not posted, which is logged. */
const say = async (event: Event, card: Card): Promise<MessageRef | undefined> => {
  accept(event);
  const { outbound, target, instead } = event;
  const question = instead?.question;
  if (instead !== undefined) instead.question = undefined;
  if (question !== undefined && (await edits(event, question, card))) return question;
  let delivery = await outbound.answer(target, card);
  if (delivery.kind === 'moved') {
    const { conversation } = delivery;
    await reportMove(event, target.conversation.channel, conversation.channel);
    delivery = await outbound.answer({ conversation }, card);
  }
  reportLoss(event, delivery, target);
  return delivery.kind === 'delivered' ? delivery.ref : undefined;
};

const replace = async (event: Event, card: Card, id = ''): Promise<void> => {
  accept(event);
  const { pressed, outbound } = event;
  const ref = pressed?.ref ?? outbound.asked.get(id);
  const isShown = ref !== undefined && (await edits(event, ref, card));
  // What was typed is answered below it as well: the question may be far above.
  if (!isShown || pressed === undefined) await say(event, card);
};

const answerPress = async (event: Event, why: Card, state?: 'over' | 'followed'): Promise<void> => {
  const { pressed } = event;
  if (pressed === undefined) return void (await say(event, why));
  if (state === 'followed') return void (await pressed.answer(why, 'note'));
  const wasShown = await pressed.answer(why, 'alert');
  const isReplaced = state === 'over' && (await edits(event, pressed.ref, why));
  if (wasShown || isReplaced) return;
  // The press can no longer be answered, and in the conversation itself everyone would read the refusal.
  const word = writeFirst(event, await sendPrivately(event, withoutButtons(why)));
  if (word !== undefined) await say(event, word);
};

/** Everyone in a group reads an answer, so it goes to the private chat, which only the person can open. */
const whisper = async (event: Event, card: Card): Promise<void> => {
  const { caller, pressed, told } = event;
  if (!isGroupId(caller.conversation.channel)) return void (await say(event, card));
  const delivery = await sendPrivately(event, card);
  if (delivery.kind === 'delivered') return void (await saySentPrivately(event));
  const word = writeFirst(event, delivery);
  if (word === undefined || told.isToWriteFirst) return;
  told.isToWriteFirst = true;
  const wasShown = pressed !== undefined && (await pressed.answer(word, 'alert'));
  if (!wasShown) await say(event, word);
};

const sendPrivately = async (event: Event, card: Card): Promise<Delivery> => {
  const place = privateChatOf(event.caller);
  const delivery = await event.outbound.answer(place, card);
  reportLoss(event, delivery, place);
  return delivery;
};

const saySentPrivately = (event: Event): Promise<unknown> =>
  event.pressed?.answer(SENT_PRIVATELY, 'note') ?? say(event, SENT_PRIVATELY);

const whisperPicture = async (
  event: Event,
  card: Card,
  picture: OutgoingFile,
): Promise<FileDelivery | undefined> => {
  if (!fitsCaption(card)) return undefined;
  const isInGroup = isGroupId(event.caller.conversation.channel);
  if (!isInGroup) accept(event);
  const sent = await sendFile(event, picture, card);
  if (isInGroup && sent.ok) await saySentPrivately(event);
  return sent;
};

/** One after the other, each an edit of what the first posted. */
const progressOf = ({ caller, outbound, inFlight }: Event): Surface['sayProgress'] => {
  let target = privateChatOf(caller);
  let told = Promise.resolve();
  return async (card) => {
    told = told.then(async () => {
      const delivery = await outbound.answer(target, card);
      if (delivery.kind === 'delivered') target = delivery.ref;
    });
    void inFlight.add(told);
  };
};

const sendFile = async (event: Event, file: OutgoingFile, card?: Card): Promise<FileDelivery> => {
  if (file.content.size > LIMITS.fileBytes) return { ok: false, remedy: TOO_LARGE };
  const delivery = await event.outbound.sendFile(event.caller.id, file, card);
  reportLoss(event, delivery);
  if (delivery.kind === 'delivered') return { ok: true };
  const remedy = (delivery.kind === 'gone' && delivery.remedy) || NO_FILE;
  return { ok: false, remedy: remedy === START_FIRST ? withLink(event.ownLink()) : remedy };
};

/** The form's questions one by one, because Telegram has no forms. */
const ask = async (event: Event, inbound: Inbound, ...asked: AskedForm): Promise<void> => {
  accept(event);
  try {
    await event.askStepByStep(inbound, ...asked);
  } catch (error) {
    const { log, eventId } = event;
    log.error({ eventId, error: safeError(error) }, 'a form could not be begun');
    await say(event, FORM_FAULT);
  }
};

/**
 * For people without any grant: in the answer to their press, which takes no room. Else an answer for which there is no
 * room is a reaction to what they typed.
 */
const sayAside = async (event: Event, card: Card): Promise<void> => {
  const { outbound, target, caller, log, pressed } = event;
  if (pressed !== undefined) return void (await pressed.answer(card, 'alert'));
  const { kind } = await outbound.aside(target, caller.id, card);
  if (kind === 'delivered') return;
  log.debug({ kind }, 'no answer to a person without any grant');
  await outbound.react(target);
};

/** Any answer but a refusal means that the press counts, so its spinner can end. */
const accept = ({ pressed }: Event): void => void pressed?.answer();

/** False when a new message is due, because this one cannot be edited: after a wait that was too long it would wait too. */
const edits = async (event: Event, ref: MessageRef, card: Card): Promise<boolean> => {
  const delivery = await event.outbound.answer(ref, card);
  if (delivery.kind === 'rateLimited') reportLoss(event, delivery, ref);
  return delivery.kind === 'delivered' || delivery.kind === 'rateLimited';
};

const privateChatOf = ({ platform, id }: Caller): Target => ({
  conversation: { platform, channel: id },
});

/** `place` is told of an answer that waited too long. */
const reportLoss = (event: Event, delivery: Delivery, place?: Target): void => {
  const { log, inFlight, outbound } = event;
  if (delivery.kind !== 'delivered') log.warn({ delivery }, 'an answer did not reach Telegram');
  if (delivery.kind === 'rateLimited' && place) void inFlight.add(outbound.ownUp(place));
};

/** Passes a new chat id on. A failure is only logged: the next message to the old id reports the move again. */
export const reportMove = async (
  { onMoved, log }: Pick<SurfaceTools, 'onMoved' | 'log'>,
  from: string,
  to: string,
): Promise<void> => {
  try {
    await onMoved(from, to);
  } catch (error) {
    log.error({ from, to, error: safeError(error) }, 'the new id of a group could not be kept');
  }
};

const SENT_PRIVATELY = plainCard('Sent to you privately.');

const withLink = (link: string): string => [START_FIRST, link].join(' ').trim();

/** Where Telegram says that the private chat is not open. */
const writeFirst = ({ caller, ownLink }: Event, delivery: Delivery): Card | undefined =>
  delivery.kind === 'gone' && delivery.remedy !== undefined
    ? cardOf(`${caller.name}, I cannot write to you privately yet.`, [
        part.text(withLink(ownLink())),
        part.text('Then do this again.'),
      ])
    : undefined;

const TOO_LARGE = 'It has more than the 50 MB that Telegram takes. Ask for fewer days.';
const NO_FILE = 'Telegram did not take the file. Look into our private chat, then try again.';

const FORM_FAULT = plainCard(
  'Something went wrong here',
  'Nothing was done. Type the command again.',
  'warning',
);
