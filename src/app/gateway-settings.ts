import type { Config } from '../config/config.ts';
import type { GatewaySettings } from '../core/gateway/client.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** The account at the payment service, or at the simulator that stands in for it. */
export const gatewaySettings = (config: Config, sandbox: Sandbox | undefined): GatewaySettings => {
  const account = config.payments.kind === 'service' ? config.payments : sandbox;
  if (account === undefined) throw new Error('neither a service nor a sandbox');
  const { baseUrl, clientKey, secretKey, serviceId, nickname } = account;
  return { baseUrl, clientKey, secretKey, serviceId, nickname, ...config.gateway };
};
