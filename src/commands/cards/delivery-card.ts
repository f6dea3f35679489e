import type { FileDelivery } from '../inbound.ts';
import { type Card, cardOf, idFact, part, plainCard } from './card.ts';

/** Where what a person asked for is, or why it could not be sent. */
export const deliveryCard = (delivery: FileDelivery, what: 'file' | 'picture'): Card => {
  if (!delivery.ok) return plainCard(`I could not send the ${what}`, delivery.remedy, 'warning');
  return delivery.savedAs === undefined
    ? plainCard(`The ${what} is in our private chat`)
    : cardOf(`The ${what} is saved`, [part.facts(idFact('File', delivery.savedAs))]);
};
