import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../core/runtime/clock.ts';
import { CallbackSender } from './callback-sender.ts';
import { sandboxOperations } from './operations.ts';
import { PaymentLedger, type SandboxPayment } from './payment-ledger.ts';
import { type SandboxRequest, serveSandbox } from './server.ts';

export type SandboxOptions = {
  readonly clock: Clock;
  /** Where payments are remembered over restarts; absent: in memory. */
  readonly file?: string;
  /** @default any free port */
  readonly port?: number;
  readonly host?: string;
};

/** The payment service, simulated over real HTTP. No money moves. */
export type Sandbox = {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly secretKey: string;
  readonly serviceId: number;
  readonly nickname: string;
  /** Every request received, oldest first; the last few thousand are kept. */
  readonly requests: readonly SandboxRequest[];
  /** Every payment taken, with how often. */
  payments(): readonly SandboxPayment[];
  stop(): Promise<void>;
};

const MERCHANT = {
  clientKey: 'sandbox-client',
  secretKey: 'sandbox-secret',
  serviceId: 1001,
  nickname: 'Sandbox Shop',
} as const;

/** Rejects when the port is taken or the file cannot be read. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { clock, file, port = 0, host = '127.0.0.1' } = options;
  const ledger = await PaymentLedger.open(file);
  const callbacks = new CallbackSender(ledger, clock);
  const operations = sandboxOperations({ ...MERCHANT, ledger, callbacks, clock });
  const requests: SandboxRequest[] = [];
  const server = createServer(serveSandbox({ ...MERCHANT, operations, requests, clock }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  callbacks.resume();

  const { port: boundPort } = server.address() as AddressInfo;
  return {
    ...MERCHANT,
    baseUrl: `http://${host}:${boundPort}`,
    requests,
    payments: () => ledger.payments(),
    stop: async () => {
      await callbacks.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};
