import { requestComplaints } from '../schemas/request-complaints.ts';
import { homeComplaints, messageComplaints, modalComplaints } from './block-kit.ts';
import type { Directory } from './directory.ts';
import {
  type Answer,
  APP_ID,
  APP_TOKEN,
  BOT_SCOPES,
  BOT_TOKEN,
  CONFIG_TOKEN,
  type EmulatedSlack,
  MANIFEST,
} from './emulator.ts';

/** What happened that the tests can look at, beside what the emulator keeps. */
export type Happenings = {
  /** A modal was opened on a trigger. */
  opened(triggerId: string, view: Record<string, unknown>): void;
  /** A person's Home tab was published. */
  published(userId: string, view: unknown): void;
  ephemeral(message: {
    userId: string;
    channelId: string;
    thread?: string;
    text: string;
    blocks: unknown;
  }): void;
  /** The address for a Socket Mode connection. */
  socketUrl(): string;
  /** A file was announced: the answer with the address to put it at. */
  promised(args: Record<string, unknown>, answer: Answer): Answer;
  /** Files were shared. */
  completed(args: Record<string, unknown>): void;
  /** Something that Slack would not have taken. */
  complain(method: string, complaints: readonly string[]): void;
};

type Args = Record<string, unknown>;

const POSTS = new Set(['chat.postMessage', 'chat.postEphemeral', 'chat.update']);
const LOOKS = new Set(['conversations.history', 'conversations.replies']);
/** Beside the emulator's own checks. */
const SCOPES: Readonly<Record<string, string>> = {
  'usergroups.users.list': 'usergroups:read',
  'users.info': 'users:read',
  'pins.add': 'pins:write',
  'pins.remove': 'pins:write',
};

/** Slack's Web API: stricter than the emulator where Slack is, and with the methods that it lacks. */
export class WebApi {
  /** What the app is made of, as Slack tells it. */
  manifest: object = MANIFEST;
  /** The channel and the `ts` of each pinned message. */
  readonly pins = new Set<string>();
  readonly #slack: EmulatedSlack;
  readonly #directory: Directory;
  readonly #happenings: Happenings;

  constructor(slack: EmulatedSlack, directory: Directory, happenings: Happenings) {
    this.#slack = slack;
    this.#directory = directory;
    this.#happenings = happenings;
  }

  async call(method: string, args: Args, token: string): Promise<Answer> {
    const odd = requestComplaints('slack', method, args);
    if (odd.length > 0) this.#happenings.complain(method, odd);
    if (method === 'apps.connections.open') return this.#openConnection(token);
    if (method === 'apps.manifest.export') return this.#exportManifest(args, token);
    if (token !== BOT_TOKEN) return no('invalid_auth');
    const scope = SCOPES[method];
    if (scope !== undefined && !BOT_SCOPES.includes(scope)) return no('missing_scope');
    const refusal = this.#refusal(method, args);
    if (refusal !== undefined) return refusal;
    if (method === 'usergroups.users.list') return this.#groupMembers(args);
    if (method === 'pins.add' || method === 'pins.remove') return this.#pin(method, args);
    if (LOOKS.has(method)) return this.#look(method, args, token);
    const lost = await this.#lostThread(args, token);
    if (lost !== undefined) return lost;
    const answer = await this.#slack.call(method, args, token);
    if (!answer.ok) return answer;
    this.#note(method, args, answer);
    // The emulator leaves it out.
    if (method === 'bots.info')
      return { ...answer, bot: { ...(answer.bot as object), app_id: APP_ID } };
    if (method === 'files.getUploadURLExternal') return this.#happenings.promised(args, answer);
    return method === 'users.info' ? this.#account(args, answer) : answer;
  }

