import type { CustomerNumber } from '../../core/values/customer-number.ts';
import type { Money } from '../../core/values/money.ts';
import type { PaymentOption } from '../../core/values/network.ts';
import { guessNetwork, type NetworkCode } from '../../core/values/network.ts';

/** A charge that is complete enough to be looked up and confirmed. */
export type ChargeRequest = {
  readonly number: CustomerNumber;
  readonly amount: Money;
  readonly network: NetworkCode;
  readonly option: PaymentOption;
  readonly reference?: string;
};

/** A charge as far as it was typed or filled in; absent is what was left out. */
export type ChargeParts = Partial<ChargeRequest> & Pick<ChargeRequest, 'option'>;

/** Sent with a hosted checkout when neither parts nor number name a network: the customer picks it on the page. */
const CHECKOUT_NETWORK: NetworkCode = 'MTN';

/** The request; undefined when number, amount or network have to be asked for. */
export const completeCharge = (parts: ChargeParts): ChargeRequest | undefined => {
  const { number, amount } = parts;
  if (number === undefined || amount === undefined) return undefined;
  const network = parts.network ?? impliedNetwork(number, parts.option);
  return network === undefined ? undefined : { ...parts, number, amount, network };
};

/** The network of the number's prefix; a bank card has none to go by. */
const impliedNetwork = ({ e164 }: CustomerNumber, option: PaymentOption) => {
  if (option === 'CRD') return undefined;
  return guessNetwork(e164) ?? (option === 'CRM' ? CHECKOUT_NETWORK : undefined);
};
