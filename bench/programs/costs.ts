import { PassThrough } from 'node:stream';
import { startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { silentLog } from '../silent-log.ts';

/** The whole program with the terminal chat, which does what it is told and says how long each took. */
const config = loadConfig();
const input = new PassThrough();
const output = new PassThrough();
let screen = '';
let look = (): void => {};
output.on('data', (data: Buffer) => {
  screen += data.toString();
  look();
});
const app = await startApp(
  { ...config, gateway: { ...config.gateway, requestsPerSecond: 100_000 } },
  {
    clock: systemClock,
    log: silentLog,
    input,
    output,
    userName: 'ama',
    onFatal: (error) => {
      throw error;
    },
  },
);

/** Types a line and waits until the screen shows what it should. */
const type = (line: string, until: RegExp): Promise<void> =>
  new Promise((resolve, reject) => {
    screen = '';
    const patience = setTimeout(() => reject(new Error(`${line}: ${screen}`)), 10_000);
    look = () => {
      if (!until.test(screen)) return;
      clearTimeout(patience);
      resolve();
    };
    input.write(`${line}\n`);
  });

let customers = 0;
type Task = {
  readonly what: 'charge' | 'status' | 'payments' | 'customer' | 'audit';
  readonly times: number;
  readonly id: string;
};

const once = async ({ what, id }: Task): Promise<void> => {
  if (what === 'status') return type(`/status ${id}`, /Asked just now/);
  if (what === 'audit') return type(`/audit ${id}`, /Transaction/);
  // One of the customers of the history, another one each time.
  if (what === 'customer')
    return type(`/payments 020${1_000_000 + (customers++ % 1_000)}`, /Payments of/);
  // Not the newest of all, which are the open ones.
  if (what === 'payments') return type('/payments failed', /\[1\] Older/);
  // A customer of its own each time: the same twice in a row is warned of.
  const number = `0244${String(100_000 + customers++)}`;
  await type(`/charge ${number} 50 GHS`, /\[1\] Charge/);
  await type('yes', /pending/);
};

process.on('message', (task: Task) => {
  const run = async () => {
    const startedAtMs = performance.now();
    for (let count = 0; count < task.times; count++) await once(task);
    return (performance.now() - startedAtMs) / task.times;
  };
  run().then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.({ ready: true, port: app.port });
