import type { WebClient } from '@slack/web-api';

/** The bot's direct channel with each person, found once. */
export class DirectChannels {
  readonly #client: WebClient;
  readonly #channels = new Map<string, string>();

  constructor(client: WebClient) {
    this.#client = client;
  }

  /** Opens it when need be; rejects with the SDK's errors. */
  async channelOf(userId: string): Promise<string> {
    const known = this.#channels.get(userId);
    if (known !== undefined) return known;
    const { channel } = await this.#client.conversations.open({ users: userId });
    if (channel?.id === undefined) throw new Error('conversations.open named no channel');
    this.#channels.set(userId, channel.id);
    return channel.id;
  }
}

/** Whether a conversation names a person, which means the bot's direct channel with them. */
export const namesPerson = (channel: string): boolean => /^[UW]/.test(channel);
