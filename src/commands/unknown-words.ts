import { denialOfCommand } from './access/check-access.ts';
import type { DenialNeeds } from './access/denial.ts';
import { type Button, pressButton } from './cards/card.ts';
import { fittingButton } from './cards/time-buttons.ts';
import { isAlone } from './cards/visibility.ts';
import type { Command, Context, Services } from './command.ts';
import { meantCard } from './forms/words-form.ts';
import { ALL_COMMANDS, isGreeting, meantCommand, notUnderstoodCard } from './help.ts';
import { firstWord } from './inbound.ts';
import { leadingNumbers } from './leading-number.ts';
import { searchButton } from './payments/payments.ts';
import { commandInWords } from './plain-words.ts';

export type UnknownWordsNeeds = DenialNeeds & Pick<Services, 'store' | 'settings' | 'platforms'>;

/** Of what may have been meant, beside all commands. */
const MOST_OFFERED = 2;

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
  const inPrivate = !isGreeting(typed) && isAlone(caller, needs.platforms);
  const [name = '', words = ''] =
    (inPrivate ? await commandInWords(needs, typed, context) : undefined) ?? [];
  const command = commands.get(name);
  if (command !== undefined) {
    const denial = denialOfCommand(needs, command, context);
    return denial === undefined ? command.run(words, context) : surface.say(denial);
  }
  const all = [...commands.values()];
  const card = notUnderstoodCard(all, context, typed);
  const meant = meantCommand(all, context, typed);
  if (meant === undefined)
    return surface.say(inPrivate ? { ...card, buttons: nearestOf(needs, typed, context) } : card);
  // What was typed behind a misspelt command need not be typed again.
  const typedAgain = { card, words: firstWord(typed).rest };
  await surface.say(await meantCard(needs, context, meant, typedAgain));
};

/** What this person may do with such words, the most likely first. They answer no question, so an open one is still answered by words. */
const nearestOf = (
  { settings: { country } }: UnknownWordsNeeds,
  typed: string,
  { grants, caller }: Context,
): readonly Button[] => {
  const [leading] = leadingNumbers(typed.split(/\s+/), country);
  const [charges, sees] = [grants.may('charge'), grants.may('payments')];
  const offers = [
    charges && leading && fittingButton('Charge this number', 'charge-found', leading.number.e164),
    sees && searchButton(typed),
    charges && !leading && pressButton('Charge a customer', 'new-charge', caller.id),
    sees && pressButton("Today's payments", 'older', 'today'),
  ];
  return [
    ...offers.filter((button) => typeof button === 'object').slice(0, MOST_OFFERED),
    pressButton('All commands', ALL_COMMANDS, 'more'),
  ].map((button) => ({ ...button, aside: true }));
};
