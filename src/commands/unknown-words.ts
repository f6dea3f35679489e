import { denialOfCommand } from './access/check-access.ts';
import type { DenialNeeds } from './access/denial.ts';
import { type Button, type Card, pressButton } from './cards/card.ts';
import { fittingButton } from './cards/time-buttons.ts';
import { audienceAround } from './cards/visibility.ts';
import type { Command, Context, Services } from './command.ts';
import { meantCard } from './forms/words-form.ts';
import { ALL_COMMANDS, isGreeting, meantCommand, notUnderstoodCard } from './help.ts';
import { firstWord } from './inbound.ts';
import { leadingNumbers } from './leading-number.ts';
import { searchButton } from './payments/payments.ts';
import { commandInWords } from './plain-words.ts';

type UnknownWordsNeeds = DenialNeeds & Pick<Services, 'store' | 'settings' | 'platforms'>;

/** Of what may have been meant. */
const MOST_OFFERED = 3;

/**
 * Answers words that begin with no command: does what they stand for where the person is alone with the bot, else says
 * which command was meant or could be tried.
 */
export const answerUnknown = async (
  needs: UnknownWordsNeeds,
  commands: ReadonlyMap<string, Command>,
  typed: string,
  context: Context,
): Promise<void> => {
  const { surface, caller } = context;
  const isAlone = audienceAround(caller, needs.platforms) === 'one person';
  const [name = '', words = ''] =
    (isAlone && !isGreeting(typed) && (await commandInWords(needs, typed, context))) || [];
  const command = commands.get(name);
  if (command !== undefined) {
    const denial = denialOfCommand(needs, command, context);
    return denial === undefined ? command.run(words, context) : surface.say(denial);
  }
  const all = [...commands.values()];
  const card = notUnderstoodCard(all, context, typed);
  const meant = meantCommand(all, context, typed);
  if (meant !== undefined) {
    // What was typed behind a misspelt command need not be typed again.
    const typedAgain = { card, words: firstWord(typed).rest };
    return surface.say(await meantCard(needs, context, meant, typedAgain));
  }
  await surface.say(
    isAlone && !isGreeting(typed) ? withNearest(card, nearestOf(needs, typed, context)) : card,
  );
};

/** They answer no question, so an open one is still answered by words. */
const withNearest = (card: Card, buttons: readonly Button[]): Card => ({
  ...card,
  buttons: buttons.map((button) => (button.kind === 'press' ? { ...button, aside: true } : button)),
});

/** What this person may do with such words, the most likely first. */
const nearestOf = (
  { settings: { country } }: UnknownWordsNeeds,
  typed: string,
  { grants, caller }: Context,
): readonly Button[] => {
  const [leading] = leadingNumbers(typed.split(/\s+/), country);
  const number = leading?.number.e164;
  const offers = [
    grants.may('charge') && number !== undefined
      ? fittingButton('Charge this number', 'charge-found', number)
      : undefined,
    grants.may('payments') ? searchButton(typed) : undefined,
    grants.may('charge') && number === undefined
      ? pressButton('Charge a customer', 'new-charge', caller.id)
      : undefined,
    grants.may('payments') ? pressButton("Today's payments", 'older', 'today') : undefined,
    pressButton('All commands', ALL_COMMANDS, 'more'),
  ].filter((button) => button !== undefined);
  return [...offers.slice(0, MOST_OFFERED - 1), ...offers.slice(MOST_OFFERED - 1).slice(-1)];
};
