import type { types } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Annotations } from '../../commands/forms/form.ts';
import type { Log } from '../../core/runtime/log.ts';
import { isChannel, plainText, textBlock } from './card-to-blocks.ts';
import { isMember } from './channel-members.ts';
import { refusalCode, whyFailed } from './failure.ts';
import { limits } from './limits.ts';

/** The block of a modal in which a person picks a channel; no field of a form has this name. */
export const PLACE = 'place.picked';
const HINT = 'The card goes there. Without a channel it goes to your chat with me.';

/** The list of channels of a form that asks where its command counts; none for other forms. */
export const placeBlocks = (
  { where }: Pick<Annotations, 'where'>,
  action_id: string,
): types.InputBlock[] => {
  if (where === undefined) return [];
  const { last = '' } = where;
  return [
    {
      type: 'input',
      block_id: PLACE,
      label: plainText('Channel', limits.inputLabel),
      hint: plainText(HINT, limits.inputHint),
      element: {
        type: 'conversations_select',
        action_id,
        placeholder: plainText('Pick a channel', limits.placeholder),
        filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
        ...(isChannel(last) ? { initial_conversation: last } : {}),
      },
      optional: true,
    },
  ];
};

const channelInfo = z.object({
  is_member: z.boolean(),
  is_archived: z.boolean().default(false),
  is_ext_shared: z.boolean().default(false),
  is_pending_ext_shared: z.boolean().default(false),
});

const INVITE = 'I am not in that channel. Invite me there with /invite @Paythread.';
const NOT_THERE = 'You are not in that channel. Pick one of your channels.';
const SHARED = 'Another company reads that channel. Pick one of your own.';
const ARCHIVED = 'That channel is archived. Pick another one.';
const NOT_PERMITTED = 'I may not see who is there. The owner can run npm run doctor.';
const NO_ANSWER = 'Slack does not answer now. Try again in a minute.';

export type Picked = { readonly userId: string; readonly channel: string };

/**
 * Why a command must not count in a channel that a person picked; undefined: it may. A channel grants rights to the
 * people who type there, so an unanswered question refuses it. Never rejects.
 */
export const placeProblem = async (
  { client, log }: { readonly client: WebClient; readonly log: Log },
  picked: Picked,
): Promise<string | undefined> => {
  const { channel } = picked;
  if (!isChannel(channel)) return NOT_THERE;
  try {
    const [told, isThere] = await Promise.all([
      client.conversations.info({ channel }),
      isMember(client, picked),
    ]);
    const info = channelInfo.parse(told.channel);
    if (!info.is_member) return INVITE;
    if (info.is_archived) return ARCHIVED;
    if (info.is_ext_shared || info.is_pending_ext_shared) return SHARED;
    return isThere ? undefined : NOT_THERE;
  } catch (error) {
    const code = refusalCode(error);
    if (code === 'channel_not_found' || code === 'not_in_channel') return INVITE;
    log.warn({ failure: whyFailed(error) }, 'a picked channel could not be asked about');
    return code === 'missing_scope' ? NOT_PERMITTED : NO_ANSWER;
  }
};

/** Says where to go on, in the place of the modal: a private question in another channel makes no sound. */
export const goOnThere = (title: string, channel: string): types.ModalView => {
  const place = { words: 'that channel', conversation: { platform: 'slack', channel } };
  const text = `Continue in ${place.words}. My answer is there. Only you see it.`;
  return {
    type: 'modal',
    title: plainText(title, limits.modalTitle),
    close: plainText('Close', limits.modalButton),
    blocks: [textBlock(text, place)],
  };
};
