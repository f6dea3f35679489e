import type { Clock } from '../runtime/clock.ts';
import type { Alerts } from './alerts.ts';

const LOOK_EVERY_MS = 60_000;
/** Connections are lost and made again all day; a failure at two looks in a row is told. */
const LOOKS_UNTIL_TOLD = 2;

export type MonitoredPlatform = {
  readonly platform: string;
  /** Asks the platform whether it still takes our token, where nothing else would find out. Never rejects. */
  probe?(): Promise<void>;
  /** Undefined when it works, else what is missing. */
  notReady(): string | undefined;
};

/** Has the operators told when a chat platform has not worked for a minute or two, and when it works again. */
export const monitorPlatforms = async (
  {
    chats,
    clock,
    alerts,
  }: {
    chats: readonly MonitoredPlatform[];
    clock: Clock;
    /** Told after each start too: the process before may have told of a trouble that a new token mended. */
    alerts: Pick<Alerts, 'chatTrouble'>;
  },
  stop: AbortSignal,
): Promise<void> => {
  const seen = chats.map((chat) => ({ chat, badLooks: 0, maybeTold: true }));
  while (true) {
    await clock.sleep(LOOK_EVERY_MS, stop);
    if (stop.aborted) return;
    for (const each of seen) {
      const { platform } = each.chat;
      const reason = each.chat.notReady();
      each.badLooks = reason === undefined ? 0 : each.badLooks + 1;
      const isNews = reason === undefined ? each.maybeTold : each.badLooks === LOOKS_UNTIL_TOLD;
      if (!isNews) continue;
      each.maybeTold = reason !== undefined;
      alerts.chatTrouble(platform, reason);
    }
    // Not awaited: a platform without an answer would delay the stop. The next look sees the result.
    for (const chat of chats) void chat.probe?.();
  }
};
