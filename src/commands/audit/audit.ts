import type { Card } from '../cards/card.ts';
import { problemCard } from '../cards/reply-cards.ts';
import type { Command, Context, Services } from '../command.ts';
import type { Form } from '../forms/form.ts';
import { storyCard } from './audit-card.ts';
import { storyOf } from './audit-story.ts';
import { parseAuditId } from './parse-audit.ts';

const form: Form = {
  command: 'audit',
  title: 'Payment history',
  submitLabel: 'Show',
  fields: [
    {
      name: 'id',
      label: 'Transaction id',
      hint: 'You find it on the payment card',
      check: parseAuditId,
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
    const id = parseAuditId(words);
    if (!id.ok) return surface.say(problemCard(id.problem));
    const rows = await store.auditOf(id.value);
    const moment = { timeZone: settings.timeZone, nowMs: clock.now() };
    await surface.say(
      rows.length === 0
        ? unknownCard(id.value)
        : storyCard(storyOf(id.value, rows, moment), settings.timeZone),
    );
  };

  return {
    name: 'audit',
    summary: 'Show the history of a payment',
    deed: 'see payment histories',
    usage: '<transaction id>',
    examples: ['01JD2M4X9QK7T3VB'],
    form,
    run: (words, context) => (words === '' ? context.surface.ask(form, {}) : tell(words, context)),
    submit: (answers, context) => tell(answers['id'] ?? '', context),
  };
};

const unknownCard = (id: string): Card => ({
  title: 'I have no payment with this id',
  parts: [
    { kind: 'text', text: 'Check the id. To ask the payment service about it, type:' },
    { kind: 'example', text: `/status ${id}` },
  ],
});
