import type { Config } from '../config/config.ts';
import { createGateway } from '../core/gateway/client.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts';

/** How the sandbox differs from one that answers by numbers alone. */
export type SandboxManners = Pick<SandboxOptions, 'hasPrompts' | 'onExchange'>;

type Manners = { readonly sandbox: SandboxManners };

/** The payment service, or the simulator in its place. */
export type PaymentService = {
  readonly gateway: Gateway;
  /** The secret key of the account: drafts and confirmations are sealed with it. */
  readonly sealSecret: string;
  /** Only with the built-in sandbox. */
  readonly sandbox: Sandbox | undefined;
};

/**
 * The client of the configured payment service; without one, of a sandbox that is started here.
 * @param books the file of the sandbox's books.
 */
export const openPaymentService = async (
  { payments, gateway: settings }: Config,
  books: string,
  { sandbox: manners, ...parts }: Parameters<typeof createGateway>[1] & Partial<Manners>,
): Promise<PaymentService> => {
  if (payments.kind === 'service')
    return {
      gateway: createGateway({ ...payments, ...settings }, parts),
      sealSecret: payments.secretKey,
      sandbox: undefined,
    };
  // Loaded only where it is used: it costs start-up time and memory.
  const { startSandbox } = await import('../sandbox/sandbox.ts');
  const sandbox = await startSandbox({ ...manners, clock: parts.clock, file: books });
  const gateway = createGateway({ ...sandbox, ...settings }, parts);
  return { gateway, sealSecret: sandbox.secretKey, sandbox };
};
