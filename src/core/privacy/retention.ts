import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

const EVERY_MS = 24 * 3_600_000;

/** What is taken out of a store because of its age. */
export type RetireRequest = {
  /** Payments that ended before lose number and name. */
  readonly beforeMs: number;
  /** What pseudonyms are made with. @default a key that is made once and kept in the store */
  readonly key?: string;
  /** Rejects soon after it aborts; the next time goes on where this one ended. */
  readonly stop?: AbortSignal;
};

/** How many payments lost number and name. */
export type Retired = { readonly payments: number };

export type Retire = (request: RetireRequest) => Promise<Retired>;

/** At the start and once a day. Each instance does it; the second finds nothing left to do. */
export const keepRetention = async (
  {
    retire,
    retainMs,
    key,
    clock,
    log,
  }: { retire: Retire; retainMs: number; key?: string; clock: Clock; log: Log },
  stop: AbortSignal,
): Promise<void> => {
  while (!stop.aborted) {
    const beforeMs = clock.now() - retainMs;
    try {
      const { payments } = await retire({ beforeMs, stop, ...(key === undefined ? {} : { key }) });
      log.info(
        { payments, before: new Date(beforeMs) },
        'payments older than RETAIN have lost number and name',
      );
    } catch (error) {
      if (!stop.aborted) log.error({ err: error }, 'old payments could not lose number and name');
    }
    await clock.sleep(EVERY_MS, stop);
  }
};
