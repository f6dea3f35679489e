import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { RIGHTS } from '../../src/commands/all-commands.ts';
import type { Command } from '../../src/commands/command.ts';
import { grantable } from '../../src/commands/command-rights.ts';
import { openDesk } from '../support/desk.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';

let commands: readonly Command[];

beforeEach(async () => {
  const clock = new ManualClock();
  ({ commands } = openDesk(await openStore(), clock).engine);
});

describe('the list of commands', () => {
  it('lets a role grant every command but those for administrators', () => {
    expect(commands.filter(({ name }) => !grantable(RIGHTS).includes(name))).toEqual(
      commands.filter(({ right }) => right === 'administrators'),
    );
  });

  it('is the table of commands in README.md, each with what follows its name', () => {
    const [, section = ''] = readFileSync('README.md', 'utf8').split('## Commands\n');
    const [table = ''] = section.split(/\n\n(?!\|)/);
    const named = [...table.matchAll(/^\| (.*?) \| /gm)]
      .flatMap(([, cell = '']) => [
        ...cell.replaceAll(/ \(Slack: [^)]*\)/g, '').matchAll(/`\/([^`]+)`/g),
      ])
      .map(([, words = '']) => words.replaceAll('\\|', '|'));
    const typed = commands.map(({ name, usage }) => `${name} ${usage}`.trim());
    expect(named.map((words) => words.replaceAll('…', ''))).toEqual(
      typed.map((words) => words.replaceAll('…', '')),
    );
  });
});
