import type { Caller } from '../../../src/commands/inbound.ts';

const seat = (platform: string, id: string, name: string, channel: string): Caller => ({
  platform,
  id,
  name,
  conversation: { platform, channel },
});

export const SEATS: readonly Caller[] = [
  seat('slack', 'U1AMA', 'Ama', 'C1SALES'),
  seat('slack', 'U2KOJO', 'Kojo', 'C1SALES'),
  seat('telegram', '301', 'Esi', '-1001'),
  seat('telegram', '302', 'Yaw', '-1001'),
];

/** Whom the access file does not name. */
export const STRANGERS: readonly Caller[] = [
  seat('slack', 'U5KWAME', 'Kwame', 'C1SALES'),
  seat('telegram', '305', 'Efua', '-1001'),
];

/** In the chats and without any right. */
export const FORGERS: readonly Caller[] = [
  seat('slack', 'U8MALLORY', 'Mallory', 'C1SALES'),
  seat('telegram', '308', 'Trudy', '-1001'),
];

/** Where the sellers sit, and the conversation of the operators. */
export const CHANNELS = { slack: 'C1SALES', telegram: '-1001', operators: 'C9OPS' } as const;

export const ADMINISTRATOR = seat('slack', 'U9ADWOA', 'Adwoa', CHANNELS.operators);

/** By the name of the merchant. */
export const SERVICE_IDS: Readonly<Record<string, number>> = { osu: 7, tema: 8 };
