import type { Api } from 'grammy';
import type { BotCommand, BotCommandScope } from 'grammy/types';
import type { Caller } from '../../commands/inbound.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { BotParts } from '../platform.ts';
import { safeError } from './failure.ts';
import { isGroupId, LIMITS } from './limits.ts';

/** Chats and people of the access file whose menus are set at the start; others get theirs when they write. */
const MOST_AT_START = 50;
const REMEMBERED = 2_000;
/** So long a seat's menu counts as looked at. */
const LOOK_AGAIN_MS = 60_000;
/** Has no rights of its own anywhere: Telegram gives no account this id. */
const STRANGER = '0';
const EVERYONE: BotCommandScope = { type: 'default' };

type Tools = Pick<BotParts, 'commands' | 'log'> &
  Partial<Pick<BotParts, 'usableBy' | 'named'>> & {
    readonly api: Api;
    readonly clock: Clock;
    readonly log: Log;
    readonly stopping: AbortSignal;
  };

/**
 * The menus behind Telegram's `/` button: everyone sees what is open to everyone, a chat or person with rights theirs.
 * A menu is set again only when it changed. It is a convenience: rights are checked at each command, and a menu that
 * Telegram refuses is left as it is.
 */
export class Menus {
  readonly #tools: Tools;
  /** The menu last set, by scope. */
  readonly #set = new BoundedMap<string, string>(REMEMBERED);
  readonly #lookedAtMs = new BoundedMap<string, number>(REMEMBERED);

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** The menu of people without rights. Never rejects. */
  async forEveryone(): Promise<void> {
    const { commands, usableBy } = this.#tools;
    const open = usableBy === undefined ? commands : await this.#usable(STRANGER, STRANGER);
    await this.#show(EVERYONE, open);
  }

  /** The menus of the access file, one after the other. Never rejects. */
  async forNamed(): Promise<void> {
    const { named, stopping } = this.#tools;
    for (const id of named?.().slice(0, MOST_AT_START) ?? []) {
      if (stopping.aborted) return;
      const menu = await this.#usable(isGroupId(id) ? STRANGER : id, id);
      await this.#showUnless(EVERYONE, { type: 'chat', chat_id: Number(id) }, menu);
    }
  }

  /** The menu of a person who wrote or pressed something, where they did. Never rejects. */
  async seen({ id, conversation: { channel } }: Caller): Promise<void> {
    const { clock, usableBy } = this.#tools;
    const seat = `${channel}|${id}`;
    const nowMs = clock.monotonic();
    const lookedAtMs = this.#lookedAtMs.get(seat) ?? Number.NEGATIVE_INFINITY;
    if (usableBy === undefined || nowMs - lookedAtMs < LOOK_AGAIN_MS) return;
    this.#lookedAtMs.set(seat, nowMs);
    const menu = await this.#usable(id, channel);
    const chat: BotCommandScope = { type: 'chat', chat_id: Number(channel) };
    if (!isGroupId(channel)) return this.#showUnless(EVERYONE, chat, menu);
    const member: BotCommandScope = { ...chat, type: 'chat_member', user_id: Number(id) };
    const isChatSet = this.#set.has(JSON.stringify(chat));
    await this.#showUnless(isChatSet ? chat : EVERYONE, member, menu);
  }

  async #usable(id: string, channel: string): Promise<BotParts['commands']> {
    const caller = { platform: 'telegram', id, name: '' };
    try {
      const conversation = { platform: 'telegram', channel };
      return (await this.#tools.usableBy?.({ ...caller, conversation })) ?? [];
    } catch (error) {
      this.#tools.log.debug(safeError(error), 'the rights for a menu could not be read');
      return [];
    }
  }

  /** Sets a scope's menu, unless it has none yet and the `wider` scope shows the same. */
  async #showUnless(
    wider: BotCommandScope,
    scope: BotCommandScope,
    commands: BotParts['commands'],
  ): Promise<void> {
    const isSame = this.#set.get(JSON.stringify(wider)) === JSON.stringify(menuOf(commands));
    if (!isSame || this.#set.has(JSON.stringify(scope))) await this.#show(scope, commands);
  }

  async #show(scope: BotCommandScope, commands: BotParts['commands']): Promise<void> {
    const { api, log } = this.#tools;
    const menu = menuOf(commands);
    const key = JSON.stringify(scope);
    if (menu.length === 0 || this.#set.get(key) === JSON.stringify(menu)) return;
    try {
      await api.setMyCommands(menu, scope.type === 'default' ? {} : { scope });
      this.#set.set(key, JSON.stringify(menu));
    } catch (error) {
      // A person of the access file may not have opened the private chat yet.
      const level = scope.type === 'default' ? 'warn' : 'debug';
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
