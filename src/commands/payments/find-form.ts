import { parsed } from '../../core/runtime/errors.ts';
import type { Context, FormOfButton } from '../command.ts';

/** Asks for the words of `/payments`, for people who press a button. */
export const findForm = (
  list: (words: string, context: Context) => Promise<void>,
): FormOfButton => ({
  form: {
    command: 'find',
    title: 'Find payments',
    submitLabel: 'Find',
    fields: [
      {
        name: 'words',
        label: 'What to find',
        hint: 'A number, name, amount, reference, day or state',
        check: (answer) => parsed(answer),
      },
    ],
  },
  submit: (answers, context) => list(answers['words'] ?? '', context),
});
