import type { Payment } from '../../core/records/payment.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, cardOf, linkButton, part, plainCard } from '../cards/card.ts';
import { deliveryCard } from '../cards/delivery-card.ts';
import { nameFor } from '../cards/visibility.ts';
import type { Context, Press, Services } from '../command.ts';
import { maySeeDetails } from '../payments/payment-details.ts';
import { mayReveal, paymentPress, recordLook } from '../payments/reveal.ts';
import { hasOpenCheckout, sharedText } from './shared-text.ts';

/** Hands something of a payment to the presser; a card says why not, or where it is. */
type Share = (services: Services, payment: Payment, context: Context) => Promise<Card | undefined>;

/** The buttons by which a person who may see a payment hands its link or receipt on to the customer. */
export const sharePresses = (services: Services): Readonly<Record<'qr' | 'whatsapp', Press>> => {
  const pressFor = (what: string, share: Share): Press => {
    const asked = { what, deed: 'see payments' };
    return paymentPress(services, asked, maySeeDetails, async (payment, context) => {
      const answer = await share(services, payment, context);
      if (answer !== undefined) await context.surface.answerPress(answer);
    });
  };
  return {
    qr: pressFor('qr of a payment', sendPicture),
    whatsapp: pressFor('whatsapp of a payment', showLink),
  };
};

/** A picture of a longer address has modules too small for a plain phone; links are cut by phones and browsers. */
const LONGEST_ADDRESS = 2_000;

/**
 * A link that opens WhatsApp with the text and the customer's number filled in. The link holds the number: it is shown to the
 * presser alone, only to who may see the number, and recorded as a look at it.
 */
const showLink: Share = async (services, payment, { surface, caller, grants }) => {
  const isKnown = mayReveal(payment, caller, grants);
  const text = sharedText(isKnown ? payment : asOthersRead(payment), services.settings);
  if (text === undefined)
    return plainCard('There is nothing to send', 'The payment has changed. Look at its card.');
  const address = whatsAppAddress(text, isKnown ? payment.terms.customerNumber : '');
  if (address.length > LONGEST_ADDRESS)
    return plainCard('Too long for WhatsApp', 'Copy the address of the checkout page instead.');
  // Committed before the link is shown: without the audit row no number is.
  if (isKnown) await recordLook(services, payment, caller, 'whatsapp');
  await surface.whisper(whatsAppCard(text, address, isKnown));
  return undefined;
};

/** The payment with the name as cards have it that others read. */
const asOthersRead = (payment: Payment): Payment => {
  const { terms } = payment;
  if (terms.customerName === undefined) return payment;
  const customerName = nameFor('others too', terms.customerName);
  return { ...payment, terms: { ...terms, customerName } };
};

/** https://faq.whatsapp.com/5913398998672934: without a number WhatsApp asks whom to send the text to. */
const whatsAppAddress = (text: string, e164: string): string =>
  `https://wa.me/${e164.replace('+', '')}?text=${encodeURIComponent(text)}`;

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

/** The picture that a customer scans at the counter, to pay at the checkout page. */
const sendPicture: Share = async ({ mark }, payment, { surface }) => {
  const address = hasOpenCheckout(payment) ? URL.parse(payment.checkoutUrl)?.href : undefined;
  if (address === undefined)
    return plainCard('There is nothing to scan', 'Nothing can be paid at this link now.');
  if (address.length > LONGEST_ADDRESS)
    return plainCard('This link is too long for a picture', 'Send it by SMS or WhatsApp.');
  const amount = formatMoney(payment.terms.amount);
  // Native code, and a library that no other command needs.
  const [{ qrSvg }, { svgToPng }] = await Promise.all([
    import('./qr-svg.ts'),
    import('../report/chart-png.ts'),
  ]);
  const content = svgToPng(qrSvg(address, mark.title(amount)));
  const title = `Scan to pay ${amount}`;
  const picture = { name: 'scan-to-pay.png', content, title };
  return deliveryCard(await surface.sendFile(picture), 'picture');
};
