import type { MessageRef } from '../../core/values/conversation.ts';
import { whyFailed } from './failure.ts';
import type { SlackParts } from './sdk.ts';
import { TtlCache } from './slack-directory.ts';

/**
 * Tells the addresses of messages, which never change: each is asked once. Undefined when Slack gives none in time: a
 * message that names another is useful without its address. Never rejects.
 */
export const permalinks = ({ clients, clock, log }: SlackParts) => {
  const ask = async (key: string): Promise<string> => {
    const [channel = '', message_ts = ''] = key.split(' ');
    const { permalink } = await clients.quick.chat.getPermalink({ channel, message_ts });
    if (permalink === undefined) throw new Error('chat.getPermalink named no address');
    return permalink;
  };
  const known = new TtlCache({ ask, clock, ttlMs: Number.POSITIVE_INFINITY });
  return async ({ conversation, message }: MessageRef): Promise<string | undefined> => {
    try {
      return await known.answerFor(`${conversation.channel} ${message}`);
    } catch (error) {
      log.warn({ failure: whyFailed(error) }, 'no link to a message');
      return undefined;
    }
  };
};
