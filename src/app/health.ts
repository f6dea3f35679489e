import type { Bot } from '../bots/bot.ts';
import type { Queue } from '../core/records/due.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Store } from '../core/store/store.ts';
import type { Metrics } from '../core/telemetry/metrics.ts';

/** What `/healthz`, `/readyz` and `/metrics` answer from. */
export const healthOf = (
  store: Store,
  bots: ReadonlyMap<string, Bot>,
  metrics: Metrics,
  clock: Clock,
) => ({
  lateMs: async () => {
    const queues: Queue[] = ['submit', 'check', 'notice', 'sms'];
    const times = await Promise.all(queues.map((queue) => store.nextDueMs(queue)));
    return Math.max(0, ...times.map((dueMs) => (dueMs === undefined ? 0 : clock.now() - dueMs)));
  },
  missing: () =>
    bots.size === 0
      ? ['starting']
      : [...bots.values()].flatMap((bot) => {
          const missing = bot.notReady();
          return missing === undefined ? [] : [`${bot.platform}: ${missing}`];
        }),
  metrics: () => metrics.text(),
});
