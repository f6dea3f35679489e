import { plainCard, problemCard } from './answer-cards.ts';
import { storyCard } from './audit-card.ts';
import { storyOf } from './audit-story.ts';
import { parseAuditWords } from './audit-words.ts';
import type { Card } from './card.ts';
import type { Command, Context, Services } from './command.ts';
import type { Form } from './form.ts';
import type { Surface } from './inbound.ts';

const form: Form = {
  command: 'audit',
  title: 'Story of a payment',
  submitLabel: 'Tell it',
  fields: [
    {
      name: 'id',
      label: 'Transaction id',
      hint: 'It stands on the payment card',
      check: parseAuditWords,
    },
  ],
};

/** `/audit`: everything that happened to a payment, who did it and what the service said. */
export const auditCommand = ({
  store,
  clock,
  settings,
}: Pick<Services, 'store' | 'clock' | 'settings'>): Command => {
  const tell = async (words: string, { surface }: Context): Promise<void> => {
    const id = parseAuditWords(words);
    if (!id.ok) return surface.say(problemCard(id.problem));
    const rows = await store.auditOf(id.value);
    const moment = { timeZone: settings.timeZone, nowMs: clock.now() };
    await surface.say(
      rows.length === 0
        ? unknownCard(id.value, surface)
        : storyCard(storyOf(id.value, rows, moment), settings.timeZone),
    );
  };

  return {
    name: 'audit',
    summary: 'Tell everything that happened to a payment',
    usage: '<transaction id>',
    examples: ['01JD2M4X9QK7T3VB'],
    form,
    run: (words, context) => (words === '' ? context.surface.ask(form, {}) : tell(words, context)),
    submit: (answers, context) => tell(answers['id'] ?? '', context),
  };
};

const unknownCard = (id: string, surface: Surface): Card =>
  plainCard(
    `Nothing is known here of ${id}`,
    `Paythread has no payment and no charge of that id. Check how it is written; /${surface.spelling?.['status'] ?? 'status'} ${id} asks the payment service about it.`,
  );
