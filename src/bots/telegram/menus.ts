import type { Api } from 'grammy';
import type { BotCommand, BotCommandScope } from 'grammy/types';
import type { Caller } from '../../commands/inbound.ts';
import { shownMenuOf } from '../../core/records/stored-values.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import { KeyedLock } from '../../core/runtime/keyed-lock.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import type { BotParts } from '../platform.ts';
import { safeError } from './failure.ts';
import { isGroupId, LIMITS } from './limits.ts';
import type { Outbound } from './outbound.ts';

/** Chats and people of the access file whose menus are set at the start; others get theirs when they write. */
const MOST_AT_START = 50;
const REMEMBERED = 2_000;
/** So long a seat's menu counts as looked at. */
const LOOK_AGAIN_MS = 60_000;
/** Has no rights of its own anywhere: Telegram gives no account this id. */
const STRANGER = '0';
const EVERYONE: BotCommandScope = { type: 'default' };

type Tools = Pick<BotParts, 'usableBy' | 'named' | 'store' | 'clock' | 'log'> & {
  readonly api: Api;
  readonly token: string;
  readonly outbound: Pick<Outbound, 'setMenu'>;
  readonly stopping: AbortSignal;
};

/**
 * The menus behind Telegram's `/` button: everyone sees what is open to everyone, a chat or person with rights theirs.
 * What was set last is in the store, so a menu is set only when it changes, also over a restart. It is a convenience:
 * rights are checked at each command, and a menu that Telegram refuses is left as it is.
 */
export class Menus {
  readonly #tools: Tools;
  readonly #lookedAtMs = new BoundedMap<string, number>(REMEMBERED);
  /** One after the other: what a scope needs depends on the wider ones. */
  readonly #queue = new KeyedLock();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async atStart(): Promise<void> {
    const { named, stopping } = this.#tools;
    await this.#inTurn(() => this.#show(EVERYONE, STRANGER, STRANGER));
    for (const id of named().slice(0, MOST_AT_START))
      if (!stopping.aborted) await this.#inTurn(() => this.#showChat(id));
  }

  /** The menu of a person who wrote or pressed something, where they did. Never rejects. */
  async seen({ id, conversation: { channel } }: Caller): Promise<void> {
    const seat = `${channel}|${id}`;
    const nowMs = this.#tools.clock.monotonic();
    const lookedAtMs = this.#lookedAtMs.get(seat) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - lookedAtMs < LOOK_AGAIN_MS) return;
    this.#lookedAtMs.set(seat, nowMs);
    await this.#inTurn(async () => {
      const chat = await this.#showChat(channel);
      if (!isGroupId(channel)) return;
      const member = { chat_id: Number(channel), user_id: Number(id) };
      await this.#show({ type: 'chat_member', ...member }, id, channel, chat, EVERYONE);
    });
  }

  #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    return this.#queue.run('menus', work);
  }

  /** A group's menu is that of a member without rights of their own. */
  async #showChat(channel: string): Promise<BotCommandScope> {
    const chat: BotCommandScope = { type: 'chat', chat_id: Number(channel) };
    await this.#show(chat, isGroupId(channel) ? STRANGER : channel, channel, EVERYONE);
    return chat;
  }

  /** Gives a scope the menu of what `person` may do in `channel`, and none of its own if the `wider` scopes show that. */
  async #show(
    scope: BotCommandScope,
    person: string,
    channel: string,
    ...wider: readonly BotCommandScope[]
  ): Promise<void> {
    const { api, log, usableBy, store, outbound } = this.#tools;
    const options = scope === EVERYONE ? {} : { scope };
    try {
      const conversation = { platform: 'telegram', channel };
      const usable = { platform: 'telegram', id: person, name: '', conversation };
      const menu = menuOf(await usableBy(usable));
      const [own, ...others] = await Promise.all(
        [scope, ...wider].map((each) => store.get('setting', this.#storedOf(each).id)),
      );
      const hash = shortIdFrom(JSON.stringify(menu));
      const wanted = others.find(Boolean)?.value === hash ? undefined : hash;
      if (wanted === own?.value) return;
      const set = () =>
        wanted === undefined ? api.deleteMyCommands(options) : api.setMyCommands(menu, options);
      if (!(await outbound.setMenu(set))) return;
      const stored = this.#storedOf(scope);
      // Where another instance was quicker, the next look compares again.
      await store.commit(
        wanted === undefined
          ? { remove: [{ kind: 'setting', id: stored.id, version: own?.version ?? 0 }] }
          : { put: [stored.put(wanted, own)] },
      );
    } catch (error) {
      // A person of the access file may not have opened the private chat yet.
      const level = scope === EVERYONE ? 'warn' : 'debug';
      log[level]({ error: safeError(error) }, 'the menu could not be set');
    }
  }

  /** By the bot's id, the first part of its token: another bot has menus of its own. */
  #storedOf(scope: BotCommandScope) {
    const [botId = ''] = this.#tools.token.split(':');
    return shownMenuOf(`telegram:${botId}`, Object.values(scope).join(' '));
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
