import type { Gateway } from '../gateway/gateway.ts';

/** Called around each operation of the gateway; returns what the call returned. */
export type AroundCall = <T extends { readonly kind: string }>(
  operation: string,
  call: () => Promise<T>,
) => Promise<T>;

/** The same gateway; metrics and traces listen through `around`. */
export const observedGateway = (gateway: Gateway, around: AroundCall): Gateway => ({
  makePayment: (request) => around('make_payment', () => gateway.makePayment(request)),
  lookUpAccount: (query) => around('payment_account_lookup', () => gateway.lookUpAccount(query)),
  checkStatus: (id, urgency) =>
    around('check_transaction_status', () => gateway.checkStatus(id, urgency)),
  sendSms: (message) => around('send_sms', () => gateway.sendSms(message)),
  checkBalance: () => around('check_sms_balance', () => gateway.checkBalance()),
});
