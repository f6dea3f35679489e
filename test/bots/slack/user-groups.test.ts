import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import { type Rig, startRig, type Transport } from './bot-rig.ts';

const MINUTE_MS = 60_000;

describe('who is in a user group', () => {
  let rig: Rig;
  let clock: ManualClock;
  let group: string;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig('http', { clock });
    group = rig.slack.groupId('finance');
  });

  const asked = () => rig.slack.calls('usergroups.users.list').length;

  it('is asked of Slack once in 5 minutes, however many want to know', async () => {
    const all = await Promise.all([1, 2, 3].map(() => rig.bot.membersOf(group)));
    expect(all.map((members) => [...members])).toEqual([1, 2, 3].map(() => [rig.kofi.id]));
    await clock.advance(5 * MINUTE_MS - 1);
    await rig.bot.membersOf(group);
    expect(asked()).toBe(1);
  });

  it('is forgotten after 5 minutes: who was taken out loses what the group grants', async () => {
    await rig.bot.membersOf(group);
    rig.slack.changeGroup('finance', ['ama']);
    await clock.advance(5 * MINUTE_MS);
    expect([...(await rig.bot.membersOf(group))]).toEqual([rig.ama.id]);
  });

  it('is unknown when Slack cannot tell: the old answer is not used', async () => {
    await rig.bot.membersOf(group);
    rig.slack.fail('usergroups.users.list', { kind: 'http', status: 500 }, 1);
    await clock.advance(5 * MINUTE_MS);
    await expect(rig.bot.membersOf(group)).rejects.toThrow(/S0FINANCE: Slack answered HTTP 500/);
    expect([...(await rig.bot.membersOf(group))]).toHaveLength(1);
  });

  it('is unknown for a group that does not exist', async () => {
    await expect(rig.bot.membersOf('S0NOBODY')).rejects.toThrow('no_such_subteam');
  });

  it('is asked anew when the clock was set back', async () => {
    await rig.bot.membersOf(group);
    clock.jump(-MINUTE_MS);
    await rig.bot.membersOf(group);
    expect(asked()).toBe(2);
  });
});

describe.each<Transport>(['socket', 'http'])(
  'a user group that changes, told over %s',
  (transport) => {
    let rig: Rig;
    let group: string;
    beforeEach(async () => {
      // Time stands still: nothing here is over by itself.
      rig = await startRig(transport, { clock: new ManualClock() });
      group = rig.slack.groupId('finance');
      expect([...(await rig.bot.membersOf(group))]).toEqual([rig.kofi.id]);
    });

    const isForgotten = () =>
      waitFor('another question', async () => {
        await rig.bot.membersOf(group);
        return rig.slack.calls('usergroups.users.list').length > 1 ? true : undefined;
      });

    it.each([
      ['its members', 'subteam_members_changed'],
      ['the group itself', 'subteam_updated'],
    ] as const)('is asked about anew at once: %s', async (_, type) => {
      expect((await rig.slack.tells.group('finance', ['ama'], type)).ok).toBe(true);
      await isForgotten();
      expect([...(await rig.bot.membersOf(group))]).toEqual([rig.ama.id]);
      expect(rig.slack.calls('usergroups.users.list')).toHaveLength(2);
    });

    it('is left as it is known when another group has changed', async () => {
      await rig.slack.tells.group('others', ['ama']);
      // Handled after it, so the change has been as well.
      await rig.ama.slash('sales', '/help');
      await waitFor('the command', () => (rig.inbound.seen.length > 0 ? true : undefined));
      await rig.bot.membersOf(group);
      expect(rig.slack.calls('usergroups.users.list')).toHaveLength(1);
    });
  },
);
