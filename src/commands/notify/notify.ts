import type { InForce } from '../../core/notices/notify-rules.ts';
import { LEVELS, type Level } from '../../core/records/notify-rules.ts';
import { type Card, cardOf, joined, part, pressButton, problemCard } from '../cards/card.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import { sayMisread } from '../forms/words-form.ts';
import { notifyTestCard } from './notify-test.ts';
import { ruleText } from './rule-text.ts';

/** `/notify`: what this conversation is told, and setting it here. */
export const notifyCommand = (services: Services): CommandRecord => {
  const set = async (level: Level, { caller }: Context): Promise<Card> => {
    await services.notify.set(caller.conversation, level, caller);
    return inForceCard(services, caller);
  };
  return {
    summary: 'Choose which outcomes are told in this conversation',
    deed: 'choose what is told here',
    usage: '[all|problems|none|test]',
    examples: ['', 'problems', 'test'],
    run: async (words, context) => {
      const { surface, caller } = context;
      const word = words.trim().toLowerCase();
      if (word === '') return surface.say(await inForceCard(services, caller));
      if (word === 'test') return surface.say(await notifyTestCard(services, caller.conversation));
      const level = levelIn(word);
      await (level === undefined
        ? sayMisread(services, context, ['notify', words], WRONG_WORD)
        : surface.say(await set(level, context)));
    },
    presses: {
      notify: {
        run: async (word, context) => {
          const level = levelIn(word);
          await context.surface.replace(
            level === undefined ? problemCard(WRONG_WORD) : await set(level, context),
          );
        },
      },
    },
  };
};

const levelIn = (word: string): Level | undefined => LEVELS.find((level) => level === word);

const TOLD: Readonly<Record<Level, string>> = {
  all: 'I tell every outcome under its card.',
  problems: 'I tell outcomes under their cards, but not completed payments.',
  none: 'The cards alone tell the outcomes.',
};

const inForceCard = async (
  services: Services,
  { conversation }: Context['caller'],
): Promise<Card> => {
  const inForce = await services.notify.inForce(conversation);
  const { level, mirrors } = inForce;
  return cardOf(
    `Told here: ${level}`,
    [
      part.text(TOLD[level]),
      mirrors.length === 0 ? undefined : part.text('Payments of other chats that I tell here:'),
      mirrors.length === 0 ? undefined : part.list(mirrors.map(ruleText)),
      part.note(chosenText(inForce)),
    ],
    {
      buttons: LEVELS.filter((other) => other !== level).map((other) =>
        pressButton(`${other.charAt(0).toUpperCase()}${other.slice(1)}`, 'notify', other),
      ),
    },
  );
};

const chosenText = ({ by, isInFile }: InForce): string => {
  if (by === undefined) return isInFile ? 'The access file says so.' : 'Nobody has chosen yet.';
  const instead = isInFile ? 'It counts instead of the access file.' : undefined;
  return joined(`${by.name} chose this here.`, instead);
};

const WRONG_WORD = {
  message: 'Choose all, problems or none. Or test what each would tell.',
  example: '/notify problems',
};
