import { describe, expect, it } from 'vitest';
import { DuplicateMentions } from '../../../src/bots/slack/duplicate-mentions.ts';

describe('two events of one post', () => {
  it('are one: the second is a twin, the first delivered again is not', () => {
    const duplicates = new DuplicateMentions();
    expect(duplicates.isDuplicate('C1:1', 'Ev1')).toBe(false);
    expect(duplicates.isDuplicate('C1:1', 'Ev2')).toBe(true);
    expect(duplicates.isDuplicate('C1:1', 'Ev1')).toBe(false);
    expect(duplicates.isDuplicate('C2:1', 'Ev2')).toBe(false);
  });

  it('are remembered for the last thousand posts', () => {
    const duplicates = new DuplicateMentions();
    for (let post = 0; post <= 1_000; post += 1) duplicates.isDuplicate(`${post}`, 'first');
    expect(duplicates.isDuplicate('1', 'second')).toBe(true);
    expect(duplicates.isDuplicate('0', 'second')).toBe(false);
  });
});
