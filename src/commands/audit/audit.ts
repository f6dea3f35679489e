import type { Payment } from '../../core/records/payment.ts';
import type { AuditRow } from '../../core/records/records.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { isTransactionId, normaliseTransactionId } from '../../core/values/transaction-id.ts';
import { type Card, cardOf, pageStart, part } from '../cards/card.ts';
import { type CommandRecord, type Context, momentOf, type Services } from '../command.ts';
import { EXPORTS, exportsCard, OLDER_EXPORTS } from '../export/told-exports.ts';
import { sayWrongAnswers, understoodAs } from '../forms/correct-it.ts';
import type { Form } from '../forms/form.ts';
import { merchantRefusal } from '../merchants.ts';
import { storyCard, storyOf } from './audit-story.ts';

/** The transaction id behind `/audit`, as it was typed or read out. */
export const parseAuditId = (words: string): Parsed<string> => {
  const id = normaliseTransactionId(words);
  return isTransactionId(id)
    ? parsed(id)
    : wrong(
        'That is not a transaction id. It has 16 letters and digits. You find it on the payment card.',
        '/audit 01JD2M4X9QK7T3VB',
      );
};

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
export const auditCommand = (services: Services): CommandRecord => {
  const { store, settings } = services;
  /** Of what belongs to no payment, where it was asked for tells whose it is. */
  const refusalOf = (
    { caller }: Context,
    { where }: Pick<AuditRow, 'where'>,
    payment?: Payment,
  ): Card | undefined => {
    const of = payment ?? (where && { terms: {}, conversation: where });
    return of && merchantRefusal(settings, caller, of);
  };
  const exportsFrom = async (from: number, context: Context): Promise<Card> => {
    const rows = await store.auditOf(EXPORTS);
    const theirs = rows.filter((row) => refusalOf(context, row) === undefined);
    return exportsCard(theirs, momentOf(services), from);
  };
  const tell = async (words: string, context: Context): Promise<void> => {
    if (words.toLowerCase() === EXPORTS) return context.surface.say(await exportsFrom(0, context));
    const id = parseAuditId(words);
    if (!id.ok) return sayWrongAnswers(services, context, form, { ...id, answers: { id: words } });
    const rows = await store.auditOf(id.value);
    const [first] = rows;
    const refusal = first && refusalOf(context, first, await store.get('payment', id.value));
    if (refusal !== undefined) return context.surface.say(refusal);
    const moment = momentOf(services);
    await context.surface.say(
      rows.length > 0
        ? storyCard(storyOf(id.value, rows, moment), moment.timeZone)
        : cardOf('I have no payment with this id', [
            part.text('Check the id. To ask the payment service about it, type:'),
            part.example(`/status ${id.value}`),
          ]),
    );
  };

  return {
    summary: 'Show the history of a payment',
    deed: 'see payment histories',
    usage: '<transaction id|exports>',
    examples: ['01JD2M4X9QK7T3VB', EXPORTS],
    form,
    understood: async (words) => understoodAs(form, words === '' ? {} : { id: words }),
    run: (words, context) => (words === '' ? context.surface.ask(form, {}) : tell(words, context)),
    submit: (answers, context) => tell(answers['id'] ?? '', context),
    presses: {
      [OLDER_EXPORTS]: {
        run: async (id, context) =>
          context.surface.replace(await exportsFrom(pageStart(id), context)),
      },
    },
  };
};
