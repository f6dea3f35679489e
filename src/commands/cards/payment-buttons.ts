import type { Payment } from '../../core/records/payment.ts';
import { type SmsSettings, textButtons } from '../sms/text-buttons.ts';
import { type Button, linkButton, pressButton } from './card.ts';

/** The buttons of a payment card: what can be done next. No question waits for them, so they get no numbers. */
export const paymentButtons = (payment: Payment, sms: SmsSettings): (Button | undefined)[] => [
  linkButton(
    'Open the checkout page',
    payment.state === 'pending' ? payment.checkoutUrl : undefined,
  ),
  ...nextSteps(payment).map(([label, verb]) =>
    pressButton(label, verb, payment.id, { aside: true }),
  ),
  ...textButtons(payment, sms),
  pressButton('Details', 'details', payment.id, { aside: true }),
];

const CHECK_NOW = ['Check now', 'check'] as const;

/** Label and verb of each. What may still be paid can only be checked. */
const nextSteps = ({ state, flag }: Payment): readonly (readonly [string, string])[] => {
  if (state === 'pending' || state === 'unknown') return [CHECK_NOW];
  if (state === 'confirmed' || state === 'submitting') return [];
  if (state === 'completed') return [['Charge again', 'again']];
  return flag === 'conflict'
    ? [CHECK_NOW]
    : [
        ['Ask again', 'retry'],
        ['Change', 'change'],
      ];
};
