import { describe, expect, it } from 'vitest';
import { cardToMessage } from '../../../src/bots/slack/card-to-blocks.ts';
import { spelledCard, spelledText } from '../../../src/bots/slack/command-names.ts';
import { formToModal } from '../../../src/bots/slack/form-to-modal.ts';
import type { Card } from '../../../src/commands/cards/card.ts';

describe('a command in a sentence shown in Slack', () => {
  it.each([
    ['Ask with /status 01JD2M4X9QK7T3VB.', 'Ask with /paystatus 01JD2M4X9QK7T3VB.'],
    ['/help', '/payhelp'],
    ['"/help" or (/status), /charge', '"/payhelp" or (/paystatus), /charge'],
    ['Type `/status`.', 'Type `/paystatus`.'],
    ['/paystatus and /payhelp', '/paystatus and /payhelp'],
    ['https://shop.example/status and a/help', 'https://shop.example/status and a/help'],
    ['/statuses, /help-desk', '/statuses, /help-desk'],
  ])('%s becomes %s, and stays that when it is spelt twice', (text, spelled) => {
    expect(spelledText(text)).toBe(spelled);
    expect(spelledText(spelledText(text))).toBe(spelled);
  });

  it('is spelt in every part of ours and in no words of a person', () => {
    const card: Card = {
      title: 'Try /help',
      parts: [
        { kind: 'text', text: '/status' },
        { kind: 'note', text: '/status' },
        { kind: 'warning', text: '/status' },
        { kind: 'example', text: '/status 01JD2M4X9QK7T3VB' },
        { kind: 'list', items: ['/status'] },
        { kind: 'facts', facts: [{ label: 'May use', value: '/status', namesCommands: true }] },
      ],
    };
    const { text, blocks } = cardToMessage(card);
    for (const shown of [text, JSON.stringify(blocks)]) {
      expect(shown).not.toMatch(/\/(status|help)\b/);
      expect(shown).toContain('/paystatus');
    }
    const theirs: Card = {
      title: 'SMS',
      parts: [
        { kind: 'quote', text: 'See /status' },
        { kind: 'facts', facts: [{ label: 'Reference', value: '/help' }] },
      ],
    };
    expect(spelledCard(theirs)).toEqual(theirs);
  });

  it('is spelt in the hints of a form', () => {
    const field = { name: 'id', label: 'Id', hint: 'As in /status', check: () => never() };
    const form = { command: 'status', title: 'Check', submitLabel: 'Check', fields: [field] };
    const modal = formToModal(form, {}, { platform: 'slack', channel: 'C1' });
    expect(JSON.stringify(modal)).toContain('As in /paystatus');
  });
});

const never = (): never => {
  throw new Error('nothing is checked here');
};
