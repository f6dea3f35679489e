import type { Form } from '../../../src/commands/forms/form.ts';
import { parsed, wrong } from '../../../src/core/runtime/errors.ts';

/** A form like that of a charge. */
export const chargeForm: Form = {
  command: 'charge',
  title: 'Charge a customer',
  submitLabel: 'Go on',
  fields: [
    {
      name: 'number',
      label: 'Customer number',
      hint: 'For example 0244123456',
      check: (answer) =>
        /^0\d{9}$/.test(answer) ? parsed(answer) : wrong('This is not a number in Ghana.'),
    },
    { name: 'amount', label: 'Amount', check: (answer) => parsed(answer) },
    {
      name: 'network',
      label: 'Network',
      optional: true,
      choices: [
        { value: 'MTN', label: 'MTN Mobile Money' },
        { value: 'VOD', label: 'Telecel Cash' },
      ],
      check: (answer) => parsed(answer),
    },
    { name: 'reference', label: 'Reference', optional: true, long: true, check: (a) => parsed(a) },
  ],
};
