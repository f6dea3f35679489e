import type { Payment } from '../../core/records/payment.ts';
import { showDay } from '../../core/values/format-time.ts';
import { type Card, cardOf, linkButton } from './card.ts';
import { paymentCard } from './payment-card.ts';

/**
 * A payment as another conversation is told of it: its card with number and name shortened, and no button but the way
 * to the card. `link`: the address of the card, on platforms that have one.
 */
export const mirrorCard = (payment: Payment, timeZone: string, link: string | undefined): Card => {
  const { title, tone, parts } = paymentCard(payment, timeZone, 'others too', {
    showAt: showDay,
  });
  return cardOf(title, parts, { tone, buttons: [linkButton('See the card', link)] });
};
