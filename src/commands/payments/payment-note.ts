import { MOST_NOTES } from '../../core/payments/transitions.ts';
import type { Payment } from '../../core/records/payment.ts';
import { personOf } from '../../core/values/conversation.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { denial } from '../access/denial.ts';
import { type Card, cardOf, part, plainCard } from '../cards/card.ts';
import type { Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
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
      const why = whyNoNote(payment);
      return why === undefined ? payment : { why };
    },
    run: async ({ id }, { note }, { surface, caller, eventId }) => {
      const by = personOf(caller);
      const event = { kind: 'noted', id: shortIdFrom(eventId), note, by } as const;
      const recorded = await services.payments.record(id, event, {
        cause: { who: by, where: caller.conversation },
      });
      // The same event again changes nothing, and is told the same. Another note may have taken the last room meanwhile.
      const isKept = recorded?.payment.notes?.some((one) => one.id === event.id) === true;
      await surface.say(
        isKept
          ? cardOf('The note is kept', [part.quote(note)], { tone: 'good' })
          : ((recorded && whyNoNote(recorded.payment)) ?? goneCard),
      );
    },
  });

const whyNoNote = ({ terms, notes = [] }: Payment): Card | undefined => {
  if (isPseudonym(terms.customerNumber))
    return plainCard('This customer was erased', 'No note can be kept about them.');
  return notes.length < MOST_NOTES
    ? undefined
    : plainCard(`This payment has ${MOST_NOTES} notes`, 'There is no room for another one.');
};
