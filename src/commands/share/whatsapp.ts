import type { Payment } from '../../core/records/payment.ts';
import { denial } from '../access/denial.ts';
import { type Card, cardOf, linkButton, part, plainCard } from '../cards/card.ts';
import { type Context, type Press, rowBy, type Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { maySeeDetails } from '../payments/payment-details.ts';
import { mayReveal } from '../payments/reveal.ts';
import { sharedText } from './shared-text.ts';

const SHARE = { what: 'whatsapp of a payment', deed: 'send by WhatsApp' } as const;

/** Longer addresses are cut by phones and browsers. */
const LONGEST_ADDRESS = 2_000;

/** https://faq.whatsapp.com/5913398998672934: opens WhatsApp with the text; without a number it asks whom to send it to. */
const whatsAppAddress = (text: string, e164 = ''): string =>
  `https://wa.me/${e164.replace('+', '')}?text=${encodeURIComponent(text)}`;

/**
 * Hands the presser a link that opens WhatsApp with the text and the customer's number filled in. The link holds the number:
 * it is shown to the presser alone, only to who may see the number, and recorded as a look at it.
 */
export const whatsAppPress = (services: Services): Press => ({
  checksAccessItself: true,
  of: 'payment',
  run: async (id, context) => {
    const { surface, caller, grants } = context;
    const payment = await services.payments.get(id);
    if (payment === undefined) return surface.answerPress(goneCard);
    if (!maySeeDetails(payment, context))
      return surface.answerPress(denial(services, context, SHARE));
    const text = sharedText(payment, services.settings);
    if (text === undefined) return surface.answerPress(nothingCard);
    const isKnown = mayReveal(payment, caller, grants);
    const address = whatsAppAddress(text, isKnown ? payment.terms.customerNumber : '');
    if (address.length > LONGEST_ADDRESS) return surface.answerPress(tooLongCard);
    if (isKnown) await recordLook(services, payment, context);
    await surface.whisper(whatsAppCard(text, address, isKnown));
  },
});

/** Committed before the link is shown: without the audit row no number is. */
const recordLook = async (
  services: Services,
  { id }: Payment,
  { caller }: Context,
): Promise<void> => {
  const look = {
    kind: 'notice',
    id: `${id}.reveal`,
    what: 'revealed',
    button: 'whatsapp',
  } as const;
  await services.store.commit({ audit: [rowBy(caller, services, look)] });
};

const whatsAppCard = (text: string, address: string, isKnown: boolean): Card =>
  cardOf(
    'Send this by WhatsApp',
    [
      part.quote(text),
      part.note(
        isKnown
          ? "The link has the customer's number. Only you see it."
          : 'You cannot see this number. Choose the customer in WhatsApp.',
      ),
    ],
    { buttons: [linkButton('Send by WhatsApp', address)] },
  );

const nothingCard = plainCard(
  'There is nothing to send',
  'The payment has changed. Look at its card.',
);

const tooLongCard = plainCard(
  'Too long for WhatsApp',
  'Open the checkout page on the card, and copy its address.',
);
