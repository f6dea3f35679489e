import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import { type Rig, startRig } from './bot-rig.ts';

const DAY_MS = 24 * 3_600_000;

describe('the name of a person in Slack', () => {
  let rig: Rig;
  let clock: ManualClock;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig('http', { clock });
    rig.slack.changeAccount('ama', {
      profile: { display_name: 'Ama M.', real_name: 'Ama Mensah' },
    });
  });

  const nextName = async (act: () => Promise<unknown>): Promise<string | undefined> => {
    const before = rig.inbound.seen.length;
    await act();
    const event = await waitFor('an event', () => rig.inbound.seen[before]);
    return event.inbound.caller.name;
  };
  const typed = () => nextName(() => rig.ama.slash('sales', '/charge', ''));
  const mentioned = () => nextName(() => rig.ama.mention('sales', 'whoami'));
  const asked = () => rig.slack.calls('users.info').length;

  it('is the one shown in the workspace, for a command as for a mention, asked once a day', async () => {
    expect(await typed()).toBe('Ama M.');
    expect(await mentioned()).toBe('Ama M.');
    expect(asked()).toBe(1);
    rig.slack.changeAccount('ama', { profile: { display_name: '', real_name: 'Ama Owusu' } });
    await clock.advance(DAY_MS - 1);
    expect(await typed()).toBe('Ama M.');
    await clock.advance(1);
    expect(await mentioned()).toBe('Ama Owusu');
    expect(asked()).toBe(2);
  });

  it('is the handle, or "someone" where the event has none, when Slack does not tell, and never an id', async () => {
    rig.slack.fail('users.info', { kind: 'error', error: 'missing_scope' }, 2);
    expect(await typed()).toBe('ama');
    expect(await mentioned()).toBe('someone');
    expect(await mentioned()).toBe('Ama M.');
  });

  it('of a reader is told for members of the channel and people with a direct chat, and not for accounts that are gone', async () => {
    const [channel, ama] = [await rig.slack.channelId('sales'), rig.ama.id];
    const reader = (place: string, id = ama) =>
      rig.bot.readerIn({ platform: 'slack', channel: place }, id);
    expect(await reader(channel)).toBe('Ama M.');
    expect(await reader(ama)).toBe('Ama M.');
    expect(await reader(channel, 'U0NOBODY')).toBeUndefined();
    rig.slack.changeAccount('ama', { profile: {}, real_name: '', name: '' });
    await clock.advance(DAY_MS);
    expect(await reader(ama)).toBe('');
    rig.slack.changeAccount('ama', { deleted: true });
    await clock.advance(DAY_MS);
    expect(await reader(ama)).toBeUndefined();
    rig.slack.fail('users.info', { kind: 'error', error: 'missing_scope' }, 5);
    await clock.advance(DAY_MS);
    expect(await reader(ama)).toBe('');
  });

  it('is the one of the account where the profile holds none', async () => {
    rig.slack.changeAccount('ama', { profile: {}, real_name: 'Ama Asante', name: 'ama.a' });
    expect(await typed()).toBe('Ama Asante');
    rig.slack.changeAccount('ama', { profile: {}, real_name: '', name: 'ama.a' });
    await clock.advance(DAY_MS);
    expect(await typed()).toBe('ama.a');
  });

  it('is "someone" where an event gives the id in the place of a handle', async () => {
    rig.slack.fail('users.info', { kind: 'error', error: 'missing_scope' }, 1);
    const event = { user_profile: { display_name: rig.ama.id } };
    expect(await nextName(() => rig.ama.mention('sales', 'whoami', { event }))).toBe('someone');
  });

  it('is not waited for longer than a second', async () => {
    rig.slack.fail('users.info', { kind: 'slow', ms: 60_000 }, 1);
    const name = typed();
    await waitFor('the question', () => (asked() === 1 && clock.sleeping > 0) || undefined);
    await clock.advance(1_000);
    expect(await name).toBe('ama');
  });
});
