import { describe, expect, it } from 'vitest';
import { cardToMessage } from '../../../src/bots/slack/card-to-blocks.ts';
import type { Called, Card } from '../../../src/commands/cards/card.ts';

const card = (calls: readonly Called[], text = 'Sent to the others.', channel = 'C0FIN'): Card => ({
  title: 'Ama asks',
  calls,
  parts: [
    {
      kind: 'text',
      text,
      place: { words: 'the others', conversation: { platform: 'slack', channel } },
    },
  ],
});

describe('what comes alive in a message of Slack', () => {
  it('is a mention of each person and user group, in order, in the blocks and beside them', () => {
    const { text, blocks } = cardToMessage(
      card([
        { platform: 'slack', group: 'S0FIN' },
        { platform: 'slack', id: 'U0EFUA', name: 'approver' },
      ]),
    );
    expect(text).toMatch(/^<!subteam\^S0FIN> <@U0EFUA> Ama asks/);
    expect(JSON.stringify(blocks)).toContain('{"type":"usergroup","usergroup_id":"S0FIN"}');
    expect(JSON.stringify(blocks)).toContain('{"type":"user","user_id":"U0EFUA"}');
    expect(JSON.stringify(blocks)).toContain('{"type":"channel","channel_id":"C0FIN"}');
  });

  it.each(['!channel', 'S0> <!here', 's0fin', ''])('is nothing for a group called %j', (group) => {
    const { text, blocks } = cardToMessage(card([{ platform: 'slack', group }]));
    expect(text).not.toMatch(/[<>]/);
    expect(JSON.stringify(blocks)).not.toContain('usergroup');
  });

  it('is no channel for what certainly is none: then the words stand', () => {
    const { blocks } = cardToMessage(card([], 'Sent to the others.', 'D0AMA> <!here'));
    expect(JSON.stringify(blocks)).toContain('Sent to the others.');
    expect(JSON.stringify(blocks)).not.toContain('channel_id');
  });
});
