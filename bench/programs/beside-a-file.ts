import { setTimeout as sleep } from 'node:timers/promises';
import { serveTasks } from '../serve-tasks.ts';
import { startTerminal } from '../terminal-app.ts';

/**
 * The whole program with the terminal chat, at the rate of its settings. It charges a file when it is told to, and
 * charges of a person one by one: it says how long each took from the press until the service has answered.
 */
const { app, type } = await startTerminal();

type Task =
  | { readonly what: 'file'; readonly path: string }
  | { readonly what: 'charges'; readonly times: number };

/** People do not type all at once. */
const PAUSE_MS = 500;
let customers = 0;

/** In ms, on average. */
const charges = async (times: number): Promise<number> => {
  let tookMs = 0;
  for (let count = 0; count < times; count++) {
    await type(`/charge 0244${String(100_000 + customers++)} 50 GHS`, /\[1\] Charge GHS 50/);
    await sleep(PAUSE_MS);
    const pressedAtMs = performance.now();
    await type('yes', /GHS 50\.00 pending/);
    tookMs += performance.now() - pressedAtMs;
    await sleep(PAUSE_MS);
  }
  return tookMs / times;
};

/** Shows the dry run and presses: from then on it runs for as long as the program does. */
const file = async (path: string): Promise<number> => {
  await type(`/bulk ${path}`, /\[1\] Charge 10,000/);
  await type('yes', /[1-9]\d* of 10,000/);
  return 10_000;
};

serveTasks(
  (task: Task) => (task.what === 'file' ? file(task.path) : charges(task.times)),
  app.port,
);
