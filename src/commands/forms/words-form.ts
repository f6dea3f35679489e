import { type Problem, parsed } from '../../core/runtime/errors.ts';
import { type Button, type Card, pressButton } from '../cards/card.ts';
import type { Command, Context, FormOfButton, Services } from '../command.ts';
import { correctButton, sayMisunderstood } from './correct-it.ts';
import { parkForm } from './parked-form.ts';
import { shortLine } from './question-card.ts';

type WordsFormNeeds = Pick<Services, 'store' | 'clock'>;

/** Verb of the button that is what was typed, with the command put right. */
export const RETYPE = 'retype';

/** The words that it types again, among the answers of the form behind `Correct it`. */
export const RETYPED = 'retyped';

const formOfWords = (name: string) => ({ command: `${name}-words` });

/** The words of a command in one field, as they were typed: for commands whose words have no fields of their own. */
export const wordsForm = ({ name, examples, run }: Command): FormOfButton => {
  const hint = `For example ${examples.at(-1)}`;
  const words = { name: 'words', label: `Words after /${name}`, hint, check: parsed<string> };
  return {
    form: { ...formOfWords(name), title: `/${name}`, submitLabel: 'Send', fields: [words] },
    submit: (answers, context) => run(answers['words'] ?? '', context),
  };
};

/** Says why the words of a command were not understood, above `meanings`, the buttons of what may have been meant. */
export const sayMisread = (
  needs: WordsFormNeeds,
  context: Context,
  [name, words]: readonly [name: string, words: string],
  problem: Problem,
  meanings: readonly Button[] = [],
): Promise<void> => {
  const misread = { problem, answers: { words }, problems: { words: problem.message } };
  return sayMisunderstood(needs, context, formOfWords(name), misread, () => meanings);
};

/** Offers the command that was most likely meant, with the words behind the wrong one. */
export const meantCard = async (
  needs: WordsFormNeeds,
  context: Context,
  { name, form, understood }: Command,
  { card, words }: { readonly card: Card; readonly words: string },
): Promise<Card> => {
  const read = await understood?.(words, context);
  const { answers, problems } = read ?? { answers: { words }, problems: {} };
  const { command } = (read && form) ?? formOfWords(name);
  const filled = { command, answers: { ...answers, [RETYPED]: words }, problems };
  const id = await parkForm(needs, context, filled);
  if (id === undefined) return card;
  const again = pressButton(shortLine(`/${name} ${words}`), RETYPE, id);
  const buttons = words === '' ? [again] : [again, correctButton(id)];
  return { title: card.title, parts: [], buttons };
};
