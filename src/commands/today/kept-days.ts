import { isDeepStrictEqual } from 'node:util';
import type { Chats } from '../../core/notices/chats.ts';
import { keepNoLonger } from '../../core/notices/keep-no-longer.ts';
import { oweNotices } from '../../core/notices/owed-notices.ts';
import { type KeptDay, keptDayOf, type TodayFigures } from '../../core/records/kept-day.ts';
import { isOwed, type Notice, newNotice } from '../../core/records/notice.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import type { Setting } from '../../core/records/records.ts';
import { storedJson } from '../../core/records/stored-values.ts';
import type { Store } from '../../core/store/store.ts';
import { dayAt, isoDate } from '../../core/values/calendar-day.ts';
import type { MessageRef } from '../../core/values/conversation.ts';
import type { Card } from '../cards/card.ts';
import { scopeOf } from '../figures/scope.ts';
import { type TodayFrom, todayFigures } from './today-figures.ts';

/** An edit a minute at most, and none where nothing has changed. */
const EVERY_MS = 60_000;
/** Until a message that was just posted is pinned. */
const SOON_MS = 5_000;

type KeptDaysOptions = TodayFrom & { readonly chats: Pick<Chats<Card>, 'pin'> };

/** Keeps the day's figures in one message a day of each conversation that asked for it, over restarts and instances. */
export class KeptDays {
  readonly #options: KeptDaysOptions;

  constructor(options: KeptDaysOptions) {
    this.#options = options;
  }

  /** Looks whether the message is still true. Refused where another instance was faster. */
  async serve(due: Setting): Promise<void> {
    const { store, clock } = this.#options;
    const stored = storedJson<KeptDay>(due.id);
    const kept = stored.read(due);
    if (kept === undefined) return;
    const { conversation, shown } = kept;
    const { merchant, branch } = scopeOf(conversation, this.#options);
    // Those in the conversation were told of others.
    if (merchant !== shown.merchant || branch !== shown.branch) {
      const detail = { reason: 'the conversation is of another merchant or branch' };
      return void (await keepNoLonger(this.#options, placeKey(conversation), { detail }));
    }
    const notice = await store.get('notice', noticeOf(kept).id);
    const now = await this.#figures(kept, notice);
    const isNew = now !== shown;
    const message = now.day === shown.day ? notice?.message : undefined;
    const next = await this.#pinned({ ...kept, shown: now }, message, isNew);
    const isTold = isNew || next.isPinRefused !== kept.isPinRefused;
    const isPosting = message === undefined && (isNew || isOwed(notice));
    const atMs = clock.now() + (isPosting ? SOON_MS : EVERY_MS);
    const told = isTold ? await dayNotices(store, next, clock.now()) : [];
    await store.commit({ put: [stored.put(next, due, { queue: 'check', atMs }), ...told] });
  }

  /** Those that are shown while they are true. A day is told to its end before today, which begins with its first payment. */
  async #figures({ conversation, shown }: KeptDay, notice?: Notice): Promise<TodayFigures> {
    const { clock, settings } = this.#options;
    const isToday = shown.day === dayAt(clock.now(), settings.timeZone);
    // Without its notice the message of a day is too old to be edited.
    if (isToday || notice !== undefined) {
      const same = await todayFigures(this.#options, conversation, { day: shown.day });
      // What the week before has come to by this minute is told with the next change.
      if (!isDeepStrictEqual(shown.now, same.now)) return same;
      if (isToday || isOwed(notice)) return shown;
    }
    const today = await todayFigures(this.#options, conversation);
    return today.now.length > 0 ? today : shown;
  }

  /** Pins a day's message once, and no more that of the day before: who takes the pin away wants it gone. */
  async #pinned(kept: KeptDay, message: MessageRef | undefined, isNew: boolean): Promise<KeptDay> {
    const { chats } = this.#options;
    const { pinned, isPinRefused, ...rest } = kept;
    if (message === undefined || message.message === pinned?.message) return kept;
    // Where it was refused it is tried with each edit: a person may have given that right.
    if (isPinRefused && !isNew) return kept;
    const answer = await chats.pin(message, true);
    if (answer === 'refused') return { ...kept, isPinRefused: true };
    // Without an answer to both, both are done again: a message that is pinned may be pinned once more.
    if (answer === 'no answer') return kept;
    const isUnclear = pinned !== undefined && (await chats.pin(pinned, false)) === 'no answer';
    return isUnclear ? kept : { ...rest, pinned: message };
  }
}

/** Owes the message of the day that is shown, or its next edit. */
export const dayNotices = (store: Store, kept: KeptDay, nowMs: number) =>
  oweNotices(store, [newNotice(noticeOf(kept), nowMs)]);

/** One message a day. */
const noticeOf = ({ conversation, shown }: KeptDay) => {
  const [place, day] = [placeKey(conversation), isoDate(shown.day)];
  const about = { kind: 'today', place, day } as const;
  return { id: `${keptDayOf(place).id}.${day}`, about, conversation };
};
