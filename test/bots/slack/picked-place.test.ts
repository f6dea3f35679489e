import type { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { placeProblem } from '../../../src/bots/slack/picked-place.ts';
import { SlackDirectory } from '../../../src/bots/slack/slack-directory.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLog } from '../../support/silent-log.ts';

/** A Slack that tells this of a channel, whose members come in these pages. */
const telling = (channel: object, ...pages: readonly (readonly string[])[]) => {
  const members = async ({ cursor = '0' }) => ({
    members: pages[Number(cursor)],
    response_metadata: {
      next_cursor: Number(cursor) + 1 < pages.length ? `${Number(cursor) + 1}` : '',
    },
  });
  const conversations = { info: async () => ({ channel }), members };
  const client = { conversations } as unknown as WebClient;
  const ask = () => placeProblem({ client, log: silentLog }, { userId: 'U1', channel: 'C1' });
  return { ask };
};

describe('a picked channel', () => {
  it('may have more than one page of members', { tags: ['T6'] }, async () => {
    expect(await telling({ is_member: true }, ['U2'], ['U3'], ['U1']).ask()).toBeUndefined();
    expect(await telling({ is_member: true }, ['U2'], ['U3']).ask()).toContain('You are not in');
  });

  it.each(['is_ext_shared', 'is_pending_ext_shared'])(
    'of another company is refused: %s',
    {
      tags: ['T6'],
    },
    async (flag) => {
      expect(await telling({ is_member: true, [flag]: true }, ['U1']).ask()).toContain(
        'Another company',
      );
    },
  );

  it.each([{}, { is_member: 'yes' }])(
    'of which Slack does not say whether the bot is in it is refused: %j',
    async (channel) => {
      expect(await telling(channel, ['U1']).ask()).toContain('Slack does not answer');
    },
  );
});

it('a person counts as in no channel while Slack does not tell its members', {
  tags: ['T6'],
}, async () => {
  const members = async () => {
    throw new Error('fetch_members_failed');
  };
  const client = { conversations: { members } } as unknown as WebClient;
  const teamId = async () => 'T1';
  const directory = new SlackDirectory({
    client,
    clock: new ManualClock(),
    log: silentLog,
    teamId,
  });
  expect(await directory.isInChannel('U1', 'C1')).toBe(false);
});
