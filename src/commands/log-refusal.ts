import type { Log } from '../core/runtime/log.ts';
import type { Inbound } from './inbound.ts';

/** For whoever looks into an attempt: who tried what and where, by ids, and nothing of what was typed. */
export const logRefusal = (
  log: Log,
  { caller: { platform, id, conversation }, eventId }: Inbound,
  what: string,
): void =>
  log.warn(
    {
      event: eventId,
      what,
      who: `${platform}:${id}`,
      where: `${platform}:${conversation.channel}`,
    },
    'refused: not granted',
  );
