import { describe, expect, it } from 'vitest';
import { namePattern, numberPattern } from '../../../src/core/privacy/written-forms.ts';

const KOFI = '+233244123456';

describe('a number as people and services write it', () => {
  const erased = (text: string, bare = true) => text.replace(numberPattern(KOFI, { bare }), '#');

  it.each([
    ['0244123456', '#'],
    ['233244123456', '#'],
    ['+233244123456', '#'],
    ['00233244123456', '#'],
    ['+233 24 412 3456', '#'],
    ['+233 (0)24-412-3456', '#'],
    ['024 412 3456.', '#.'],
    ['024\u2011412\u20113456', '#'],
    ['244123456', '#'],
    ['24 412 3456', '#'],
    ['{"msisdn":233244123456,"n":"0244123456"}', '{"msisdn":#,"n":"#"}'],
    ['msisdn=%2B233244123456&to=%200244%20123456', 'msisdn=#&to=%20#'],
    ['a\\u0020b\\u00200244123456', 'a\\u0020b\\u0020#'],
    ['line\\n0244123456\\tend', 'line\\n#\\tend'],
    ['pays 0244123456,0244123456', 'pays #,#'],
  ])('%s becomes %s', (text, wanted) => {
    expect(erased(text)).toBe(wanted);
  });

  it.each([
    '0244123457',
    '10244123456',
    '02441234567',
    '2332441234567',
    '1244123456',
    '2441 23 45',
    '1793000244123456',
    '0244 is not 123456789',
  ])('%s stays', (text) => {
    expect(erased(text)).toBe(text);
  });

  it('may be told from an id that has only its last digits', () => {
    expect(erased('telegram:244123456', false)).toBe('telegram:244123456');
    expect(erased('of 0244123456', false)).toBe('of #');
  });

  it('is known of other countries, with their own digit in front or none', () => {
    const french = numberPattern('+33612345678', { bare: false });
    expect('06 12 34 56 78, +33 6 12 34 56 78'.replace(french, '#')).toBe('#, #');
    const danish = numberPattern('+4520123456', { bare: false });
    expect('20 12 34 56 and +4520123456'.replace(danish, '#')).toBe('# and #');
    expect(() => numberPattern('0244123456', { bare: true })).toThrow(RangeError);
  });
});

describe('a name as it stands in a text', () => {
  const erased = (text: string, ...names: string[]) => {
    const pattern = namePattern(names.length === 0 ? ['KOFI MENSAH'] : names);
    return pattern === undefined ? text : text.replace(pattern, '#');
  };

  it.each([
    ['KOFI MENSAH', '#'],
    ['Dear Kofi Mensah, thank you', 'Dear #, thank you'],
    ['MENSAH, KOFI', '#'],
    ['kofi  mensah', '#'],
    ['name=Kofi+Mensah&x', 'name=#&x'],
    ['name=Mensah%20Kofi', 'name=#'],
    ['"Kofi\\u0020Mensah"', '"#"'],
    ['x%2CKofi Mensah', 'x%2C#'],
    ['\\nKofi Mensah', '\\n#'],
  ])('%s becomes %s', (text, wanted) => {
    expect(erased(text)).toBe(wanted);
  });

  it.each(['Kofi', 'Mensah', 'Kofi B. Mensahs', 'Kofimensah', 'KOFI and MENSAH'])(
    '%s stays: it may be anybody, or any word',
    (text) => {
      expect(erased(text)).toBe(text);
    },
  );

  it('may have any letters, and be all of one word', () => {
    expect(erased('Paid by Éva', 'ÉVA')).toBe('Paid by #');
    expect(erased('{"n":"\\u00c9VA SZAB\\u00d3"}', 'ÉVA SZABÓ')).toBe('{"n":"#"}');
    expect(erased('n=%C3%89VA%20SZAB%C3%93', 'ÉVA SZABÓ')).toBe('n=#');
    expect(erased('a (b+) c', '(b+)')).toBe('a # c');
    expect(erased('half \ud83d', '\ud83d')).toBe('half #');
  });

  it('is looked for only where there is one', () => {
    expect(namePattern([])).toBeUndefined();
    expect(namePattern([' . '])).toBeUndefined();
  });
});
