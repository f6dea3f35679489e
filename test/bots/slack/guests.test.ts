import { beforeEach, describe, expect, it } from 'vitest';
import { createSlackDirectory } from '../../../src/bots/slack/slack-directory.ts';
import { NotPermittedError } from '../../../src/commands/access/role-membership.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLog } from '../../support/silent-log.ts';
import { type Rig, startRig } from './bot-rig.ts';

describe('whether somebody is a guest', () => {
  let rig: Rig;
  let clock: ManualClock;
  let ama: string;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig('http', { clock });
    ama = rig.ama.id;
  });

  const asked = () => rig.slack.calls('users.info').length;

  it('is said of nobody who is a full member', async () => {
    expect(await rig.bot.isGuest(ama)).toBe(false);
    rig.slack.changeAccount('kofi', { name: 'guest', real_name: 'is_restricted' });
    expect(await rig.bot.isGuest(rig.kofi.id)).toBe(false);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a guest of several channels', { is_restricted: true }],
    ['a guest of one channel', { is_restricted: true, is_ultra_restricted: true }],
    ['somebody of another company', { is_stranger: true }],
    ['a member of another workspace', { team_id: 'T0OTHER' }],
    [
      'a member of other workspaces of the organisation',
      { team_id: 'T0OTHER', enterprise_user: { teams: ['T0OTHER', 'T0THIRD'] } },
    ],
    ['an app', { is_bot: true }],
    ['a closed account', { deleted: true }],
  ])('is said of %s', async (_, account) => {
    rig.slack.changeAccount('ama', account);
    expect(await rig.bot.isGuest(ama)).toBe(true);
  });

  it('is not said of a member whose organisation has several workspaces', async () => {
    const teams = ['T0OTHER', rig.slack.teamId];
    rig.slack.changeAccount('ama', { team_id: 'T0OTHER', enterprise_user: { id: ama, teams } });
    expect(await rig.bot.isGuest(ama)).toBe(false);
  });

  it('is asked of Slack once in 5 minutes', async () => {
    await Promise.all([1, 2, 3].map(() => rig.bot.isGuest(ama)));
    await clock.advance(5 * 60_000 - 1);
    await rig.bot.isGuest(ama);
    expect(asked()).toBe(1);
    rig.slack.changeAccount('ama', { is_restricted: true });
    await clock.advance(1);
    expect(await rig.bot.isGuest(ama)).toBe(true);
  });

  it.each([
    ['fails', { kind: 'http', status: 500 }],
    ['asks for patience', { kind: 'rateLimited' }],
    ['does not know the person', { kind: 'error', error: 'user_not_found' }],
    ['does not answer', { kind: 'cut before' }],
  ] as const)('is unknown when Slack %s', async (_, fault) => {
    rig.slack.fail('users.info', fault, 1);
    await expect(rig.bot.isGuest(ama)).rejects.toThrow(`Slack does not say whether ${ama}`);
    expect(await rig.bot.isGuest(ama)).toBe(false);
  });

  it('is unknown to an app that was installed without the scope', { tags: ['T6'] }, async () => {
    rig.slack.fail('users.info', { kind: 'error', error: 'missing_scope' }, 1);
    await expect(rig.bot.isGuest(ama)).rejects.toThrow(NotPermittedError);
  });

  it('is said of nobody by a development server that knows no accounts', async () => {
    rig.slack.fail('users.info', { kind: 'error', error: 'unknown_method' }, 1);
    expect(await rig.bot.isGuest(ama)).toBe(false);
  });

  it('is also said where no bot runs, once Slack has said which workspace the token is for', async () => {
    const { apiUrl, botToken } = rig.slack;
    const directory = createSlackDirectory({ apiUrl, botToken, clock, log: silentLog });
    rig.slack.fail('auth.test', { kind: 'error', error: 'invalid_auth' }, 1);
    await expect(directory.isGuest(ama)).rejects.toThrow('which workspace this is');
    expect(await directory.isGuest(ama)).toBe(false);
    rig.slack.changeAccount('kofi', { team_id: 'T0OTHER' });
    expect(await directory.isGuest(rig.kofi.id)).toBe(true);
  });
});
