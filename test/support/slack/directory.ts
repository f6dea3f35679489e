import { BOT_NAME, BOT_TOKEN, BOT_USER_ID, type EmulatedSlack, tokenOf } from './emulator.ts';

export type ChannelSetup = {
  readonly name: string;
  /** Everybody when left out. */
  readonly members?: readonly string[];
  /** Whether the bot was invited. @default true */
  readonly bot?: boolean;
  readonly private?: boolean;
};

/** A user group: what the access file names as `slack:S…`. */
export type GroupSetup = { readonly handle: string; readonly members: readonly string[] };

export type KnownChannel = Required<ChannelSetup> & { readonly id: string };

/** Who and what there is: names for tests, ids for Slack. */
export class Directory {
  readonly teamId: string;
  readonly #userIds: ReadonlyMap<string, string>;
  readonly #channels: ReadonlyMap<string, KnownChannel>;
  readonly #groups: Map<string, readonly string[]>;

  private constructor(
    teamId: string,
    userIds: ReadonlyMap<string, string>,
    channels: ReadonlyMap<string, KnownChannel>,
    groups: readonly GroupSetup[],
  ) {
    this.teamId = teamId;
    this.#userIds = userIds;
    this.#channels = channels;
    this.#groups = new Map(groups.map(({ handle, members }) => [groupId(handle), members]));
  }

  static async create(
    slack: EmulatedSlack,
    people: readonly string[],
    channels: readonly ChannelSetup[],
    groups: readonly GroupSetup[],
  ): Promise<Directory> {
    const ids = new Map([[BOT_NAME, BOT_USER_ID]]);
    let teamId = '';
    for (const name of people) {
      const who = await slack.must('auth.test', {}, tokenOf(name));
      ids.set(name, String(who.user_id));
      teamId = String(who.team_id);
    }
    const known = new Map<string, KnownChannel>();
    for (const setup of channels) {
      const channel = { bot: true, private: false, members: people, ...setup };
      const id = await createChannel(slack, channel, ids);
      known.set(channel.name, { ...channel, id });
    }
    return new Directory(teamId, ids, known, groups);
  }

  get people(): string[] {
    return [...this.#userIds.keys()].filter((name) => name !== BOT_NAME);
  }

  userId(name: string): string {
    const id = this.#userIds.get(name);
    if (id === undefined) throw new Error(`nobody is called ${name}`);
    return id;
  }

  nameOf(userId: string): string {
    for (const [name, id] of this.#userIds) if (id === userId) return name;
    return userId;
  }

  channel(name: string): KnownChannel {
    const channel = this.#channels.get(name);
    if (channel === undefined) throw new Error(`there is no channel #${name}`);
    return channel;
  }

  channelById(id: string): KnownChannel | undefined {
    return [...this.#channels.values()].find((channel) => channel.id === id);
  }

  /** Ids of a user group's members; undefined when there is no such group. */
  groupMembers(id: string): string[] | undefined {
    return this.#groups.get(id)?.map((name) => this.userId(name));
  }

  /** What `users.info` says of a person beside what the emulator knows. */
  readonly accounts = new Map<string, Readonly<Record<string, unknown>>>();

  changeGroup(handle: string, members: readonly string[]): void {
    this.#groups.set(groupId(handle), members);
  }
}

/** A user group's id: what stands after `slack:` in an access file. */
export const groupId = (handle: string): string =>
  `S0${handle.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`;

const createChannel = async (
  slack: EmulatedSlack,
  channel: Required<ChannelSetup>,
  ids: ReadonlyMap<string, string>,
): Promise<string> => {
  const [creator, ...others] = channel.members;
  if (creator === undefined) throw new Error(`#${channel.name} needs a member`);
  const token = tokenOf(creator);
  const created = await slack.must(
    'conversations.create',
    { name: channel.name, is_private: channel.private },
    token,
  );
  const { id } = created.channel as { id: string };
  const invited = others.map((name) => ids.get(name) ?? '');
  if (channel.bot) invited.push(BOT_USER_ID);
  if (invited.length > 0)
    await slack.must('conversations.invite', { channel: id, users: invited.join(',') }, token);
  return id;
};

/** A direct channel between a person and the bot. */
export const openDirect = async (slack: EmulatedSlack, userId: string): Promise<string> => {
  const opened = await slack.must('conversations.open', { users: userId }, BOT_TOKEN);
  return (opened.channel as { id: string }).id;
};
