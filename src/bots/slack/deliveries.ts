import { assertNever } from '../../core/runtime/errors.ts';
import type { Delivery } from '../../core/values/conversation.ts';
import type { Failure } from './failure.ts';

const INVITE = 'Invite the bot with /invite @Paythread and type the command again.';
const ASK_ADMIN = 'Ask a workspace administrator to let Paythread post here.';
const OTHER_CHANNEL = 'Use another channel.';

/** Answers after which no further attempt can succeed, and what a person can do about it. */
const GONE: Readonly<Record<string, string | undefined>> = {
  not_in_channel: INVITE,
  channel_not_found: INVITE,
  is_archived: OTHER_CHANNEL,
  restricted_action: ASK_ADMIN,
  restricted_action_read_only_channel: ASK_ADMIN,
  restricted_action_thread_only_channel: ASK_ADMIN,
  restricted_action_non_threadable_channel: ASK_ADMIN,
  restricted_action_thread_locked: OTHER_CHANNEL,
  messages_tab_disabled: ASK_ADMIN,
  ekm_access_denied: ASK_ADMIN,
  team_access_not_granted: ASK_ADMIN,
  no_permission: ASK_ADMIN,
  cannot_dm_bot: undefined,
  user_not_found: undefined,
  user_disabled: undefined,
  user_not_visible: undefined,
  message_not_found: undefined,
  cant_update_message: undefined,
  edit_window_closed: undefined,
};

/** Answers about the message itself: as plain text it may still be taken. */
const CONTENT = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
]);

/** The thread is lost, the channel is not. */
const THREAD = new Set(['thread_not_found', 'cannot_reply_to_message']);

/** What a failed call means for the message it was to deliver. */
export const undelivered = (failure: Failure): Exclude<Delivery, { kind: 'delivered' }> => {
  switch (failure.kind) {
    case 'rateLimited':
      return failure;
    case 'not sent':
      return { kind: 'not sent', reason: failure.reason };
    case 'unclear':
      return failure;
    case 'said no':
      return afterNo(failure.code);
    default:
      return assertNever(failure);
  }
};

/** The operator can correct anything else, such as a revoked token or a missing scope, so it is tried again. */
const afterNo = (code: string): Exclude<Delivery, { kind: 'delivered' }> => {
  if (!Object.hasOwn(GONE, code)) return { kind: 'not sent', reason: `Slack says ${code}` };
  const remedy = GONE[code];
  const reason = `Slack says ${code}`;
  return remedy === undefined ? { kind: 'gone', reason } : { kind: 'gone', reason, remedy };
};

export const isAboutContent = (failure: Failure): boolean =>
  failure.kind === 'said no' && CONTENT.has(failure.code);

export const isAboutThread = (failure: Failure): boolean =>
  failure.kind === 'said no' && THREAD.has(failure.code);
