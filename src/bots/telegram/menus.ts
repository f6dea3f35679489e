import type { Api } from 'grammy';
import type { BotCommand, BotCommandScope } from 'grammy/types';
import type { Caller } from '../../commands/inbound.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { Clock } from '../../core/runtime/clock.ts';
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

type Tools = Pick<BotParts, 'usableBy' | 'named' | 'log'> & {
  readonly api: Api;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
};

/**
 * The menus behind Telegram's `/` button: everyone sees what is open to everyone, a chat or person with rights theirs.
 * Telegram keeps menus over a restart, so a scope's menu is read from there once, and set when it differs. It is a
 * convenience: rights are checked at each command, and a menu that Telegram refuses is left as it is.
 */
export class Menus {
  readonly #tools: Tools;
  /** The menu that Telegram shows, by scope; empty: a wider scope's. */
  readonly #shown = new BoundedMap<string, string>(REMEMBERED);
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

  /** Sets a scope's menu to what `person` may do in `channel`, unless it or else the `wider` scopes show that already. */
  async #show(
    scope: BotCommandScope,
    person: string,
    channel: string,
    ...wider: readonly BotCommandScope[]
  ): Promise<void> {
    const { api, log, usableBy } = this.#tools;
    const options = scope === EVERYONE ? {} : { scope };
    const key = JSON.stringify(scope);
    try {
      const conversation = { platform: 'telegram', channel };
      const usable = { platform: 'telegram', id: person, name: '', conversation };
      const menu = menuOf(await usableBy(usable));
      const wanted = textOf(menu);
      const shown = this.#shown.get(key) ?? textOf(await api.getMyCommands(options));
      this.#shown.set(key, shown);
      const all = [scope, ...wider].map((each) => this.#shown.get(JSON.stringify(each)));
      if ((all.find(Boolean) ?? '') === wanted) return;
      await api.setMyCommands(menu, options);
      this.#shown.set(key, wanted);
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

const textOf = (menu: readonly BotCommand[]): string =>
  menu.map(({ command, description }) => `${command} ${description}`).join('\n');
