import type { Parsed } from '../../core/runtime/errors.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import { sayMisunderstood, understoodAs } from './correct-it.ts';
import type { Answers, Field, Form, Understood } from './form.ts';

/** One thing that a command takes: how it is asked for, and what an answer means; `''` where it is optional and left out. */
type Input<T> = Omit<Field, 'name' | 'check'> & {
  check(answer: string, answers: Answers): Parsed<T>;
};

export type InputCommand<V> = Omit<Form, 'fields'> & {
  readonly inputs: { readonly [Name in keyof V]: Input<V[Name]> };
  /** Said above `Correct it`. @default what is wrong with the first input that is wrong */
  readonly says?: string;
  /** Typed words as answers. @default all of them answer the first input */
  readonly understood?: (words: string) => Understood;
  /** `misread` says, by input, why the values do not go together. */
  run(values: V, context: Context, misread: (problems: Answers) => Promise<void>): Promise<void>;
};

/**
 * What follows from the things that a command takes: its words, its form and `Correct it`. Typed words become the
 * form's answers, which are checked and read in one place.
 */
export const inputCommand = <V extends object>(
  needs: Pick<Services, 'store' | 'clock'>,
  { inputs, says, understood, run, ...texts }: InputCommand<V>,
): Required<Pick<CommandRecord, 'form' | 'understood' | 'run' | 'submit'>> => {
  const named = Object.entries<Input<unknown>>(inputs);
  const fields = named.map(([name, input]) => ({ name, ...input }));
  const form: Form = { ...texts, fields };
  const [first = ''] = Object.keys(inputs);
  const answersIn = (words: string): Understood =>
    understood?.(words) ?? understoodAs(form, words === '' ? {} : { [first]: words });
  const take = async ({ answers, problems }: Understood, context: Context): Promise<void> => {
    const misread = (wrong: Answers): Promise<void> => {
      const problem = { message: says ?? Object.values(wrong)[0] ?? '' };
      return sayMisunderstood(needs, context, form, { problem, answers, problems: wrong });
    };
    if (Object.keys(problems).length > 0) return misread(problems);
    if (fields.some(({ name, optional }) => optional !== true && !(name in answers)))
      return context.surface.ask(form, answers);
    const values = named.map(([name, { check }]) => {
      const read = check((answers[name] ?? '').trim(), answers);
      return [name, read.ok ? read.value : undefined];
    });
    await run(Object.fromEntries(values), context, misread);
  };
  return {
    form,
    understood: async (words) => answersIn(words),
    run: (words, context) => take(answersIn(words), context),
    submit: (answers, context) => take(understoodAs(form, answers), context),
  };
};
