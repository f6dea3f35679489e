import { beforeEach, describe, expect, it } from 'vitest';
import { type Rig, startRig, type Transport } from './bot-rig.ts';

describe.each<Transport>(['socket', 'http'])('an invitation over %s', (transport) => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig(transport);
  });

  it('is answered once, with an example to copy, however often Slack tells of it', async () => {
    await rig.slack.tells.join('sales');
    const greeting = await rig.slack.message('sales', /Hello, I am Paythread/);
    expect(greeting.text).toContain('/charge 0244123456 50');
    expect(greeting.thread).toBeUndefined();
    await rig.slack.tells.join('sales');
    const { bot } = rig;
    await bot.stop();
    expect(await rig.slack.messages('sales')).toHaveLength(1);
  });

  it('of a person, into a shared channel, or of another workspace is not answered', {
    tags: ['T6'],
  }, async () => {
    const foreign = { team: 'T0OTHER' };
    await rig.slack.tells.join('sales', { who: 'kofi' });
    await rig.slack.tells.join('sales', { envelope: { is_ext_shared_channel: true } });
    await rig.slack.tells.join('sales', { event: foreign });
    await rig.slack.tells.join('sales', { envelope: { team_id: 'T0OTHER' } });
    await rig.bot.stop();
    expect(await rig.slack.messages('sales')).toEqual([]);
  });
});
