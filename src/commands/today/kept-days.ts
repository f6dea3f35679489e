import { isDeepStrictEqual } from 'node:util';
import type { Chats } from '../../core/notices/chats.ts';
import { oweNotices, postedMessage } from '../../core/notices/owed-notices.ts';
import { type KeptDay, keptDayOf, type TodayFigures } from '../../core/records/kept-day.ts';
import { newNotice } from '../../core/records/notice.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import type { Put, Setting } from '../../core/records/records.ts';
import { storedJson } from '../../core/records/stored-values.ts';
import { isoDate } from '../../core/values/calendar-day.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import type { Card } from '../cards/card.ts';
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
    const next = await this.#shownNow(await this.#pinned(kept));
    // That it may not be pinned is said in the message.
    const isRefused = next.pin !== kept.pin && next.pin?.isPinned === false;
    const isToldAgain = next.shown !== kept.shown || isRefused;
    const atMs = clock.now() + (next.pin?.day === next.shown?.day ? EVERY_MS : SOON_MS);
    await store.commit({
      put: [
        stored.put(next, due, { queue: 'check', atMs }),
        ...(isToldAgain ? await this.#owed(next) : []),
      ],
    });
  }

  /** Pins a day's message once, and no more that of the day before: who takes the pin away wants it gone. */
  async #pinned(kept: KeptDay): Promise<KeptDay> {
    const { chats, store } = this.#options;
    const { conversation, shown, pin } = kept;
    if (shown === undefined || pin?.day === shown.day) return kept;
    const message = await postedMessage(store, noticeOf(conversation, shown).id);
    if (message === undefined || message === 'waiting') return kept;
    const answer = await chats.pin(message, true);
    if (answer === 'no answer') return kept;
    if (pin?.isPinned === true) await chats.pin(pin.message, false);
    return { ...kept, pin: { day: shown.day, message, isPinned: answer === 'done' } };
  }

  /** With the figures of now, if they are other than those that are shown. */
  async #shownNow(kept: KeptDay): Promise<KeptDay> {
    const { conversation, sinceDay, shown } = kept;
    const today = await todayFigures(this.#options, conversation);
    // What the week before has come to by this minute is told with the next change.
    const isNew =
      shown?.day === today.day
        ? !isDeepStrictEqual(shown.now, today.now)
        : today.now.length > 0 || today.day === sinceDay;
    return isNew ? { ...kept, shown: today } : kept;
  }

  async #owed({ conversation, shown }: KeptDay): Promise<Put[]> {
    if (shown === undefined) return [];
    const { store, clock } = this.#options;
    return oweNotices(store, [newNotice(noticeOf(conversation, shown), clock.now())]);
  }
}

/** One message a day. */
const noticeOf = (conversation: Conversation, shown: TodayFigures) => {
  const [place, day] = [placeKey(conversation), isoDate(shown.day)];
  const about = { kind: 'today', place, day } as const;
  return { id: `${keptDayOf(place).id}.${day}`, about, conversation };
};
