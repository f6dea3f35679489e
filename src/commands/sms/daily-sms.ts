import type { SmsDay } from '../../core/sms/sms-day.ts';
import { startOfDayMs } from '../../core/values/format-time.ts';
import type { Grants } from '../access/access.ts';
import { type Card, plainCard } from '../cards/card.ts';
import type { Services } from '../command.ts';

/** Why so many SMS do not fit into a person's daily limit; undefined: they fit. */
export const whyNoRoom = async (
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
  { dailySms }: Grants,
  day: SmsDay,
  parts: number,
): Promise<string | undefined> => {
  if (dailySms === undefined) return undefined;
  const used = await day.partsSince(startOfDayMs(clock.now(), settings.timeZone));
  return used + parts <= dailySms
    ? undefined
    : `You may send ${dailySms} SMS a day, and ${used} are used today. This costs ${parts}.`;
};

/** SMS that were not sent, and why. */
export const notSentCard = (why: string): Card => plainCard('Nothing was sent', why, 'warning');
