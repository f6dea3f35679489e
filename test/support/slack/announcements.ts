import type { Delivered, Payload } from './delivery.ts';
import { type Directory, groupId } from './directory.ts';
import { BOT_NAME } from './emulator.ts';
import type { Stage } from './stage.ts';

/** What Slack tells the app by itself, resolved once the app has acknowledged it. */
export class Announcements {
  readonly #stage: Stage;
  readonly #directory: Directory;

  constructor(stage: Stage, directory: Directory) {
    this.#stage = stage;
    this.#directory = directory;
  }

  /** Puts other people into a user group, and Slack tells the app of its members, or of all of it. */
  group(
    handle: string,
    members: readonly string[],
    type: 'subteam_members_changed' | 'subteam_updated' = 'subteam_members_changed',
  ): Promise<Delivered> {
    this.#directory.changeGroup(handle, members);
    const id = groupId(handle);
    return this.#stage.event(
      type === 'subteam_updated' ? { type, subteam: { id } } : { type, subteam_id: id },
    );
  }

  /** The bot, or a person by their name, has come into a channel, and Slack tells the app of it. */
  async join(
    channel: string,
    options: { who?: string; event?: Payload; envelope?: Payload } = {},
  ): Promise<Delivered> {
    const { who = BOT_NAME, event, envelope } = options;
    return this.#stage.event(
      {
        type: 'member_joined_channel',
        user: this.#directory.userId(who),
        channel: await this.#stage.channelId(channel),
        channel_type: 'C',
        team: this.#directory.teamId,
        inviter: this.#directory.userId(this.#directory.people[0] ?? BOT_NAME),
        ...event,
      },
      envelope,
    );
  }
}
