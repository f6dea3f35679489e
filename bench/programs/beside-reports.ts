import { makeDigests } from '../../src/commands/digest/digest-figures.ts';
import { dayAt } from '../../src/core/values/calendar-day.ts';
import { typedDays } from '../many-payments.ts';
import { serveTasks } from '../serve-tasks.ts';
import { startTerminal } from '../terminal-app.ts';

/** The whole program with the terminal chat, which finance keeps busy for as long as it is told to. */
const { app, type } = await startTerminal();

const WORK = {
  none: async () => {},
  report: () => type(`/report ${typedDays()}`, /The picture is saved[\s\S]*\.png/),
  close: () => type('/close', /Closing balance[\s\S]*Close/),
  search: () => type('/payments zzyzx', /Nothing found/),
  digest: async () => {
    const nowMs = Date.now();
    await makeDigests(
      {
        store: app.store,
        notify: { rules: { branches: [] } },
        settings: { timeZone: 'UTC', merchants: [] },
        balances: { merchants: [] },
      } as unknown as Parameters<typeof makeDigests>[0],
      [{}],
      { day: dayAt(nowMs, 'UTC'), atMs: nowMs, toldDay: dayAt(nowMs, 'UTC') - 1, last: [] },
    );
  },
} as const;

export type Work = keyof typeof WORK;
export type ReportsTask = { readonly work: Work; readonly durationMs: number };

/** Again and again until the time is over; answers how often. */
const busy = async ({ work, durationMs }: ReportsTask): Promise<number> => {
  const untilMs = performance.now() + durationMs;
  for (let times = 0; ; times++) {
    if (work === 'none' || performance.now() >= untilMs) return times;
    await WORK[work]();
  }
};

serveTasks(busy, app.port);
