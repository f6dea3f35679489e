import type { GatewaySettings } from '../../../src/core/gateway/exchange.ts';
import type { Gateway, PaymentRequest } from '../../../src/core/gateway/gateway.ts';
import { sandboxProvider } from '../../../src/core/gateway/provider.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { silentLog } from '../../support/silent-log.ts';

export const settings: GatewaySettings = {
  baseUrl: 'http://127.0.0.1:1',
  clientKey: 'client-key',
  secretKey: 'secret:key',
  serviceId: 77,
  nickname: 'Ama Ventures',
  timeoutMs: 60_000,
  requestsPerSecond: 1000,
  sendCurrencyVal: 'never',
  numberFormat: 'national',
};

export const gatewayTo = (baseUrl: string, changes: Partial<GatewaySettings> = {}): Gateway =>
  sandboxProvider.createGateway(
    { ...settings, baseUrl, ...changes },
    { clock: systemClock, log: silentLog },
  );

export const paymentRequest: PaymentRequest = {
  transactionId: 'PT7K3M9Q2XWZ',
  reference: 'Invoice 12',
  customerNumber: '+233244123456',
  network: 'MTN',
  amount: { amountMinor: 1999, currency: 'GHS' },
  option: 'MOM',
  callbackUrl: 'https://pay.example/callbacks/PT7K3M9Q2XWZ.abc',
};

/** The body of an accepted payment as the document shows it. */
export const accepted = {
  response_code: '202',
  response_message: 'Request received for processing',
};

/** Calls every operation of a gateway once, by name. */
export const operations: Readonly<
  Record<string, (gateway: Gateway) => Promise<{ readonly kind: string }>>
> = {
  make_payment: (gateway) => gateway.makePayment(paymentRequest),
  payment_account_lookup: (gateway) =>
    gateway.lookUpAccount({ number: '+233244123456', network: 'MTN' }),
  check_transaction_status: (gateway) => gateway.checkStatus('PT7K3M9Q2XWZ', 'background'),
  send_sms: (gateway) =>
    gateway.sendSms({
      senderId: 'AMASHOP',
      text: 'Thank you',
      recipients: ['+233244123456'],
      uniqueId: 'U1',
    }),
  check_sms_balance: (gateway) => gateway.checkBalance(),
};
