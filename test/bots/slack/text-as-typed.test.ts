import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLAIN_NAMES } from '../../../src/bots/slack/command-names.ts';
import { afterMention, textAsTyped } from '../../../src/bots/slack/markup.ts';
import { firstWord } from '../../../src/commands/inbound.ts';
import { anyCharacter } from '../../support/hostile-text.ts';

describe('text as it was typed', () => {
  it.each([
    ['<tel:0244123456|0244123456> 50', '0244123456 50'],
    ['<mailto:ama@example.com|ama@example.com>', 'ama@example.com'],
    ['<https://example.com/?a=1&amp;b=2>', 'https://example.com/?a=1&b=2'],
    ['<http://example.com|example.com>', 'example.com'],
    ['<@U024BE7LH> and <@U024BE7LH|ama>', '@U024BE7LH and @ama'],
    ['<#C024BE7LR|sales> <!here> <!subteam^S0614TZR7|@finance>', '#sales @here @finance'],
    ['a &lt;b&gt; &amp;amp; c', 'a <b> &amp; c'],
    ['&lt;tel:1|2&gt;', '<tel:1|2>'],
    ['5 > 3 < 7', '5 > 3 < 7'],
  ])('reads %s as %s', (sent, typed) => {
    expect(textAsTyped(sent)).toBe(typed);
  });

  it('is what Slack’s escaping was made from, for any text', () => {
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(textAsTyped(escaped(text))).toBe(text);
      }),
    );
  });

  it('begins after the bot’s own mention', () => {
    expect(afterMention('hey <@U0BOT> charge <@U0BOT> 1', 'U0BOT')).toBe(' charge <@U0BOT> 1');
    expect(afterMention('<@U0BOT|paythread> help', 'U0BOT')).toBe(' help');
    expect(afterMention('<@U0OTHER> help', 'U0BOT')).toBe('<@U0OTHER> help');
  });

  it('splits off the first word and keeps the rest as it is', () => {
    expect(firstWord('  sms 0244 Hello  you\nthere ')).toEqual({
      word: 'sms',
      rest: '0244 Hello  you\nthere',
    });
    expect(firstWord('\u00a0help')).toEqual({ word: 'help', rest: '' });
    expect(firstWord(' \n')).toEqual({ word: '', rest: '' });
  });
});

describe('command names', () => {
  it.each([
    ['/paystatus', 'status'],
    ['PAYHELP', 'help'],
    ['status', 'status'],
    ['/Charge', 'charge'],
    ['//x', '/x'],
    ['constructor', 'constructor'],
  ])('knows %s as %s', (typed, name) => {
    expect(PLAIN_NAMES.nameOf(typed)).toBe(name);
  });

  it('knows a command from an answer', () => {
    expect(
      ['/x', 'charge', 'PayStatus', 'help'].map((word) => PLAIN_NAMES.isCommand(word)),
    ).not.toContain(false);
    expect(
      ['0244123456', 'yes', 'constructor', ''].map((word) => PLAIN_NAMES.isCommand(word)),
    ).not.toContain(true);
  });
});
