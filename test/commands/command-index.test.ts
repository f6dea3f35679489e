import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/command.ts';
import { commandIndex } from '../../src/commands/command-index.ts';

const named = (name: string, verb: string): Command => ({
  name,
  right: 'granted',
  summary: 'Does it',
  deed: 'do it',
  usage: '',
  examples: [''],
  run: async () => {},
  presses: { [verb]: { run: async () => {} } },
});

describe('the index of commands', () => {
  it('finds a command by its button', () => {
    const index = commandIndex([named('charge', 'ask'), named('close', 'shut')]);
    expect(index.presses.get('shut')?.command.name).toBe('close');
  });

  it('is refused where two commands have the same button', () => {
    expect(() => commandIndex([named('charge', 'ask'), named('close', 'ask')])).toThrow(
      'Two commands have the same "ask".',
    );
  });

  it.each(['correct', 'retype', 'form.cancel', 'form.more'])(
    'is refused where a command has the button %s, which belongs to forms',
    (verb) => {
      expect(() => commandIndex([named('charge', verb)])).toThrow(
        `Forms have the button "${verb}" already.`,
      );
    },
  );
});
