import { z } from 'zod';
import type { PagePerson } from './page-state.ts';
import { PEOPLE } from './people.ts';

/** A text that a person typed; the commands have a limit of their own, with a sentence about it. */
const typed = z.string().max(8_000);
const id = z.string().min(1).max(100);
const visit = id;
const person = z.enum(['ama', 'kofi', 'esi']).transform((name): PagePerson => PEOPLE[name]);
const look = z.enum(['slack', 'telegram']);
const seat = { visit, person, look };

export const pageRequest = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('begin'), person, look }),
  z.strictObject({ do: z.literal('watch'), ...seat, seen: z.int() }),
  z.strictObject({ do: z.literal('type'), ...seat, text: typed }),
  z.strictObject({ do: z.literal('press'), ...seat, message: id, value: z.string().max(100) }),
  z.strictObject({
    do: z.literal('submit'),
    ...seat,
    form: id,
    answers: z.record(z.string().max(100), typed),
  }),
  z.strictObject({ do: z.literal('close'), ...seat }),
  z.strictObject({
    do: z.literal('prompt'),
    visit,
    payment: id,
    answer: z.enum(['approved', 'declined', 'no money']),
  }),
  z.strictObject({ do: z.literal('leave'), visit }),
]);

export type PageRequest = z.input<typeof pageRequest>;
