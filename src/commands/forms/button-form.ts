import { defined } from '../../core/runtime/defined.ts';
import type { Context, FormOfButton, Press, Services } from '../command.ts';
import { type PressRefusal, refuse } from '../draft-buttons.ts';
import type { Answers } from './form.ts';
import { type InputCommand, inputCommand } from './input-command.ts';

type ButtonForm<Of, V> = Omit<InputCommand<V>, 'says' | 'understood' | 'run'> &
  Pick<Press, 'of'> & {
    /** What the button is of, or why this person may not go on. Asked at the press, and again with the answers. */
    find(id: string, context: Context): Promise<Of | PressRefusal>;
    /** Answers without a field, as they are now. @default none */
    known?(of: Of): Answers | Promise<Answers>;
    run(of: Of, values: V, context: Context): Promise<void>;
  };

/** A button that asks for more, and its form. */
export const buttonForm = <Of extends object, V extends object>(
  needs: Pick<Services, 'store' | 'clock'>,
  { of: kind, find, known, run, ...input }: ButtonForm<Of, V>,
): { press: Press; form: FormOfButton } => {
  const inputOf = (take: (values: V, context: Context) => Promise<void>) =>
    inputCommand<V>(needs, { ...input, run: take });
  const { form } = inputOf(async () => {});
  return {
    press: {
      checksAccessItself: true,
      ...defined({ of: kind }),
      run: async (id, context) => {
        const of = await find(id, context);
        if ('why' in of) return refuse(of, context);
        await context.surface.ask(form, { of: id, ...(await known?.(of)) });
      },
    },
    form: {
      form,
      checksAccessItself: true,
      submit: async (answers, context) => {
        const of = await find(answers['of'] ?? '', context);
        if ('why' in of) return refuse(of, context);
        const { submit } = inputOf((values, at) => run(of, values, at));
        await submit({ ...answers, ...(await known?.(of)) }, context);
      },
    },
  };
};
