import { MOST_NOTES } from '../../core/payments/transitions.ts';
import { personOf } from '../../core/values/conversation.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { denial } from '../access/denial.ts';
import { cardOf, part, plainCard } from '../cards/card.ts';
import type { Services } from '../command.ts';
import { buttonForm } from '../forms/button-form.ts';
import { ownWords } from '../forms/own-words.ts';
import { maySeeDetails, paymentHere } from './payment-details.ts';

/** A note on a payment, by people who see its Details: the button there, and its form. */
export const paymentNote = (services: Services) =>
  buttonForm(services, {
    of: 'payment',
    command: 'note',
    title: 'Note on a payment',
    submitLabel: 'Keep',
    inputs: {
      note: {
        label: 'Note',
        hint: 'People who see the Details read it. The customer does not.',
        long: true,
        check: ownWords,
      },
    },
    find: async (id, context) => {
      const payment = await paymentHere(services, id, context);
      if ('why' in payment) return payment;
      if (!maySeeDetails(payment, context))
        return {
          why: denial(services, context, { what: 'note', deed: 'write notes on payments' }),
        };
      if (isPseudonym(payment.terms.customerNumber))
        return { why: plainCard('This customer was erased', 'No note can be kept about them.') };
      const isFull = (payment.notes ?? []).length >= MOST_NOTES;
      return isFull ? { why: fullCard } : payment;
    },
    run: async ({ id }, { note }, { surface, caller, eventId }) => {
      const by = personOf(caller);
      // The same event again changes nothing, and is told the same.
      const event = { kind: 'noted', id: shortIdFrom(eventId), note, by } as const;
      await services.payments.record(id, event, {
        cause: { who: by, where: caller.conversation },
      });
      await surface.say(cardOf('The note is kept', [part.quote(note)], { tone: 'good' }));
    },
  });

const fullCard = plainCard(
  `This payment has ${MOST_NOTES} notes`,
  'There is no room for another one.',
);
