import type { Account } from './message.ts';

/** Stands for an administrator who writes with "Remain anonymous" on. */
export const ANONYMOUS: Account = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};

/** Stands for whoever writes in the name of a channel. */
export const AS_CHANNEL: Account = {
  id: 136_817_688,
  is_bot: true,
  first_name: 'Channel',
  username: 'Channel_Bot',
};

/** Telegram itself, which brings posts into the group that discusses a channel. */
export const SERVICE: Account = { id: 777_000, is_bot: false, first_name: 'Telegram' };

/** Somebody else's bot in the group. */
export const ROBOT: Account = {
  id: 55_000_055,
  is_bot: true,
  first_name: 'Robot',
  username: 'RobotBot',
};
