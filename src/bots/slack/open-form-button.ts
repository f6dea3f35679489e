import { z } from 'zod';
import type { Card } from '../../commands/cards/card.ts';
import type { Answers, Form } from '../../commands/forms/form.ts';
import { limits } from './limits.ts';

/** A modal opens only on a trigger, and typing a mention gives none: pressing this button does. */
export const OPEN_FORM = 'form.open';

const wanted = z.object({
  command: z.string(),
  title: z.string(),
  answers: z.record(z.string(), z.string()),
});

/** Asks for what was not typed, with a button in the place of the modal. */
export const openFormCard = (form: Form, answers: Answers): Card => ({
  title: form.title,
  parts: [{ kind: 'text', text: 'Something is missing. Open the form to fill it in.' }],
  buttons: [
    {
      kind: 'press',
      label: 'Open the form',
      verb: OPEN_FORM,
      id: buttonId(form, answers),
      style: 'primary',
    },
  ],
});

/** What was typed already travels in the button; when it does not fit, the form opens empty. */
const buttonId = ({ command, title }: Form, answers: Answers): string => {
  const full = JSON.stringify({ command, title, answers } satisfies z.infer<typeof wanted>);
  return OPEN_FORM.length + 1 + full.length <= limits.buttonValue ? full : command;
};

/** What a pressed button asks for: the answers are only to fill in, they are checked like any others. */
export const readOpenForm = (
  id: string,
  formOf: (command: string) => Form | undefined,
): { form: Form; answers: Answers } | undefined => {
  const { command, title, answers } = readWanted(id);
  const form = formOf(command);
  if (form === undefined) return undefined;
  return { form: title === undefined ? form : { ...form, title }, answers };
};

const readWanted = (id: string): { command: string; title?: string; answers: Answers } => {
  try {
    return wanted.parse(JSON.parse(id));
  } catch {
    // The command's name alone.
    return { command: id, answers: {} };
  }
};
