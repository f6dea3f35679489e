import { z } from 'zod';
import { modalState } from './form-to-modal.ts';

/**
 * What Slack sends, as far as it is used here. Loose, because Slack adds fields; checked, because a
 * missing id must be noticed here and not in the middle of a payment.
 */

const team = z.looseObject({ id: z.string() }).nullish();

const user = z.looseObject({
  id: z.string(),
  username: z.string().optional(),
  name: z.string().optional(),
  team_id: z.string().optional(),
});

export const slashCommand = z.looseObject({
  team_id: z.string(),
  channel_id: z.string(),
  user_id: z.string(),
  user_name: z.string().optional(),
  command: z.string(),
  text: z.string().default(''),
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
});

export const blockActions = z.looseObject({
  team,
  user,
  channel: z.looseObject({ id: z.string() }).optional(),
  container: z
    .looseObject({
      message_ts: z.string().optional(),
      view_id: z.string().optional(),
      channel_id: z.string().optional(),
      thread_ts: z.string().optional(),
      is_ephemeral: z.boolean().optional(),
    })
    .default({}),
  message: z
    .looseObject({ ts: z.string().optional(), thread_ts: z.string().optional() })
    .optional(),
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  actions: z
    .array(
      z.looseObject({
        action_id: z.string(),
        action_ts: z.string().default(''),
        value: z.string().optional(),
        url: z.string().optional(),
      }),
    )
    .min(1),
});
export type BlockActions = z.infer<typeof blockActions>;

export const viewSubmission = z.looseObject({
  type: z.literal('view_submission'),
  team,
  user,
  view: z.looseObject({
    id: z.string(),
    callback_id: z.string(),
    private_metadata: z.string(),
    blocks: z.array(z.looseObject({ block_id: z.string().optional() })).default([]),
    state: z.looseObject({ values: modalState }),
  }),
});
export type ViewSubmission = z.infer<typeof viewSubmission>;

/** A `subteam_members_changed` or a `subteam_updated`, each of which names the user group in its own way. */
export const groupChange = z.looseObject({
  event: z.looseObject({
    subteam_id: z.string().optional(),
    subteam: z.looseObject({ id: z.string() }).optional(),
  }),
});

/** An `app_mention` or a `message` with its envelope. */
export const messageEvent = z.looseObject({
  team_id: z.string(),
  event_id: z.string(),
  /** The channel is shared with another company, or with one that is still to accept. */
  is_ext_shared_channel: z.boolean().optional(),
  event: z.looseObject({
    ts: z.string(),
    channel: z.string(),
    channel_type: z.string().optional(),
    thread_ts: z.string().optional(),
    text: z.string().default(''),
    user: z.string().optional(),
    user_profile: z
      .looseObject({ display_name: z.string().optional(), real_name: z.string().optional() })
      .optional(),
    /** The team of who wrote it; another one in channels shared with other companies. */
    team: z.string().optional(),
    user_team: z.string().optional(),
    source_team: z.string().optional(),
    subtype: z.string().optional(),
    bot_id: z.string().optional(),
    edited: z.unknown().optional(),
    hidden: z.boolean().optional(),
  }),
});
export type MessageEvent = z.infer<typeof messageEvent>;
