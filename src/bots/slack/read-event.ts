import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { modalState, readPurpose } from './form-to-modal.ts';
import { textAsTyped, withIds } from './markup.ts';
import type { Identity } from './sdk.ts';

export type SlackEvent = {
  /** The same at each delivery of the event. */
  readonly eventId: string;
  readonly userId: string;
  /** What the event itself calls the person: a handle, most often. */
  readonly handle?: string | undefined;
  readonly channel: string;
  /** Parent `ts`; undefined outside threads. */
  readonly thread?: string | undefined;
  /** The thread has no message yet: Slack would not show an ephemeral one in it. */
  readonly isThreadEmpty?: boolean | undefined;
  /** Workspaces that the event names. */
  readonly teams: readonly (string | undefined)[];
  /** Opens one modal within 3 s. */
  readonly triggerId?: string | undefined;
  readonly responseUrl?: string | undefined;
  /** The message whose button was pressed. */
  readonly pressed?: { readonly ts: string; readonly ephemeral: boolean } | undefined;
};

/** Whether an event names another workspace than the bot's. */
export const isForeign = (teams: SlackEvent['teams'], { teamId }: Identity): boolean =>
  teams.some((team) => team !== undefined && team !== teamId);

/*
 * Each schema checks one kind of payload and picks the fields that are used. Unknown fields are dropped, because
 * Slack adds some; a missing id fails here and not in the middle of a payment.
 */

const optional = z.string().optional();
const team = z.object({ id: z.string() }).nullish();
const user = z.object({ id: z.string(), username: optional, name: optional, team_id: optional });
const actor = (who: z.output<typeof user>, where: z.output<typeof team>) => ({
  userId: who.id,
  handle: who.username ?? who.name,
  teams: [where?.id, who.team_id],
});

export const slashCommand = z
  .object({
    team_id: z.string(),
    channel_id: z.string(),
    user_id: z.string(),
    user_name: optional,
    command: z.string(),
    text: z.string().default(''),
    trigger_id: optional,
    response_url: optional,
  })
  .transform((typed) => ({
    command: typed.command,
    words: textAsTyped(withIds(typed.text)).trim(),
    event: {
      // The trigger is a command's event id; without one each delivery is a new event.
      eventId: `slack:${typed.trigger_id ?? randomUUID()}`,
      userId: typed.user_id,
      handle: typed.user_name,
      channel: typed.channel_id,
      teams: [typed.team_id],
      triggerId: typed.trigger_id,
      responseUrl: typed.response_url,
    } satisfies SlackEvent,
  }));

const element = z.object({ action_id: optional, value: optional });
const blocks = z
  .array(z.object({ elements: z.array(element).default([]), accessory: element.optional() }))
  .optional();

export const blockActions = z
  .object({
    team,
    user,
    channel: z.object({ id: z.string() }).optional(),
    container: z
      .object({
        message_ts: optional,
        channel_id: optional,
        thread_ts: optional,
        is_ephemeral: z.boolean().optional(),
      })
      .default({}),
    message: z.object({ ts: optional, thread_ts: optional, blocks }).optional(),
    view: z.object({ type: z.string(), blocks }).optional(),
    trigger_id: optional,
    response_url: optional,
    actions: z.tuple(
      [
        z.object({
          action_id: z.string(),
          action_ts: z.string().default(''),
          value: optional,
          url: optional,
        }),
      ],
      z.unknown(),
    ),
  })
  .transform(({ team, user, container, message, view, ...pressed }) => {
    const [{ action_id, action_ts, value, url }] = pressed.actions;
    const home = view?.type === 'home' ? user.id : undefined;
    const channel = pressed.channel?.id ?? container.channel_id ?? home;
    const ts = container.message_ts ?? message?.ts;
    const thread = container.thread_ts ?? message?.thread_ts;
    return {
      value: value ?? action_id,
      /** Slack reports presses of link buttons as well. */
      isLink: url !== undefined,
      /** What was pressed has this button, as far as Slack sends along what it has: not of a message for one person. */
      isThere:
        (message ?? view)?.blocks
          ?.flatMap(({ elements, accessory = {} }) => [...elements, accessory])
          .some((each) => each.action_id === action_id && each.value === value) ?? true,
      /** Undefined for a button in a modal. In App Home the conversation is the person's own. */
      event:
        channel === undefined
          ? undefined
          : ({
              ...actor(user, team),
              eventId: `slack:${user.id}:${ts}:${action_id}:${action_ts}`,
              channel,
              thread: thread === ts ? undefined : thread,
              triggerId: pressed.trigger_id,
              responseUrl: pressed.response_url,
              pressed:
                ts === undefined ? undefined : { ts, ephemeral: container.is_ephemeral === true },
            } satisfies SlackEvent),
    };
  });

