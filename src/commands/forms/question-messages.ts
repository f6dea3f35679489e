import type { FormAnswers } from '../../core/records/records.ts';
import type { Card } from '../cards/card.ts';
import type { Surface } from '../inbound.ts';
import { type Open, unansweredCard } from './question-card.ts';

/** Where it goes on behind a question of which `line` is left. */
export const surfaceAfter = (
  surface: Surface,
  { question }: FormAnswers,
  line: Card | undefined,
): Surface =>
  question === undefined || line === undefined
    ? surface
    : (surface.questions?.after(question, line) ?? surface);

/** The same behind a question that was not answered. */
export const afterUnanswered = (surface: Surface, open: Open | undefined): Surface =>
  open === undefined
    ? surface
    : surfaceAfter(surface, open.record, open.field && unansweredCard(open.field));

/** Takes the buttons of an open question away. */
export const closeQuestion = async (surface: Surface, open: Open | undefined): Promise<void> => {
  if (open?.record.question !== undefined && open.field !== undefined)
    await surface.questions?.close(open.record.question, unansweredCard(open.field));
};
