import { formatMoney } from '../../core/values/money.ts';
import { denial } from '../access/denial.ts';
import { plainCard } from '../cards/card.ts';
import type { Press, Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { maySeeDetails } from '../payments/payment-details.ts';
import { hasOpenCheckout } from './shared-text.ts';

const SHOW_QR = { what: 'qr of a payment', deed: 'see payments' } as const;

/** More bytes make modules too small for the camera of a plain phone. */
const LONGEST_ADDRESS = 2_000;

/** Sends the presser the picture that a customer scans at the counter, to pay at the checkout page. */
export const qrPress = (services: Services): Press => ({
  checksAccessItself: true,
  of: 'payment',
  run: async (id, context) => {
    const { surface } = context;
    const payment = await services.payments.get(id);
    if (payment === undefined) return surface.answerPress(goneCard);
    if (!maySeeDetails(payment, context))
      return surface.answerPress(denial(services, context, SHOW_QR));
    if (!hasOpenCheckout(payment)) return surface.answerPress(notOpenCard);
    const address = URL.parse(payment.checkoutUrl)?.href ?? '';
    if (address === '') return surface.answerPress(notOpenCard);
    if (address.length > LONGEST_ADDRESS) return surface.answerPress(tooLongCard);
    const amount = services.mark.title(formatMoney(payment.terms.amount));
    // Native code, and a library that no other command needs.
    const [{ qrSvg }, { svgToPng }] = await Promise.all([
      import('./qr-svg.ts'),
      import('../report/chart-png.ts'),
    ]);
    const title = `Scan to pay ${formatMoney(payment.terms.amount)}`;
    const content = svgToPng(qrSvg(address, amount));
    const delivery = await surface.sendFile({ name: 'scan-to-pay.png', content, title });
    if (!delivery.ok)
      return surface.answerPress(plainCard('I could not send the picture', delivery.remedy));
    await surface.answerPress(
      delivery.savedAs === undefined
        ? plainCard('The picture is in our private chat')
        : plainCard('The picture is saved', delivery.savedAs),
    );
  },
});

const notOpenCard = plainCard('There is nothing to scan', 'Nothing can be paid at this link now.');

const tooLongCard = plainCard('This link is too long for a picture', 'Send it by SMS or WhatsApp.');
