import { STATUS_CODES } from 'node:http';
import { badRequest, forbidden } from './api-error.ts';
import type { ChatRecord } from './message.ts';
import type { Params } from './methods.ts';
import type { SimUpdate, UpdateQueue } from './update-queue.ts';
import type { World } from './world.ts';

export type BotCommand = { readonly command: string; readonly description: string };

/** One press of a button, waiting for `answerCallbackQuery`. */
export type SimPress = {
  readonly id: string;
  readonly atMs: number;
  updateId: number | undefined;
  /** The text of the answer, `''` for none; undefined: the person still sees the button spin. */
  answer: string | undefined;
  /** Shown in a box that has to be closed. */
  isAlert: boolean;
};

type Scope = {
  readonly type: string;
  readonly chat_id?: number | string;
  readonly user_id?: number;
};

const SCOPES = new Set([
  ...['default', 'all_private_chats', 'all_group_chats', 'all_chat_administrators'],
  ...['chat', 'chat_administrators', 'chat_member'],
]);

const scopeKey = ({ type, chat_id: chat, user_id: user }: Scope): string =>
  [type, chat, user].filter((part) => part !== undefined).join(' ');

const WEBHOOK_PORTS = new Set(['', '443', '80', '88', '8443']);
const COMMAND = /^[a-z0-9_]+$/;
/** As they were seen to be; 100 are documented, of any length: see `limits.ts`. */
const MOST_COMMANDS = 60;
const MOST_MENU_BYTES = 7_800;
const LONGEST_DESCRIPTION = 256;
const LONGEST_ANSWER = 200;

/** The methods about the bot itself: who it is, how updates come, its menu, presses. */
export class AccountMethods {
  readonly #world: World;
  readonly #queue: UpdateQueue;
  readonly #pressLifeMs: number;
  readonly presses = new Map<string, SimPress>();
  /** By scope, as JSON with its keys in the order of the documentation. */
  readonly menus = new Map<string, readonly BotCommand[]>();

  constructor(world: World, queue: UpdateQueue, pressLifeMs: number) {
    this.#world = world;
    this.#queue = queue;
    this.#pressLifeMs = pressLifeMs;
  }

  getMe(): unknown {
    return {
      ...this.#world.bot,
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
    };
  }

