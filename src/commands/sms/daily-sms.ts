import { readUnsentRuns } from '../../core/bulk/unsent-runs.ts';
import { isSmsRun, unsentIn } from '../../core/records/bulk.ts';
import { readSmsDay, type SmsDay } from '../../core/sms/sms-day.ts';
import { startOfDayMs } from '../../core/values/calendar-day.ts';
import type { Person } from '../../core/values/conversation.ts';
import type { Grants } from '../access/grants.ts';
import { heldText } from '../bulk/file-facts.ts';
import { type Card, joined, plainCard } from '../cards/card.ts';
import { CAN_RAISE } from '../charge/charge-limits.ts';
import { isOwn, type Services } from '../command.ts';

/** Whether SMS fit into a person's day. `day`: to be stored with what is sent, so that of two that fit only alone one is refused. */
type SmsRoom =
  | { readonly fits: true; readonly day: SmsDay }
  | { readonly fits: false; readonly why: Card };

export const smsRoom = async (
  { store, clock, settings }: Pick<Services, 'store' | 'clock' | 'settings'>,
  { dailySms }: Grants,
  person: Person,
  parts: number,
): Promise<SmsRoom> => {
  // Before the files: a row that goes out meanwhile changes the day.
  const day = await readSmsDay({ store, clock }, person);
  if (dailySms === undefined) return { fits: true, day };
  const used = day.partsSince(startOfDayMs(clock.now(), settings.timeZone));
  const files = (await readUnsentRuns(store, isSmsRun)).filter((run) => isOwn(run, person));
  const held = unsentIn(files);
  if (used + held + parts <= dailySms) return { fits: true, day };
  const why = joined(
    `You may send ${dailySms} SMS a day. Used today: ${used}.`,
    held === 0 ? undefined : `Not used yet: ${held}, ${heldText(files)}.`,
    `Left: ${Math.max(0, dailySms - used - held)}. This costs ${parts} SMS. ${CAN_RAISE}`,
  );
  return { fits: false, why: notSentCard(why) };
};

export const notSentCard = (why: string): Card => plainCard('Nothing was sent', why, 'warning');
