import { onTestFinished } from 'vitest';
import { Callbacks } from '../../src/core/callbacks/callbacks.ts';
import { Listener } from '../../src/core/http/listener.ts';
import type { Payments } from '../../src/core/payments/payments.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { aPayment } from './a-payment.ts';
import { silentLog } from './silent-log.ts';

type Options = Partial<ConstructorParameters<typeof Listener>[0]> & { readonly host?: string };

/** The real listener on a free port, taking callbacks; `recorded` has the ids of those that came through. */
export const openListener = async ({ host = '127.0.0.1', ...options }: Options = {}) => {
  const recorded: string[] = [];
  const log = options.log ?? silentLog;
  const listener = new Listener({
    health: { lateMs: async () => 0, missing: () => [], metrics: async () => 'up 1\n' },
    ...options,
    log,
  });
  const port = await listener.listen(host, 0);
  onTestFinished(() => listener.stop());
  const callbacks = new Callbacks({
    payments: {
      record: async (id: string) => {
        recorded.push(id);
        return { payment: aPayment(), changed: true };
      },
    } as unknown as Payments,
    clock: systemClock,
    unmatched: { keep: async () => 'not ours' },
    log,
    secrets: ['secret-of-the-shop-01', 'secret-of-the-shop-00'],
    publicUrl: `http://127.0.0.1:${port}`,
  });
  listener.serveCallbacks(callbacks);
  listener.open();
  return { listener, port, callbacks, recorded };
};
