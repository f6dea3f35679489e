import type { Engine } from '../../../src/app/engine.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Caller, Inbound, Surface } from '../../../src/commands/inbound.ts';
import type { PressedMessage } from '../../../src/core/values/conversation.ts';
import type { SimulatedChat } from './chat.ts';
import type { Happening } from './happenings.ts';
import type { Instance } from './instance.ts';
import type { People } from './people.ts';
import type { Timeline } from './timeline.ts';

type World = {
  readonly chats: readonly SimulatedChat[];
  readonly people: People;
  readonly timeline: Timeline;
};

/** Hands an event over to the commands. */
export const handOver = (
  router: Engine['router'],
  inbound: Inbound,
  what: Happening['what'],
): Promise<void> => {
  if (what.kind === 'command') return router.command(inbound, what.name, what.words);
  if (what.kind === 'press') return router.press(inbound, what.verb, what.id);
  if (what.kind === 'form') return router.submit(inbound, what.name, what.answers);
  const read = async () => ({ ok: true, value: Buffer.from(what.text) }) as const;
  return router.file(inbound, { name: 'a file.csv', read }, what.words);
};

const QUESTIONS = new Set(['charge', 'bulk-charge', 'sms-file']);

const isQuestion = ({ buttons = [] }: Card): boolean =>
  buttons.some((button) => button.kind === 'press' && QUESTIONS.has(button.verb));

/** The message in which a button was pressed. */
export const pressedMessage = (
  { chats }: Pick<World, 'chats'>,
  { platform, conversation }: Caller,
  buttonId: string,
): PressedMessage => {
  const chat = chats.find((each) => each.platform === platform);
  const message = chat?.questionWith(buttonId)?.id;
  return message === undefined || chat?.questionsBecomeCards !== true
    ? { ref: { conversation, message: 'seen by one person' }, canBecomeCard: false }
    : { ref: { conversation, message }, canBecomeCard: true };
};

/** Where the answers to an event go. */
export const simulatedSurface = (
  world: World,
  instance: Instance,
  happening: Happening,
): Surface => {
  const { caller, eventId, what } = happening;
  const chat = world.chats.find(({ platform }) => platform === caller.platform);
  const asked =
    chat?.questionsBecomeCards === true && what.kind === 'press'
      ? chat.questionWith(what.id)
      : undefined;
  const showWith =
    (post: (card: Card) => void): Surface['say'] =>
    (card) =>
      instance.call('show', (answer) => {
        post(card);
        world.people.see(happening, card);
        answer(undefined);
      });
  const show = showWith((card) => {
    if (chat?.questionsBecomeCards === true && isQuestion(card))
      chat.say(caller.conversation.channel, `${eventId}.question`, card);
  });
  return {
    say: show,
    whisper: show,
    replace: showWith((card) => asked?.said.push({ atMs: world.timeline.nowMs, card })),
    answerPress: async (card, state) => {
      if (state === 'followed') world.people.followed.add(eventId);
      else await show(card);
    },
    publish: async () => {},
    sayProgress: async () => {},
    sendFile: async () => ({ ok: true }),
    ask: () => show({ title: 'a form', parts: [] }),
  };
};
