import type { Payment } from '../../core/records/payment.ts';
import { textOf } from '../../core/records/payment-text.ts';
import { formatMoney } from '../../core/values/money.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { type Button, pressButton } from '../cards/card.ts';
import { settingsOf } from '../merchants.ts';
import { textOfPayment } from '../sms/payment-texts.ts';
import type { SmsSettings } from '../sms/text-buttons.ts';

type Shared = 'link' | 'receipt';

/** Whether the customer can still pay at an address. */
export const hasOpenCheckout = (
  payment: Payment,
): payment is Payment & { readonly checkoutUrl: string } =>
  payment.state === 'pending' && payment.checkoutUrl !== undefined && payment.flag !== 'conflict';

/** What a person may send to the customer themselves: where to pay, or a receipt that they had by SMS; undefined: nothing. */
const sharedOf = (payment: Payment): Shared | undefined => {
  if (isPseudonym(payment.terms.customerNumber) || payment.flag === 'conflict') return undefined;
  if (hasOpenCheckout(payment)) return 'link';
  const hasReceipt = payment.state === 'completed' && textOf('receipt', payment) !== undefined;
  return hasReceipt ? 'receipt' : undefined;
};

/** The text of the template of that name; where to pay also without one. Undefined: there is nothing to send. */
export const sharedText = (
  payment: Payment,
  settings: SmsSettings & { readonly timeZone: string },
): string | undefined => {
  const shared = sharedOf(payment);
  if (shared === undefined) return undefined;
  const text = textOfPayment(shared, payment, settings);
  if (text !== undefined || shared === 'receipt') return text;
  const { shop } = settingsOf(settings, payment.terms.merchant).texts;
  return `Please pay ${formatMoney(payment.terms.amount)} to ${shop}: ${payment.checkoutUrl}`;
};

/** Leads to the link, which holds the number and is shown to the presser alone. */
export const whatsAppButton = (paymentId: string): Button =>
  pressButton('Send by WhatsApp', 'whatsapp', paymentId, { aside: true });

/** The buttons of a checkout card that hand its address on by other means than SMS. */
export const checkoutButtons = (payment: Payment): readonly Button[] =>
  hasOpenCheckout(payment)
    ? [pressButton('QR', 'qr', payment.id, { aside: true }), whatsAppButton(payment.id)]
    : [];

/** Those of its details: also of a receipt that went out by SMS. */
export const shareButtons = (payment: Payment): readonly Button[] =>
  sharedOf(payment) === 'receipt' ? [whatsAppButton(payment.id)] : checkoutButtons(payment);
