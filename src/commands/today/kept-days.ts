import { isDeepStrictEqual } from 'node:util';
import type { Chats } from '../../core/notices/chats.ts';
import { oweNotices, postedMessage } from '../../core/notices/owed-notices.ts';
import { type KeptDay, keptDayNoticeId, keptDayOf } from '../../core/records/kept-day.ts';
import { newNotice } from '../../core/records/notice.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import type { Put, Setting } from '../../core/records/records.ts';
import { isoDate } from '../../core/values/calendar-day.ts';
import type { Card } from '../cards/card.ts';
import { scopeOf } from '../figures/scope.ts';
import { type TodayFrom, todayFigures } from './today-figures.ts';

/** An edit a minute at most, and none where nothing has changed. */
const EVERY_MS = 60_000;
/** Until a message that was just posted is pinned. */
const SOON_MS = 3_000;

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
    const stored = keptDayOf(due.id.slice(keptDayOf('').id.length));
    const kept = stored.read(due);
    if (kept === undefined) return;
    const pinned = await this.#pinned(kept);
    const next = await this.#shownNow(pinned);
    const isChanged = !isDeepStrictEqual(next, kept);
    const isToldAgain = next.shown !== kept.shown || isRefused(next) !== isRefused(kept);
    const isPosted = typeof (await this.#messageOf(next)) === 'object';
    const atMs = clock.now() + (isPosted || next.shown === undefined ? EVERY_MS : SOON_MS);
    await store.commit({
      put: [
        stored.put(isChanged ? next : kept, due, { queue: 'check', atMs }),
        ...(isToldAgain ? await this.owed(next) : []),
      ],
    });
  }

  /** The message as it has to be told now; none before there is something to show. */
  async owed({ conversation, shown }: KeptDay): Promise<Put[]> {
    if (shown === undefined) return [];
    const { store, clock } = this.#options;
    const about = {
      kind: 'today',
      place: placeKey(conversation),
      day: isoDate(shown.day),
    } as const;
    const id = keptDayNoticeId(conversation, shown.day);
    return oweNotices(store, [newNotice({ id, about, conversation }, clock.now())]);
  }

  async #messageOf({ conversation, shown }: KeptDay): ReturnType<typeof postedMessage> {
    const id = shown && keptDayNoticeId(conversation, shown.day);
    return id === undefined ? undefined : postedMessage(this.#options.store, id);
  }

  /** With the figures of now, if they are other than those that are shown. */
  async #shownNow(kept: KeptDay): Promise<KeptDay> {
    const { settings, notify } = this.#options;
    const scope = scopeOf(kept.conversation, settings.merchants, notify.rules.branches);
    const now = await todayFigures(this.#options, scope);
    const isBegun = now.now.length > 0 || now.day === kept.sinceDay;
    const { shown } = kept;
    if (shown?.day !== now.day) return isBegun ? { ...kept, shown: now } : kept;
    // What the week before has come to by this minute is told with the next change.
    const { atMs: _, weekBefore: __, ...told } = shown;
    const { atMs: ___, weekBefore: ____, ...is } = now;
    return isDeepStrictEqual(told, is) ? kept : { ...kept, shown: now };
  }

  /** Pins a day's message once, and no more that of the day before: who takes the pin away wants it gone. */
  async #pinned(kept: KeptDay): Promise<KeptDay> {
    const { chats } = this.#options;
    const { shown, pin } = kept;
    if (shown === undefined || pin?.day === shown.day) return kept;
    const message = await this.#messageOf(kept);
    if (message === undefined || message === 'waiting') return kept;
    const answer = await chats.pin(message, true);
    if (answer === 'no answer') return kept;
    if (pin?.isPinned === true) await chats.pin(pin.message, false);
    return { ...kept, pin: { day: shown.day, message, isPinned: answer === 'done' } };
  }
}

/** Then the message says so. */
const isRefused = ({ pin }: KeptDay): boolean => pin?.isPinned === false;
