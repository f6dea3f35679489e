import type { Payment } from '../../core/records/payment.ts';
import type { AuditRow } from '../../core/records/records.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { isTransactionId, normaliseTransactionId } from '../../core/values/transaction-id.ts';
import { type Card, cardOf, pageStart, part } from '../cards/card.ts';
import { type CommandRecord, type Context, inPlace, momentOf, type Services } from '../command.ts';
import { EXPORTS, exportsCard, OLDER_EXPORTS } from '../export/told-exports.ts';
import { inputCommand } from '../forms/input-command.ts';
import { merchantRefusal } from '../merchants.ts';
import { storyCard, storyOf } from './audit-story.ts';

/** The transaction id behind `/audit`, as it was typed or read out. */
export const parseAuditId = (words: string): Parsed<string> => {
  const id = normaliseTransactionId(words);
  return isTransactionId(id)
    ? parsed(id)
    : wrong(
        'That is not a transaction id. It has 16 letters and digits. You find it in the Details of a payment.',
      );
};

/** `/audit`: everything that happened to a payment, who did it and what the service said. */
export const auditCommand = (services: Services): CommandRecord => {
  const { store, settings } = services;
  /** Of what belongs to no payment, where it was asked for tells whose it is. */
  const refusalOf = ({ caller }: Context, { where }: AuditRow, payment?: Payment) => {
    const of = payment ?? (where && { terms: {}, conversation: where });
    return of && merchantRefusal(settings, caller, of);
  };
  const exportsFrom = async (from: number, context: Context): Promise<Card> => {
    const rows = await store.auditOf(EXPORTS);
    const theirs = rows.filter((row) => refusalOf(context, row) === undefined);
    return exportsCard(theirs, momentOf(services), from);
  };

  return {
    summary: 'Show the history of a payment',
    deed: 'see payment histories',
    usage: '<transaction id|exports>',
    examples: ['01JD2M4X9QK7T3VB', EXPORTS],
    ...inputCommand(services, {
      command: 'audit',
      title: 'Payment history',
      submitLabel: 'Show',
      inputs: {
        id: {
          label: 'Transaction id',
          hint: 'You find it in the Details of a payment',
          check: (answer) =>
            answer.toLowerCase() === EXPORTS ? parsed(EXPORTS) : parseAuditId(answer),
        },
      },
      run: async ({ id }, context) => {
        if (id === EXPORTS) return context.surface.say(await exportsFrom(0, context));
        const rows = await store.auditOf(id);
        const payment = await store.get('payment', id);
        const refusal = rows[0] && refusalOf(context, rows[0], payment);
        if (refusal !== undefined) return context.surface.say(refusal);
        const moment = momentOf(services);
        await context.surface.say(
          rows.length > 0
            ? storyCard(storyOf(id, rows, moment, payment), moment.timeZone)
            : cardOf('I have no payment with this id', [
                part.text('Check the id. To ask the payment service about it, type:'),
                part.example(`/status ${id}`),
              ]),
        );
      },
    }),
    presses: { [OLDER_EXPORTS]: inPlace((id, context) => exportsFrom(pageStart(id), context)) },
  };
};
