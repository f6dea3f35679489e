import { cardOf, pressButton } from '../cards/card.ts';
import type { Command, Context, Services } from '../command.ts';
import { didYouMean } from '../help.ts';
import { correctable } from './correct-it.ts';
import { shortLine } from './question-card.ts';
import { formOfWords } from './words-form.ts';

/** Verb of the button that is what was typed, with the command put right. */
export const RETYPE = 'retype';

/** Of a parked form: the words that the button types again. */
export const RETYPED = 'retyped';

/** Offers the command that was most likely meant, with the words behind the wrong one. */
export const sayMeant = async (
  needs: Pick<Services, 'store' | 'clock'>,
  context: Context,
  { name, form, understood }: Command,
  words: string,
): Promise<void> => {
  const read = form && (await understood?.(words, context));
  const { answers, problems } = read ?? { answers: { words }, problems: {} };
  const filled = { answers: { ...answers, [RETYPED]: words }, problems };
  const target = form === undefined || read === undefined ? formOfWords(name) : form;
  const card = await correctable(needs, context, target, cardOf(didYouMean({ name }), []), filled);
  const [correct] = card.buttons ?? [];
  if (correct?.kind !== 'press') return context.surface.say(card);
  const label = shortLine(`/${name} ${words}`);
  const again = pressButton(label, RETYPE, correct.id, { style: 'primary' });
  const { style: _, ...second } = correct;
  await context.surface.say({ ...card, buttons: words === '' ? [again] : [again, second] });
};
