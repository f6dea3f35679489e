import { describe, expect, it, onTestFinished } from 'vitest';
import { monitorPlatforms } from '../../../src/core/notices/platform-monitor.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;

/** One chat that is watched, and what was told of it. */
const watched = () => {
  const clock = new ManualClock();
  const chat = { platform: 'slack', missing: undefined as string | undefined, probes: 0 };
  const told: (string | undefined)[] = [];
  const stopping = new AbortController();
  const watching = monitorPlatforms(
    {
      chats: [
        {
          platform: chat.platform,
          notReady: () => chat.missing,
          probe: async () => void chat.probes++,
        },
      ],
      clock,
      alerts: { chatTrouble: (platform, reason) => told.push(reason && `${platform}: ${reason}`) },
    },
    stopping.signal,
  );
  const stop = () => {
    stopping.abort();
    return watching;
  };
  onTestFinished(stop);
  const minutes = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute++) await clock.advance(MINUTE_MS);
  };
  return { chat, told, minutes, stop };
};

describe('a chat that is watched', () => {
  it('is asked every minute, and said to work once after a start', async () => {
    const { chat, told, minutes } = watched();
    await minutes(5);
    expect(chat.probes).toBe(5);
    expect(told).toEqual([undefined]);
  });

  it('is told of once when it has not worked for two looks, and once when it works again', {
    tags: ['F55'],
  }, async () => {
    const { chat, told, minutes } = watched();
    await minutes(1);
    chat.missing = 'token_revoked';
    await minutes(1);
    expect(told).toEqual([undefined]);
    await minutes(30);
    expect(told).toEqual([undefined, 'slack: token_revoked']);
    chat.missing = undefined;
    await minutes(30);
    expect(told).toEqual([undefined, 'slack: token_revoked', undefined]);
  });

  it('is not told of for a connection that is lost and made again', async () => {
    const { chat, told, minutes } = watched();
    await minutes(1);
    for (let loss = 0; loss < 5; loss++) {
      chat.missing = 'not connected';
      await minutes(1);
      chat.missing = undefined;
      await minutes(1);
    }
    expect(told).toEqual([undefined]);
  });

  it('is told of when it has not worked since the start', async () => {
    const { chat, told, minutes } = watched();
    chat.missing = 'cannot sign in';
    await minutes(3);
    expect(told).toEqual(['slack: cannot sign in']);
  });

  it('is let go of at once', async () => {
    const { told, stop } = watched();
    await stop();
    expect(told).toEqual([]);
  });
});
