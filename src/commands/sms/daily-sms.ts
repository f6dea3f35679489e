import { readUnsentSms } from '../../core/bulk/unsent-runs.ts';
import { unsentParts } from '../../core/records/bulk.ts';
import type { SmsDay } from '../../core/sms/sms-day.ts';
import { startOfDayMs } from '../../core/values/format-time.ts';
import type { Grants } from '../access/access.ts';
import { heldText } from '../bulk/held-by-files.ts';
import { type Card, joined, plainCard } from '../cards/card.ts';
import type { Services } from '../command.ts';

/** What a person (`of`: `platform:id`) wants to send. `day` was read before this is asked, and is stored with it. */
type Wanted = { readonly day: SmsDay; readonly of: string; readonly parts: number };

/** Why so many SMS do not fit into a person's daily limit; undefined: they fit. */
export const whyNoRoom = async (
  { store, clock, settings }: Pick<Services, 'store' | 'clock' | 'settings'>,
  { dailySms }: Grants,
  { day, of, parts }: Wanted,
): Promise<string | undefined> => {
  if (dailySms === undefined) return undefined;
  const used = day.partsSince(startOfDayMs(clock.now(), settings.timeZone));
  const files = (await readUnsentSms(store)).filter(
    ({ requester }) => of === `${requester.platform}:${requester.id}`,
  );
  const held = files.reduce((sum, run) => sum + unsentParts(run), 0);
  if (used + held + parts <= dailySms) return undefined;
  return joined(
    `You may send ${dailySms} SMS a day, and ${used} are used today.`,
    held === 0 ? undefined : `${held} are ${heldText(files)}.`,
    `This costs ${parts}.`,
  );
};

/** SMS that were not sent, and why. */
export const notSentCard = (why: string): Card => plainCard('Nothing was sent', why, 'warning');
