import type { ChargeTerms, Payment } from '../records/payment.ts';
import { Seal } from '../runtime/seal.ts';

/** What a person confirmed, and when. */
type Confirmed = Pick<Payment, 'id' | 'terms' | 'requester' | 'confirmedAtMs'>;

/** MAC over what a press confirmed: a payment that was written into the store by other means has none. */
export class ConfirmationSeal {
  readonly #seal: Seal;

  /** @param secret the payment service's secret key */
  constructor(secret: string) {
    this.#seal = new Seal(secret, 'confirmation');
  }

  of(payment: Confirmed): string {
    return this.#seal.of(fieldsOf(payment));
  }

  isOn(payment: Payment): boolean {
    return this.#seal.isOf(fieldsOf(payment), payment.seal);
  }
}

const fieldsOf = ({ id, terms, requester, confirmedAtMs }: Confirmed): readonly unknown[] => [
  id,
  confirmedAtMs,
  [requester.platform, requester.id],
  ...chargeFields(terms),
];

/** What is sent to the service, and the name that was shown. */
export const chargeFields = (terms: ChargeTerms): readonly unknown[] => {
  const { amount, customerNumber, customerName, network, option, reference } = terms;
  return [
    [amount.currency, amount.amountMinor],
    [customerNumber, customerName, network, option, reference],
  ];
};