  #refusal(method: string, args: Args): Answer | undefined {
    const complaints = this.#complaints(method, args);
    if (complaints.length > 0) return this.#refused(method, complaints);
    return POSTS.has(method) ? this.#closedChannel(args) : undefined;
  }

  #refused(method: string, complaints: readonly string[]): Answer {
    this.#happenings.complain(method, complaints);
    const error = POSTS.has(method) ? 'invalid_blocks' : 'invalid_arguments';
    return no(error, { response_metadata: { messages: complaints } });
  }

  #complaints(method: string, args: Args): string[] {
    if (method === 'views.open') return modalComplaints(args.view);
    if (method === 'views.publish') return homeComplaints(args.view);
    if (!POSTS.has(method)) return [];
    const thread = args.thread_ts;
    const oddThread = thread !== undefined && !/^\d+\.\d{6}$/.test(String(thread));
    return [
      ...messageComplaints(args),
      ...(oddThread ? [`thread_ts ${String(thread)} is no ts`] : []),
    ];
  }

  /** The emulator lets a bot write into every public channel; Slack does only with `chat:write.public`. */
  #closedChannel(args: Args): Answer | undefined {
    const channel = this.#directory.channelById(String(args.channel));
    if (channel === undefined || channel.bot) return undefined;
    return no(channel.private ? 'channel_not_found' : 'not_in_channel');
  }

  /** A thread has a parent, which is itself no reply. */
  async #lostThread(args: Args, token: string): Promise<Answer | undefined> {
    const { channel, thread_ts: thread } = args;
    if (thread === undefined) return undefined;
    const found = await this.#slack.call('conversations.replies', { channel, ts: thread }, token);
    const messages = (found.messages ?? []) as { ts: string; thread_ts?: string }[];
    const parent = messages.find(({ ts }) => ts === thread);
    if (!found.ok) return undefined;
    if (parent === undefined) return no('thread_not_found');
    if (parent.thread_ts === undefined || parent.thread_ts === parent.ts) return undefined;
    this.#happenings.complain('chat', [`thread_ts ${String(thread)} is a reply, not a parent`]);
    return no('thread_not_found');
  }

  /** Pages of replies, and metadata only for those who ask, as in Slack. */
  async #look(method: string, args: Args, token: string): Promise<Answer> {
    const answer = await this.#slack.call(method, args, token);
    if (!answer.ok) return answer;
    const all = answer.messages as Record<string, unknown>[];
    const withMetadata = String(args.include_all_metadata) === 'true';
    const shown = (messages: Record<string, unknown>[]) =>
      messages.map(({ metadata, ...message }) =>
        withMetadata && metadata !== undefined ? { ...message, metadata } : message,
      );
    if (method === 'conversations.history') return { ...answer, messages: shown(all) };
    if (all.length === 0) return no('thread_not_found');
    const first = Number(args.cursor ?? 0);
    const next = first + Number(args.limit ?? 1_000);
    const cursor = next < all.length ? String(next) : '';
    return {
      ...answer,
      messages: shown(all.slice(first, next)),
      has_more: cursor !== '',
      response_metadata: { next_cursor: cursor },
    };
  }

  #pin(method: string, { channel, timestamp }: Args): Answer {
    const pin = `${String(channel)}/${String(timestamp)}`;
    if (method === 'pins.remove') return this.pins.delete(pin) ? { ok: true } : no('no_pin');
    if (this.pins.has(pin)) return no('already_pinned');
    this.pins.add(pin);
    return { ok: true };
  }

  #openConnection(token: string): Answer {
    return token === APP_TOKEN
      ? { ok: true, url: this.#happenings.socketUrl() }
      : no('invalid_auth');
  }

  #exportManifest({ app_id }: Args, token: string): Answer {
    if (token !== CONFIG_TOKEN) return no('token_expired');
    return app_id === APP_ID ? { ok: true, manifest: this.manifest } : no('invalid_app_id');
  }

  #groupMembers({ usergroup }: Args): Answer {
    const users = this.#directory.groupMembers(String(usergroup));
    return users === undefined ? no('no_such_subteam') : { ok: true, users };
  }

  #account({ user }: Args, answer: Answer): Answer {
    const known = this.#directory.accounts.get(String(user));
    return known === undefined
      ? answer
      : { ...answer, user: { ...(answer.user as object), ...known } };
  }

  #note(method: string, args: Args, answer: Answer): void {
    if (method === 'views.open')
      this.#happenings.opened(String(args.trigger_id), answer.view as Record<string, unknown>);
    if (method === 'files.completeUploadExternal') this.#happenings.completed(args);
    if (method === 'views.publish') this.#happenings.published(String(args.user_id), args.view);
    if (method === 'chat.postEphemeral')
      this.#happenings.ephemeral({
        userId: String(args.user),
        channelId: String(args.channel),
        ...(args.thread_ts === undefined ? {} : { thread: String(args.thread_ts) }),
        text: String(args.text),
        blocks: args.blocks,
      });
  }
}

const no = (error: string, more: object = {}): Answer => ({ ok: false, error, ...more });
