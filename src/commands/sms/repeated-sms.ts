import { readRows } from '../../core/bulk/bulk-pages.ts';
import { readUnsentRuns } from '../../core/bulk/unsent-runs.ts';
import { type BulkRun, isSms, isSmsRun, type SmsRun } from '../../core/records/bulk.ts';
import { mayBeOneMerchant } from '../../core/records/merchants.ts';
import { nextTurn } from '../../core/runtime/turn-budget.ts';
import { type TextTo, wasTextSent } from '../../core/sms/sent-texts.ts';
import { startOfDayMs } from '../../core/values/calendar-day.ts';
import type { Services } from '../command.ts';

/** The embedded store answers at once, so others are served after so many questions. */
const AT_ONCE = 200;

/** Those texts that their customers got today from the merchant, by anyone, or will get from a confirmed file. */
export const repeatedTexts = async <T extends TextTo>(
  { store, clock, settings }: Pick<Services, 'store' | 'clock' | 'settings'>,
  asked: readonly T[],
  merchant: string | undefined,
): Promise<readonly T[]> => {
  const sinceMs = startOfDayMs(clock.now(), settings.timeZone);
  const isTheirs = (run: BulkRun): run is SmsRun =>
    isSmsRun(run) && mayBeOneMerchant(run.terms.merchant, merchant);
  const waiting = new Set<string>();
  // Before what was sent: a row that goes out meanwhile is found twice, and never not at all.
  for (const run of await readUnsentRuns(store, isTheirs))
    for (const { at, row } of await readRows(store, run, isSms))
      if (at >= run.next) waiting.add(keyOf(row));
  const isRepeated = async (each: T): Promise<boolean> =>
    waiting.has(keyOf(each)) || wasTextSent(store, { ...each, merchant }, sinceMs);
  const repeated: T[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE);
    const wasSent = await Promise.all(some.map(isRepeated));
    repeated.push(...some.filter((_, at) => wasSent[at]));
    await nextTurn();
  }
  return repeated;
};

const keyOf = ({ recipient, text }: TextTo): string => `${recipient} ${text}`;
