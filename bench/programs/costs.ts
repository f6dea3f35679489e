import { serveTasks } from '../serve-tasks.ts';
import { startTerminal } from '../terminal-app.ts';

/** The whole program with the terminal chat, which does what it is told and says how long each took. */
const { app, type } = await startTerminal({ requestsPerSecond: 100_000 });

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

const averageMs = async (task: Task): Promise<number> => {
  const startedAtMs = performance.now();
  for (let count = 0; count < task.times; count++) await once(task);
  return (performance.now() - startedAtMs) / task.times;
};

serveTasks(averageMs, app.port);
