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

/** A conversation that has the day's figures in one message a day, which is edited. */
export type KeptDay = {
  readonly conversation: Conversation;
  /** What the newest message shows, or will; of the merchant and the branch that the conversation had when it was kept. */
  readonly shown: TodayFigures;
  /** The message that is pinned, until that of a later day is. */
  readonly pinned?: MessageRef;
  /** The platform did not let it be pinned, which the message says. */
  readonly isPinRefused?: true;
};

const PREFIX = 'kept-day:';

export const keptDayOf = (place: string): StoredValue<KeptDay> => storedJson(`${PREFIX}${place}`);

export const isKeptDay = (settingId: string): boolean => settingId.startsWith(PREFIX);
