import type { Problem } from '../../core/runtime/errors.ts';
import { parsed } from '../../core/runtime/errors.ts';
import { type Button, problemCard } from '../cards/card.ts';
import type { Command, Context, FormOfButton, Services } from '../command.ts';
import { correctable } from './correct-it.ts';

/** The words of a command in one field, as they were typed: for commands whose words have no fields of their own. */
export const wordsForm = ({ name, usage, examples, run }: Command): FormOfButton => ({
  form: {
    ...formOfWords(name),
    title: `/${name}`,
    submitLabel: 'Send',
    fields: [
      {
        name: 'words',
        label: usage === '' ? `Words behind /${name}` : usage,
        hint: `For example ${examples.find((words) => words !== '') ?? `/${name}`}`,
        check: (answer) => parsed(answer),
      },
    ],
  },
  submit: (answers, context) => run(answers['words'] ?? '', context),
});

export const formOfWords = (name: string) => ({ command: `${name}-words` });

/** Says why the words of a command were not understood, below `meanings`, the buttons of what may have been meant. */
export const sayMisread = async (
  needs: Pick<Services, 'store' | 'clock'>,
  context: Context,
  name: string,
  { problem, words }: { readonly problem: Problem; readonly words: string },
  meanings: readonly Button[] = [],
): Promise<void> => {
  const understood = { answers: { words }, problems: { words: problem.message } };
  const form = formOfWords(name);
  const card = await correctable(needs, context, form, problemCard(problem), understood);
  await context.surface.say({ ...card, buttons: [...meanings, ...(card.buttons ?? [])] });
};
