import type { Clock } from '../runtime/clock.ts';

const LOOK_EVERY_MS = 60_000;
/** Connections are lost and made again all day; what lasts for two looks does not mend itself at once. */
const LOOKS_UNTIL_TOLD = 2;

/** What is watched of a chat platform. */
export type MonitoredPlatform = {
  readonly platform: string;
  /** Asks the platform whether it still takes our token, where nothing else would find out. Never rejects. */
  probe(): Promise<void>;
  /** Undefined when it works, else what is missing. */
  notReady(): string | undefined;
};

/** Tells when a chat platform has not worked for a minute or two, with the reason, and when it does again. */
export const monitorPlatforms = async (
  {
    chats,
    clock,
    tell,
  }: {
    chats: readonly MonitoredPlatform[];
    clock: Clock;
    /** Without a reason: it works. Told after a start too, because what a new token mends was told by the process before. */
    tell: (platform: string, reason: string | undefined) => void;
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
      tell(platform, reason);
    }
    // Not waited for, or a platform that does not answer would hold up the end; the next look sees what came of it.
    for (const chat of chats) void chat.probe();
  }
};
