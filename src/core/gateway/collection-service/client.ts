import { secretHider } from '../../runtime/masking.ts';
import { numberForService } from '../../values/customer-number.ts';
import { moneyToNumber } from '../../values/money.ts';
import type { NetworkCode } from '../../values/network.ts';
import {
  createExchange,
  type Dialect,
  type Fields,
  type GatewayParts,
  type GatewaySettings,
} from '../exchange.ts';
import type { Gateway, PaymentRequest } from '../gateway.ts';
import { callbackMessage } from './callback-message.ts';
import { readEnvelope, type ServiceEnvelope } from './envelope.ts';
import {
  balanceOutcome,
  lookupOutcome,
  paymentOutcome,
  smsOutcome,
  statusOutcome,
} from './outcome.ts';

const createGateway = (settings: GatewaySettings, parts: GatewayParts): Gateway => {
  const ask = createExchange(settings, dialectOf(settings), parts);
  const numberOf = (e164: string) => numberForService(e164, settings.numberFormat);
  const requestTime = () => new Date(parts.clock.now()).toISOString();
  const paymentFields = ({ amount, ...request }: PaymentRequest): Fields => ({
    reference: request.reference,
    nickname: settings.nickname,
    transaction_id: request.transactionId,
    // Customer to merchant. A constant: no input may ever turn a charge into a payout.
    trans_type: 'CTM',
    customer_number: numberOf(request.customerNumber),
    nw: request.network,
    amount: moneyToNumber(amount),
    payment_option: request.option,
    callback_url: request.callbackUrl,
    currency_code: amount.currency,
    ...currencyVal(settings.sendCurrencyVal, moneyToNumber(amount)),
    request_time: requestTime(),
  });

  return {
    makePayment: async (request) => {
      const share = request.isOfFile === true ? 'bulk' : 'money';
      const fields = () => paymentFields(request);
      return paymentOutcome(await ask('make_payment', share, fields, request));
    },

    lookUpAccount: async ({ number, network, urgency = 'person' }) => {
      const fields = () => ({ pan: numberOf(number), nw: LOOKUP_CODES[network] ?? network });
      return lookupOutcome(await ask('payment_account_lookup', urgency, fields));
    },

    checkStatus: async (transactionId, urgency) => {
      const fields = () => ({ transaction_id: transactionId });
      return statusOutcome(await ask('check_transaction_status', urgency, fields));
    },

    sendSms: async ({ senderId, text, recipients, uniqueId, ...when }) => {
      const fields = () => ({
        sender_id: senderId,
        msg_body: text,
        recipient_number: recipients.map(numberOf),
        unique_id: uniqueId,
      });
      const share = when.isOfFile === true ? 'bulk' : 'person';
      return smsOutcome(await ask('send_sms', share, fields, when));
    },

    checkBalance: async (urgency = 'person') => {
      const fields = () => ({ request_time: requestTime() });
      return balanceOutcome(await ask('check_sms_balance', urgency, fields));
    },
  };
};

/** The service of the "Payment Collection and Messaging Service Interface". */
export const collectionService = { createGateway, callbackMessage };

const dialectOf = (settings: GatewaySettings): Dialect<ServiceEnvelope> => {
  const { clientKey, secretKey, serviceId: service_id } = settings;
  const credentials = Buffer.from(`${clientKey}:${secretKey}`).toString('base64');
  return {
    pathOf: (operation) => `/${operation}`,
    authorization: `Basic ${credentials}`,
    ownFields: { service_id },
    hideSecrets: secretHider([clientKey, secretKey, credentials]),
    readEnvelope,
  };
};

/** A lookup names two networks otherwise than a payment, whose codes are those of `NetworkCode`. */
const LOOKUP_CODES: Partial<Record<NetworkCode, string>> = { VOD: 'VODA', AIR: 'AIRTELTIGO' };

const currencyVal = (send: GatewaySettings['sendCurrencyVal'], amount: number): Fields =>
  send === 'never' ? {} : { currency_val: send === 'one' ? 1 : amount };
