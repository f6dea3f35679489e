import type { Config } from '../config/config.ts';
import type { Account } from '../config/merchants-file.ts';
import type { GatewayParts } from '../core/gateway/exchange.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import { merchantGateways } from '../core/gateway/merchant-gateways.ts';
import { type Provider, provider, sandboxProvider } from '../core/gateway/provider.ts';
import { createQueue } from '../core/gateway/turns.ts';
import type { SealSecrets } from '../core/records/seals.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts';

/** How the sandbox differs from one that answers by numbers alone. */
export type SandboxManners = Pick<SandboxOptions, 'hasPrompts' | 'onExchange'>;

/** The payment service, or the simulator in its place. */
export type PaymentService = {
  readonly gateway: Gateway;
  /** The secret key of the account: drafts and confirmations are sealed with it. */
  readonly sealSecret: SealSecrets;
  /** Only with the built-in sandbox. */
  readonly sandbox: Sandbox | undefined;
};

/**
 * The client of the configured payment service; without one, of a sandbox that is started here.
 * @param books the file of the sandbox's books.
 */
export const openPaymentService = async (
  { payments, merchants, gateway }: Config,
  books: string,
  { sandbox: manners, ...parts }: GatewayParts & { readonly sandbox?: SandboxManners },
): Promise<PaymentService> => {
  if (payments.kind === 'service')
    return {
      gateway: gatewayFor(provider, payments.accounts, { ...payments, ...gateway }, parts),
      sealSecret: payments.sealSecret,
      sandbox: undefined,
    };
  // Loaded only where it is used: it costs start-up time and memory.
  const { startSandbox } = await import('../sandbox/sandbox.ts');
  const sandbox = await startSandbox({ ...manners, clock: parts.clock, file: books });
  // The sandbox has one account, which all share.
  const accounts = [undefined, ...merchants].map(
    (each): Account => ({
      ...sandbox,
      ...(each && { merchant: each.name, nickname: each.nickname }),
    }),
  );
  return {
    gateway: gatewayFor(sandboxProvider, accounts, { ...sandbox, ...gateway }, parts),
    sealSecret: sandbox.secretKey,
    sandbox,
  };
};

/** One for all accounts, which together keep to the rate. */
const gatewayFor = (
  of: Provider,
  accounts: readonly Account[],
  settings: Config['gateway'] & { readonly baseUrl: string },
  parts: GatewayParts,
): Gateway => {
  const queue = createQueue(settings.requestsPerSecond, parts);
  const gatewayOf = (account: Account): Gateway =>
    of.createGateway({ ...account, ...settings }, { ...parts, queue });
  return merchantGateways(new Map(accounts.map((each) => [each.merchant, gatewayOf(each)])));
};
