import type { Payment } from '../../core/records/payment.ts';
import { showBeside } from '../../core/values/format-time.ts';
import { type Card, cardOf, linkButton } from './card.ts';
import { paymentCard } from './payment-card.ts';

/**
 * A payment as another conversation is told of it: its card with number and name shortened, and no button but the way
 * to the card. `link`: the address of the card, on platforms that have one.
 */
export const mirrorCard = (payment: Payment, timeZone: string, link: string | undefined): Card => {
  // A rule may tell of its end alone.
  const toldAtMs = payment.settledAtMs ?? payment.confirmedAtMs;
  const { title, tone, parts } = paymentCard(payment, timeZone, 'others too', {
    showAt: (ms) => showBeside(toldAtMs, ms, timeZone),
  });
  return cardOf(title, parts, { tone, buttons: [linkButton('See the card', link)] });
};
