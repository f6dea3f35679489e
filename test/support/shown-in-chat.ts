import type { Card } from '../../src/commands/cards/card.ts';
import type { Surface } from '../../src/commands/inbound.ts';

/** A chat without forms and files, in which all that is shown comes to `show`. */
export const showingTo = (
  show: (card: Card) => void,
  ask: Surface['ask'] = async () => {},
): Surface => {
  const shown = async (card: Card) => show(card);
  return {
    ...{ say: shown, whisper: shown, replace: shown, answerPress: shown },
    publish: async () => {},
    sayProgress: async () => {},
    sendFile: async () => ({ ok: true }),
    ask,
  };
};
