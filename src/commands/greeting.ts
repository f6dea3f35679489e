import { type Card, cardOf, part } from './cards/card.ts';

/** What the bot says once in a conversation to which it was invited. It names no customer: everyone there reads it. */
export const greetingCard: Card = cardOf('Hello, I am Paythread', [
  part.text('I ask customers to pay by MoMo. I tell you here when they have paid. Try:'),
  part.example('/charge 0244123456 50'),
]);
