import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Payment } from './payment.ts';

/** What a person confirmed, and when. */
type Confirmed = Pick<Payment, 'id' | 'terms' | 'requester' | 'confirmedAtMs'>;

/**
 * Tells what a press confirmed from what somebody wrote into the store. The key is made from a secret that is not
 * in the store, so whoever can write there can neither make a payment that is sent nor change one.
 */
export class ConfirmationSeal {
  readonly #key: Uint8Array;

  /** @param secret the payment service's secret key */
  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'paythread confirmation', 32));
  }

  of({ id, terms, requester, confirmedAtMs }: Confirmed): string {
    const { amount, customerNumber, customerName, network, option, reference } = terms;
    const text = JSON.stringify([
      id,
      confirmedAtMs,
      [requester.platform, requester.id],
      [amount.currency, amount.amountMinor],
      [customerNumber, customerName, network, option, reference],
    ]);
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }

  isOn(payment: Payment): boolean {
    const [ours, stored] = [Buffer.from(this.of(payment)), Buffer.from(payment.seal ?? '')];
    return ours.length === stored.length && timingSafeEqual(ours, stored);
  }
}
