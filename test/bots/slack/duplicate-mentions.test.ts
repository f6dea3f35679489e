import { describe, expect, it } from 'vitest';
import { PLAIN_NAMES } from '../../../src/bots/slack/command-names.ts';
import { Dispatcher } from '../../../src/bots/slack/dispatcher.ts';
import type { Surface } from '../../../src/commands/inbound.ts';
import { wrong } from '../../../src/core/runtime/errors.ts';
import { silentLog } from '../../support/silent-log.ts';
import { StubInbound } from '../stub-inbound.ts';

/** Delivers mentions by their event's id and their post's `ts`, and tells which came through. */
const mentions = () => {
  const inbound = new StubInbound();
  const dispatcher = new Dispatcher({
    identity: { teamId: 'T1', botId: 'B1', botUserId: 'UBOT' },
    inbound,
    surfaces: { surfaceFor: () => ({}) as Surface },
    directory: { nameOf: async () => 'Ama', groupChanged: () => {} },
    homes: { changed: () => {}, opened: () => {} },
    greet: async () => {},
    placeProblem: async () => undefined,
    fileOf: ({ name }) => ({ name, read: async () => wrong('none') }),
    names: PLAIN_NAMES,
    log: silentLog,
  });
  const deliver = (event_id: string, ts: string, channel = 'C1') =>
    dispatcher.mention({
      team_id: 'T1',
      event_id,
      event: { ts, channel, user: 'U1', text: `<@UBOT> ${event_id} ${ts}` },
    });
  return { deliver, inbound };
};

describe('two events of one post', () => {
  it('run the command of the first; the first delivered again is handed over again', async () => {
    const { deliver, inbound } = mentions();
    await deliver('Ev1', '1.0');
    await deliver('Ev2', '1.0');
    await deliver('Ev1', '1.0');
    await deliver('Ev2', '1.0', 'C2');
    expect(inbound.commands).toEqual(['Ev1 1.0', 'Ev1 1.0', 'Ev2 1.0']);
  });

  it('are known as such for the last thousand posts', async () => {
    const { deliver, inbound } = mentions();
    for (let post = 0; post <= 1_000; post += 1) await deliver('first', `${post}`);
    inbound.seen.length = 0;
    await deliver('second', '1');
    await deliver('second', '0');
    expect(inbound.commands).toEqual(['second 0']);
  });
});
