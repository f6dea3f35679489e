import { MOST_NOTES } from '../../core/payments/transitions.ts';
import type { Payment } from '../../core/records/payment.ts';
import { personOf } from '../../core/values/conversation.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { denial } from '../access/denial.ts';
import { type Card, cardOf, part, plainCard, problemCard } from '../cards/card.ts';
import type { Context, FormOfButton, Press, Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import type { Form } from '../forms/form.ts';
import { ownWords } from '../forms/own-words.ts';
import { merchantRefusal } from '../merchants.ts';
import { maySeeDetails } from './payment-details.ts';

const noteForm: Form = {
  command: 'note',
  title: 'Note on a payment',
  submitLabel: 'Keep',
  fields: [
    {
      name: 'note',
      label: 'Note',
      hint: 'People who see the Details read it. The customer does not.',
      long: true,
      check: ownWords,
    },
  ],
};

/** A note on a payment, by people who see its Details: the button there, and its form. */
export const paymentNote = (services: Services): { press: Press; form: FormOfButton } => ({
  press: {
    checksAccessItself: true,
    of: 'payment',
    run: async (id, context) => {
      const payment = await paymentToNote(services, id, context);
      if ('title' in payment) return context.surface.answerPress(payment);
      await context.surface.ask(noteForm, { payment: id });
    },
  },
  form: {
    form: noteForm,
    checksAccessItself: true,
    submit: async (answers, context) => {
      const { surface, caller, eventId } = context;
      const payment = await paymentToNote(services, answers['payment'] ?? '', context);
      if ('title' in payment) return surface.answerPress(payment);
      const note = ownWords(answers['note'] ?? '');
      if (!note.ok) return surface.say(problemCard(note.problem));
      const by = personOf(caller);
      // The same event again changes nothing, and is told the same.
      const event = { kind: 'noted', id: shortIdFrom(eventId), note: note.value, by } as const;
      const cause = { who: by, where: caller.conversation };
      await services.payments.record(payment.id, event, { cause });
      await surface.say(cardOf('The note is kept', [part.quote(note.value)], { tone: 'good' }));
    },
  },
});

/** The payment that this person may write about here and now; or why not. */
const paymentToNote = async (
  services: Services,
  id: string,
  context: Context,
): Promise<Payment | Card> => {
  const { payments, settings } = services;
  const { caller } = context;
  const payment = await payments.get(id);
  if (payment === undefined) return goneCard;
  if (!maySeeDetails(payment, context))
    return denial(services, context, { what: 'note', deed: 'write notes on payments' });
  const refusal = merchantRefusal(settings, caller, payment);
  if (refusal !== undefined) return refusal;
  if (isPseudonym(payment.terms.customerNumber))
    return plainCard('This customer was erased', 'No note can be kept about them.');
  return (payment.notes ?? []).length < MOST_NOTES
    ? payment
    : plainCard(`This payment has ${MOST_NOTES} notes`, 'There is no room for another one.');
};
