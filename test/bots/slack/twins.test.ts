import { describe, expect, it } from 'vitest';
import { Twins } from '../../../src/bots/slack/twins.ts';

describe('two events of one post', () => {
  it('are one: the second is a twin, the first delivered again is not', () => {
    const twins = new Twins();
    expect(twins.isTwin('C1:1', 'Ev1')).toBe(false);
    expect(twins.isTwin('C1:1', 'Ev2')).toBe(true);
    expect(twins.isTwin('C1:1', 'Ev1')).toBe(false);
    expect(twins.isTwin('C2:1', 'Ev2')).toBe(false);
  });

  it('are remembered for the last thousand posts', () => {
    const twins = new Twins();
    for (let post = 0; post <= 1_000; post += 1) twins.isTwin(`${post}`, 'first');
    expect(twins.isTwin('1', 'second')).toBe(true);
    expect(twins.isTwin('0', 'second')).toBe(false);
  });
});
