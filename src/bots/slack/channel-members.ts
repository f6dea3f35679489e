import type { WebClient } from '@slack/web-api';

const PAGE = 1_000;
const MOST_PAGES = 10;

/** Whether a person is in a channel that the bot is in. Rejects with the SDK's errors, and for a channel of more than 10,000. */
export const isMember = async (
  client: WebClient,
  { userId, channel }: { readonly userId: string; readonly channel: string },
): Promise<boolean> => {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const position = cursor === undefined ? {} : { cursor };
    const answer = await client.conversations.members({ channel, limit: PAGE, ...position });
    if (answer.members?.includes(userId) === true) return true;
    cursor = answer.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === '') return false;
  }
  throw new Error('a channel has more members than are looked through');
};
