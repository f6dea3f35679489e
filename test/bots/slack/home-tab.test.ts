import { beforeEach, describe, expect, it } from 'vitest';
import type { Home } from '../../../src/commands/home.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import { type Rig, startRig, type Transport } from './bot-rig.ts';

describe.each<Transport>(['socket', 'http'])('a home over %s', (transport) => {
  let rig: Rig;
  let asked: string[];
  const clock = new ManualClock();
  beforeEach(async () => {
    asked = [];
    const homeOf = async ({ id }: { id: string }): Promise<Home> => {
      asked.push(id);
      const text = `${asked.length} <!channel> & *you*`;
      return {
        cards: [{ title: 'Today', parts: [{ kind: 'text', text }] }],
        approves: id === kofi().id,
      };
    };
    rig = await startRig(transport, { clock, bot: { homeOf } });
  });
  const ama = () => rig.ama;
  const kofi = () => rig.kofi;
  const published = () => rig.slack.calls('views.publish').length;

  it('is published when it is opened, for the person alone, with every text as it is', async () => {
    await ama().openHome();
    await ama().home(/Today\n1 <!channel> & \*you\*/);
    expect(kofi().homes()).toEqual([]);
    await ama().openHome({ tab: 'messages' });
    await clock.advance(60_000);
    expect(published()).toBe(1);
  });

  it('follows what changes at most once a minute, and loses no change', async () => {
    await ama().openHome();
    await ama().home(/1 /);
    const change = { people: [ama().id], approvals: false, rights: false };
    for (let count = 0; count < 5; count += 1) rig.bot.refreshHomes(change);
    await clock.advance(59_000);
    expect(published()).toBe(1);
    await clock.advance(1_000);
    await ama().home(/2 /);
    await clock.advance(300_000);
    rig.bot.refreshHomes(change);
    await ama().home(/3 /);
    expect(published()).toBe(3);
  });

  it('is shown anew at once when it is opened, and when rights change', async () => {
    await ama().openHome();
    await ama().home(/1 /);
    rig.bot.refreshHomes({ people: [ama().id], approvals: false, rights: false });
    await ama().openHome();
    await ama().home(/2 /);
    rig.bot.refreshHomes({ people: [], approvals: false, rights: true });
    await ama().home(/3 /);
    await clock.advance(60_000);
    expect(published()).toBe(3);
  });

  it('of an approver follows what waits for approval; nobody is told who never opened theirs', async () => {
    await kofi().openHome();
    await kofi().home(/1 /);
    await clock.advance(60_000);
    rig.bot.refreshHomes({ people: [ama().id], approvals: false, rights: false });
    rig.bot.refreshHomes({ people: [ama().id], approvals: true, rights: false });
    await kofi().home(/2 /);
    expect(ama().homes()).toEqual([]);
    expect(asked).toEqual([kofi().id, kofi().id]);
  });

  it('that Slack refuses is tried again at the next change, and holds up no message', async () => {
    rig.slack.fail('views.publish', { kind: 'http', status: 500 }, 1);
    await ama().openHome();
    await waitFor('a refused home', () => (published() === 1 ? true : undefined));
    expect(rig.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
    await clock.advance(60_000);
    expect(published()).toBe(1);
    rig.bot.refreshHomes({ people: [ama().id], approvals: false, rights: false });
    await ama().home(/2 /);
  });

  it('of a person of another workspace is not shown', { tags: ['T6'] }, async () => {
    await ama().openHome({ envelope: { team_id: 'T0OTHER' } });
    await clock.advance(60_000);
    expect([published(), asked]).toEqual([0, []]);
  });
});
