import type { Bot } from '../bots/bot.ts';
import type { IsGuest, MembersOf } from '../commands/access/access.ts';
import type { Chats } from './create-bots.ts';

/**
 * The bots by platform. The access rules and the engine are made before the bots, which need both; they look here when
 * they send or ask something.
 */
export class BotDirectory {
  readonly byPlatform = new Map<string, Bot>();
  #chats: Chats | undefined;

  add(chats: Chats): void {
    this.#chats = chats;
    for (const bot of chats.bots) this.byPlatform.set(bot.platform, bot);
  }

  readonly membersOf: MembersOf = async (...asked) => this.#made().membersOf(...asked);

  readonly isGuest: IsGuest = async (...asked) => this.#made().isGuest(...asked);

  #made(): Chats {
    if (this.#chats === undefined) throw new Error('the chats are not there yet');
    return this.#chats;
  }
}
