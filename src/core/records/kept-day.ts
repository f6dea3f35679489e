import type { CalendarDay } from '../values/calendar-day.ts';
import type { Conversation, MessageRef } from '../values/conversation.ts';
import type { Digest, DigestRow } from './digest.ts';
import { type StoredValue, storedJson } from './stored-values.ts';

/** What a shop, a branch or a person took on a day up to `atMs`. It names no customer. */
export type TodayFigures = Pick<
  Digest,
  'merchant' | 'branch' | 'day' | 'atMs' | 'now' | 'weekBefore'
> & {
  /** Present: the figures are of this person's payments. */
  readonly person?: string;
  /** Those who took the most, the largest sum first. */
  readonly people: readonly (DigestRow & { readonly completed: number })[];
};

/** A day's message, and whether the platform let it be pinned. */
type Pin = { readonly day: CalendarDay; readonly message: MessageRef; readonly isPinned: boolean };

/** A conversation that has the day's figures in one message a day, which is edited. */
export type KeptDay = {
  readonly conversation: Conversation;
  /** Its first day has a message at once, a later one from its first payment on. */
  readonly sinceDay: CalendarDay;
  /** What the message shows, or will. */
  readonly shown?: TodayFigures;
  readonly pin?: Pin;
};

const PREFIX = 'kept-day:';

export const keptDayOf = (place: string): StoredValue<KeptDay> => storedJson(`${PREFIX}${place}`);

export const isKeptDay = (settingId: string): boolean => settingId.startsWith(PREFIX);