/** A `shortcut`, or a `message_action` with its message. */
export const shortcut = z
  .object({
    team,
    user,
    callback_id: z.string(),
    trigger_id: optional,
    response_url: optional,
    channel: z.object({ id: z.string() }).optional(),
    message: z
      .object({ ts: z.string(), thread_ts: optional, text: z.string().default('') })
      .optional(),
  })
  .transform(({ team, user, channel, message, ...started }) => ({
    name: started.callback_id,
    /** Undefined: it was started on no message. */
    text: message && textAsTyped(message.text),
    event: {
      ...actor(user, team),
      eventId: `slack:${started.trigger_id ?? randomUUID()}`,
      // Started in no conversation, it is answered in the person's own.
      channel: channel?.id ?? user.id,
      thread: message?.thread_ts ?? message?.ts,
      isThreadEmpty: message && message.thread_ts === undefined,
      triggerId: started.trigger_id,
      responseUrl: started.response_url,
    } satisfies SlackEvent,
  }));

export const viewSubmission = z
  .object({
    team,
    user,
    view: z.object({
      id: z.string(),
      callback_id: z.string(),
      private_metadata: z.string(),
      title: z.object({ text: z.string() }).default({ text: 'Paythread' }),
      blocks: z.array(z.object({ block_id: optional })).default([]),
      state: z.object({ values: modalState }),
    }),
  })
  .transform(({ team, user, view }) => ({
    callbackId: view.callback_id,
    title: view.title.text,
    firstField: view.blocks[0]?.block_id ?? '',
    blocks: view.blocks.map(({ block_id: id }) => id),
    answers: view.state.values,
    purpose: readPurpose(view.private_metadata),
    /** The conversation is that of the purpose. */
    event: { ...actor(user, team), eventId: `slack:${view.id}` },
  }));

/** Of a file in Slack; absent parts: it is kept elsewhere, or deleted. */
const fileSaid = z.object({
  id: z.string(),
  name: z.string().nullish(),
  size: z.number().optional(),
  url_private_download: optional,
  url_private: optional,
});

/** An `app_mention` or a `message` with its envelope. */
export const messageEvent = z
  .object({
    team_id: z.string(),
    event_id: z.string(),
    /** The channel is shared with another company, or with one that is still to accept. */
    is_ext_shared_channel: z.boolean().default(false),
    event: z.object({
      ts: z.string(),
      channel: z.string(),
      channel_type: optional,
      thread_ts: optional,
      text: z.string().default(''),
      user: optional,
      user_profile: z.object({ display_name: optional, real_name: optional }).optional(),
      /** The author's team; another one in channels shared with other companies. */
      team: optional,
      user_team: optional,
      source_team: optional,
      subtype: optional,
      bot_id: optional,
      edited: z.unknown().optional(),
      files: z.array(fileSaid).default([]),
      hidden: z.boolean().optional(),
    }),
  })
  .transform(({ team_id, event_id, is_ext_shared_channel: isShared, event: said }) => ({
    isShared,
    isDirect: said.channel_type === 'im',
    byBot: said.bot_id !== undefined,
    /** No message newly typed but an edit, a join or the like. */
    isNotice:
      (said.subtype !== undefined && said.subtype !== 'file_share') ||
      said.edited !== undefined ||
      said.hidden === true,
    /** The same in the mention and in the message that one post can come as. */
    post: `${said.channel}:${said.ts}`,
    /** As Slack marks it up. */
    text: said.text,
    files: said.files.map((file) => ({
      name: file.name ?? 'file',
      size: file.size,
      url: file.url_private_download ?? file.url_private,
    })),
    event:
      said.user === undefined
        ? undefined
        : ({
            eventId: `slack:${event_id}`,
            userId: said.user,
            handle: said.user_profile?.display_name || said.user_profile?.real_name,
            channel: said.channel,
            // The parent of a thread names itself as its thread.
            thread: said.thread_ts === said.ts ? undefined : said.thread_ts,
            teams: [team_id, said.team, said.user_team, said.source_team],
          } satisfies SlackEvent),
  }));
export type MessageSaid = z.output<typeof messageEvent>;
export type FileSaid = MessageSaid['files'][number];

/** An `app_home_opened` with its envelope; the tab of messages is no home. */
export const homeOpened = z
  .object({
    team_id: z.string(),
    event: z.object({
      user: z.string(),
      tab: optional,
      view: z.object({ team_id: optional }).optional(),
    }),
  })
  .transform(({ team_id, event: { user, tab, view } }) => ({
    userId: user,
    isHome: tab === undefined || tab === 'home',
    teams: [team_id, view?.team_id],
  }));

/** A `member_joined_channel` with its envelope: a person or a bot has come into a channel. */
export const memberJoined = z
  .object({
    team_id: z.string(),
    is_ext_shared_channel: z.boolean().default(false),
    event: z.object({ user: z.string(), channel: z.string(), team: optional }),
  })
  .transform(({ team_id, is_ext_shared_channel: isShared, event: { user, channel, team } }) => ({
    isShared,
    userId: user,
    channel,
    teams: [team_id, team],
  }));
export type MemberJoined = z.output<typeof memberJoined>;

/** The id of the user group in a `subteam_members_changed` or a `subteam_updated`. */
export const groupChange = z
  .object({
    event: z.object({ subteam_id: optional, subteam: z.object({ id: z.string() }).optional() }),
  })
  .transform(({ event }) => event.subteam_id ?? event.subteam?.id);
