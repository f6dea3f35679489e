import type { Api } from 'grammy';
import type { BotCommand, BotCommandScope } from 'grammy/types';
import type { Caller } from '../../commands/inbound.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import type { BotParts } from '../platform.ts';
import { failureOf, safeError } from './failure.ts';
import { isGroupId, LIMITS, MENUS_KEY, PACE_OF_MENUS } from './limits.ts';

/** Chats and people of the access file whose menus are set at the start; others get theirs when they write. */
const MOST_AT_START = 50;
const REMEMBERED = 2_000;
/** So long a seat's menu counts as looked at. */
const LOOK_AGAIN_MS = 60_000;
/** Has no rights of its own anywhere: Telegram gives no account this id. */
const STRANGER = '0';
const EVERYONE: BotCommandScope = { type: 'default' };

type Tools = Pick<BotParts, 'usableBy' | 'named' | 'log' | 'menus' | 'pacer'> & {
  readonly api: Api;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
};

/**
 * The menus behind Telegram's `/` button: everyone sees what is open to everyone, a chat or person with rights theirs.
 * Telegram keeps menus over a restart, and what they were set to last is kept here, so none is set twice. It is a
 * convenience: rights are checked at each command, and a menu that Telegram refuses is left as it is.
 */
export class Menus {
  readonly #tools: Tools;
  /** By scope the hash of the menu that it was set to; empty: none of its own, so a wider scope's is shown. */
  #shown: Promise<BoundedMap<string, string>> | undefined;
  readonly #lookedAtMs = new BoundedMap<string, number>(REMEMBERED);

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** The menu of people without rights. Never rejects. */
  async forEveryone(): Promise<void> {
    await this.#show(EVERYONE, STRANGER, STRANGER);
  }

  /** The menus of the access file, one after the other. Never rejects. */
  async forNamed(): Promise<void> {
    const { named, stopping } = this.#tools;
    for (const id of named().slice(0, MOST_AT_START))
      if (!stopping.aborted) await this.#showChat(id);
  }

  /** The menu of a person who wrote or pressed something, where they did. Never rejects. */
  async seen({ id, conversation: { channel } }: Caller): Promise<void> {
    const seat = `${channel}|${id}`;
    const nowMs = this.#tools.clock.monotonic();
    const lookedAtMs = this.#lookedAtMs.get(seat) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - lookedAtMs < LOOK_AGAIN_MS) return;
    this.#lookedAtMs.set(seat, nowMs);
    const chat = await this.#showChat(channel);
    if (!isGroupId(channel)) return;
    const member = { type: 'chat_member', chat_id: Number(channel), user_id: Number(id) } as const;
    await this.#show(member, id, channel, chat, EVERYONE);
  }

  /** A group's menu is that of a member without rights of their own. */
  async #showChat(channel: string): Promise<BotCommandScope> {
    const chat: BotCommandScope = { type: 'chat', chat_id: Number(channel) };
    await this.#show(chat, isGroupId(channel) ? STRANGER : channel, channel, EVERYONE);
    return chat;
  }

  async #kept(): Promise<BoundedMap<string, string>> {
    const shown = new BoundedMap<string, string>(REMEMBERED);
    for (const [scope, hash] of Object.entries(await this.#tools.menus.read()))
      shown.set(scope, hash);
    return shown;
  }

  /** Behind every message, and as late as Telegram asks. False: stopped before its turn. */
  async #inTurn(key: string, set: () => Promise<unknown>): Promise<boolean> {
    const { pacer, clock, stopping } = this.#tools;
    while (!stopping.aborted) {
      const turn = { id: `menu ${key}`, weight: 'pending' } as const;
      const waitMs = await pacer.take(PACE_OF_MENUS, turn);
      if (waitMs > 0) {
        await clock.sleep(waitMs, stopping);
        continue;
      }
      try {
        await set();
        return true;
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind !== 'rateLimited') throw error;
        pacer.block(MENUS_KEY, failure.retryAfterMs);
      }
    }
    return false;
  }

  /** Sets a scope's menu to what `person` may do in `channel`, unless it or else the `wider` scopes show that already. */
  async #show(
    scope: BotCommandScope,
    person: string,
    channel: string,
    ...wider: readonly BotCommandScope[]
  ): Promise<void> {
    const { api, log, usableBy, menus } = this.#tools;
    const options = scope === EVERYONE ? {} : { scope };
    const key = keyOf(scope);
    try {
      const conversation = { platform: 'telegram', channel };
      const usable = { platform: 'telegram', id: person, name: '', conversation };
      const menu = menuOf(await usableBy(usable));
      this.#shown ??= this.#kept();
      const shown = await this.#shown;
      const hash = shortIdFrom(JSON.stringify(menu));
      const isAsWider = wider.map((each) => shown.get(keyOf(each))).find(Boolean) === hash;
      const own = isAsWider ? '' : hash;
      if (shown.get(key) === own) return;
      const set = () =>
        isAsWider ? api.deleteMyCommands(options) : api.setMyCommands(menu, options);
      if (!(await this.#inTurn(key, set))) return;
      shown.set(key, own);
      await menus.write(Object.fromEntries(shown));
    } catch (error) {
      // A person of the access file may not have opened the private chat yet.
      const level = scope === EVERYONE ? 'warn' : 'debug';
      log[level]({ error: safeError(error) }, 'the menu could not be set');
    }
  }
}

/** Commands whose names Telegram cannot show still work when typed. */
const menuOf = (commands: BotParts['commands']): BotCommand[] =>
  commands
    .filter(({ name, summary }) => LIMITS.commandName.test(name) && summary.trim() !== '')
    .slice(0, LIMITS.commands)
    .map(({ name, summary }) => ({
      command: name,
      description: summary.trim().slice(0, LIMITS.commandDescriptionLength),
    }));

const keyOf = (scope: BotCommandScope): string => JSON.stringify(scope);
