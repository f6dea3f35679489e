import type { Payment } from '../../core/records/payment.ts';
import { suits, textOf } from '../../core/records/payment-text.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Button, pressButton } from '../cards/card.ts';
import { settingsOf } from '../merchants.ts';
import { textOfPayment } from '../sms/payment-texts.ts';
import type { SmsSettings } from '../sms/text-buttons.ts';

/** Whether the customer can still pay at an address. */
export const hasOpenCheckout = (
  payment: Payment,
): payment is Payment & { readonly checkoutUrl: string } => suits('link', payment);

const hasReceipt = (payment: Payment): boolean =>
  suits('receipt', payment) && textOf('receipt', payment) !== undefined;

/** What a person may send to the customer themselves: where to pay, or a receipt that went out by SMS; undefined: nothing. */
export const sharedText = (
  payment: Payment,
  settings: SmsSettings & { readonly timeZone: string },
): string | undefined => {
  if (hasReceipt(payment)) return textOfPayment('receipt', payment, settings);
  if (!hasOpenCheckout(payment)) return undefined;
  const { shop } = settingsOf(settings, payment.terms.merchant).texts;
  const plain = `Please pay ${formatMoney(payment.terms.amount)} to ${shop}: ${payment.checkoutUrl}`;
  return textOfPayment('link', payment, settings) ?? plain;
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
  hasReceipt(payment) ? [whatsAppButton(payment.id)] : checkoutButtons(payment);
