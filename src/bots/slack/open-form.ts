import { z } from 'zod';
import { type Card, cardOf, part, pressButton } from '../../commands/cards/card.ts';
import type { Annotations, Answers, Form } from '../../commands/forms/form.ts';
import type { AskedForm, ButtonPress } from '../../commands/inbound.ts';
import { jsonOf } from '../../core/values/json-of.ts';
import { limits } from './limits.ts';

/** Verb of the button that opens a modal where an event has no trigger for one, such as a mention. */
export const OPEN_FORM = 'form.open';

const byField = z.record(z.string(), z.string());

const formButton = z.object({
  command: z.string(),
  title: z.string(),
  answers: byField,
  annotations: z
    .object({
      problems: byField.exactOptional(),
      placeholders: byField.exactOptional(),
      suggestions: z
        .record(
          z.string(),
          z.object({
            label: z.string(),
            other: z.string().exactOptional(),
            unnumbered: z.literal(true).exactOptional(),
            choices: z.array(z.object({ value: z.string(), label: z.string() })),
          }),
        )
        .exactOptional(),
      where: z.object({ last: z.string().exactOptional() }).exactOptional(),
    })
    .exactOptional(),
});

/** Asks for what was not typed, with a button in the place of the modal. */
export const openFormCard = ({ title }: Form, { verb, id }: ButtonPress): Card =>
  cardOf(title, [part.text('Something is missing. Open the form to fill it in.')], {
    buttons: [pressButton('Open the form', verb, id, { style: 'primary' })],
  });

/** The answers so far travel in the button; undefined: they do not fit. */
export const openFormPress = (
  { command, title }: Form,
  answers: Answers,
  annotations: Annotations = {},
): ButtonPress | undefined => {
  const id = JSON.stringify({ command, title, answers, annotations });
  const fits = OPEN_FORM.length + 1 + id.length <= limits.buttonValue;
  return fits ? { verb: OPEN_FORM, id } : undefined;
};

/** The form that a pressed button asks for, undefined for an unknown command; its answers only fill the form in. */
export const readOpenForm = (
  id: string,
  formOf: (command: string) => Form | undefined,
): AskedForm | undefined => {
  const { data } = formButton.safeParse(jsonOf(id));
  const form = formOf(data?.command ?? id);
  if (form === undefined) return undefined;
  const { title = form.title, answers = {}, annotations = {} } = data ?? {};
  return [{ ...form, title }, answers, annotations];
};
