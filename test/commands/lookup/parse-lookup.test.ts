import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { understoodLookup } from '../../../src/commands/lookup.ts';
import { anyCharacter } from '../../support/hostile-text.ts';

const read = (words: string) => understoodLookup(words, { country: 'GH' });
const number = '024 412 3456';

describe('the words of /lookup', () => {
  it('are a number and perhaps a network', () => {
    expect(read('0244123456')).toEqual({ answers: { number }, problems: {} });
    expect(read('024 412 3456 Telecel Cash')).toEqual({
      answers: { number, network: 'VOD' },
      problems: {},
    });
    expect(read('0244123456 momo')).toEqual({ answers: { number }, problems: {} });
  });

  it('may be left out, for a form to ask', () => {
    expect(read(' ')).toEqual({ answers: {}, problems: {} });
    expect(read('mtn')).toEqual({ answers: { network: 'MTN' }, problems: {} });
  });

  it('are kept as far as they are understood, with what is wrong with the others', () => {
    const network = 'I do not know the network "glo". Write MTN, Telecel or AT.';
    expect(read('0244123456 glo')).toEqual({ answers: { number }, problems: { network } });
    expect(read('024412 glo')).toEqual({
      answers: { number: '024412' },
      problems: { number: expect.stringMatching(/too short/), network },
    });
  });

  it('are read or asked about, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        for (const problem of Object.values(read(text).problems)) expect(problem).not.toBe('');
      }),
      { numRuns: 1000 },
    );
  });
});