  getUpdates(params: Params, gone: AbortSignal): Promise<SimUpdate[]> {
    this.#queue.allow(listOf(params.allowed_updates));
    return this.#queue.poll(
      {
        offset: params.offset === undefined ? undefined : Number(params.offset),
        limit: Number(params.limit ?? 100),
        timeoutSeconds: Math.min(50, Number(params.timeout ?? 0)),
      },
      gone,
    );
  }

  setWebhook(params: Params): unknown {
    const url = String(params.url ?? '');
    if (url === '') return this.deleteWebhook(params);
    const secret = params.secret_token === undefined ? undefined : String(params.secret_token);
    checkWebhookUrl(url);
    if (secret !== undefined && secret.length > 256) throw badRequest('secret token is too long');
    if (secret !== undefined && !/^[\w-]*$/.test(secret))
      throw badRequest('secret token contains unallowed characters');
    this.#queue.allow(listOf(params.allowed_updates));
    this.#queue.setWebhook({ url, secret }, params.drop_pending_updates === true);
    return true;
  }

  deleteWebhook(params: Params): unknown {
    this.#queue.setWebhook(undefined, params.drop_pending_updates === true);
    return true;
  }

  getWebhookInfo(): unknown {
    return {
      url: this.#queue.webhook?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: this.#queue.pending.length,
      ...this.#lastTrouble(),
      ...(this.#queue.allowed === undefined ? {} : { allowed_updates: this.#queue.allowed }),
    };
  }

  /** Telegram tells of the last delivery that failed, whatever came after it. */
  #lastTrouble(): object {
    const failed = this.#queue.deliveries.findLast(({ status }) => status < 200 || status > 299);
    if (failed === undefined) return {};
    const what =
      failed.status === 0
        ? 'Connection refused'
        : `Wrong response from the webhook: ${failed.status} ${STATUS_CODES[failed.status]}`;
    return {
      last_error_date: Math.floor(this.#world.now() / 1000),
      last_error_message: what,
    };
  }

  setMyCommands(params: Params): unknown {
    const commands = listOf(params.commands) as unknown as BotCommand[] | undefined;
    const isTooMuch = commands === undefined || commands.length > MOST_COMMANDS;
    if (isTooMuch || JSON.stringify(commands).length > MOST_MENU_BYTES)
      throw badRequest('BOT_COMMANDS_TOO_MUCH');
    for (const { command, description } of commands) {
      if (command === '') throw badRequest('command must be non-empty');
      if (command.length > 32) throw badRequest('command length must not exceed 32');
      if (!COMMAND.test(command)) throw badRequest('BOT_COMMAND_INVALID');
      if (description.trim() === '') throw badRequest('command description must be non-empty');
      if (description.length > LONGEST_DESCRIPTION)
        throw badRequest(`command description length must not exceed ${LONGEST_DESCRIPTION}`);
    }
    this.menus.set(this.#scopeOf(params), commands);
    return true;
  }

  deleteMyCommands(params: Params): unknown {
    this.menus.delete(this.#scopeOf(params));
    return true;
  }

  getMyCommands(params: Params): unknown {
    return this.menus.get(this.#scopeOf(params)) ?? [];
  }

  /** What a person sees behind the `/` button: the menu of the narrowest scope that has one. */
  menuFor(chat: ChatRecord, personId: number): readonly BotCommand[] {
    const scopes: Scope[] = [
      { type: 'chat_member', chat_id: chat.id, user_id: personId },
      { type: 'chat', chat_id: chat.id },
      { type: chat.kind === 'private' ? 'all_private_chats' : 'all_group_chats' },
      { type: 'default' },
    ];
    return (
      scopes
        .map((scope) => this.menus.get(scopeKey(scope)) ?? [])
        .find((menu) => menu.length > 0) ?? []
    );
  }

  /** A scope names chats and people that the bot has met. */
  #scopeOf(params: Params): string {
    const given = params.scope;
    const scope = (typeof given === 'string' ? JSON.parse(given) : given) as Scope | undefined;
    if (scope === undefined) return scopeKey({ type: 'default' });
    if (!SCOPES.has(scope.type))
      throw badRequest("can't parse BotCommandScope: Unsupported type specified");
    if (!scope.type.startsWith('chat')) return scopeKey(scope);
    const chat = this.#world.chats.get(Number(scope.chat_id));
    if (chat === undefined || chat.botState === 'never') throw badRequest('chat not found');
    if (chat.botState === 'kicked' || chat.botState === 'left')
      throw forbidden(`bot is not a member of the ${chat.kind} chat`);
    if (chat.kind === 'channel') throw badRequest("can't change commands in channel chats");
    if (scope.type === 'chat') return scopeKey(scope);
    if (chat.kind === 'private') throw badRequest("can't use specified scope in private chats");
    if (scope.type !== 'chat_member') return scopeKey(scope);
    if (!chat.members.some(({ id }) => id === Number(scope.user_id)))
      throw badRequest('user not found');
    return scopeKey(scope);
  }

  answerCallbackQuery(params: Params): unknown {
    const press = this.presses.get(String(params.callback_query_id));
    const late = press === undefined || this.#world.now() - press.atMs > this.#pressLifeMs;
    if (late || press.answer !== undefined)
      throw badRequest('query is too old and response timeout expired or query ID is invalid');
    const text = String(params.text ?? '');
    if (text.length > LONGEST_ANSWER) throw badRequest('MESSAGE_TOO_LONG');
    press.answer = text;
    press.isAlert = params.show_alert === true || params.show_alert === 'true';
    this.#world.changed();
    return true;
  }
}

/** On this machine plain http on any port will do, as with a Bot API server in local mode. */
const checkWebhookUrl = (url: string): void => {
  const parts = URL.parse(url);
  if (parts === null) throw badRequest('invalid webhook URL specified');
  if (parts.hostname === '127.0.0.1') return;
  if (parts.protocol !== 'https:')
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  if (!WEBHOOK_PORTS.has(parts.port))
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443');
};

const listOf = (value: unknown): string[] | undefined => {
  const list: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return Array.isArray(list) ? list : undefined;
};
