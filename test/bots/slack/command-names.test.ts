import { describe, expect, it } from 'vitest';
import { cardToMessage } from '../../../src/bots/slack/card-to-blocks.ts';
import { CommandNames, PLAIN_NAMES } from '../../../src/bots/slack/command-names.ts';
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
    expect(PLAIN_NAMES.text(text)).toBe(spelled);
    expect(PLAIN_NAMES.text(PLAIN_NAMES.text(text))).toBe(spelled);
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
    expect(PLAIN_NAMES.card(theirs)).toEqual(theirs);
  });

  it('is spelt in the hints of a form', () => {
    const field = { name: 'id', label: 'Id', hint: 'As in /status', check: () => never() };
    const form = { command: 'status', title: 'Check', submitLabel: 'Check', fields: [field] };
    const modal = formToModal(form, {}, { platform: 'slack', channel: 'C1' });
    expect(JSON.stringify(modal)).toContain('As in /paystatus');
  });
});

describe('with a prefix', () => {
  const names = new CommandNames('pay-');

  it.each([
    ['Ask with /status 01JD2M4X9QK7T3VB.', 'Ask with /pay-status 01JD2M4X9QK7T3VB.'],
    ['/help, /charge and /pay-charge', '/pay-help, /pay-charge and /pay-charge'],
    ['https://shop.example/charge, /charges', 'https://shop.example/charge, /charges'],
  ])('%s becomes %s, and stays that', (text, spelled) => {
    expect(names.text(text)).toBe(spelled);
    expect(names.text(spelled)).toBe(spelled);
  });

  it.each([
    ['/pay-charge', 'charge'],
    ['PAY-STATUS', 'status'],
    ['charge', 'charge'],
    ['paystatus', 'status'],
  ])('%s is %s', (typed, name) => {
    expect(names.nameOf(typed)).toBe(name);
    expect(names.isCommand(typed)).toBe(true);
  });
});

const never = (): never => {
  throw new Error('nothing is checked here');
};
