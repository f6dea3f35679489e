import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLookup } from '../../../src/commands/lookup.ts';
import { anyCharacter } from '../../support/hostile-text.ts';

const read = (words: string) => parseLookup(words, { country: 'GH' });
const ama = { e164: '+233244123456', doubtful: false };

describe('the words of /lookup', () => {
  it('are a number and perhaps a network', () => {
    expect(read('0244123456')).toEqual({ ok: true, value: { number: ama } });
    expect(read('024 412 3456 Telecel Cash')).toEqual({
      ok: true,
      value: { number: ama, network: 'VOD' },
    });
    expect(read('0244123456 momo')).toEqual({ ok: true, value: { number: ama } });
  });

  it('may be left out, for a form to ask', () => {
    expect(read(' ')).toEqual({ ok: true, value: {} });
    expect(read('mtn')).toEqual({ ok: true, value: { network: 'MTN' } });
  });

  it('have an example that works when something is wrong', () => {
    const result = read('0244123456 glo');
    expect(!result.ok && result.problem.example).toBe('/lookup 0244123456 mtn');
    expect(read('0244123456 mtn')).toMatchObject({ ok: true, value: { network: 'MTN' } });
  });

  it('are read or asked about, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const result = read(text);
        if (!result.ok) expect(result.problem.message).not.toBe('');
      }),
      { numRuns: 1000 },
    );
  });
});
