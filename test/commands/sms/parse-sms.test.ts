import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSms } from '../../../src/commands/sms/parse-sms.ts';
import { parseRecipients } from '../../../src/commands/sms/recipient-list.ts';
import { cleanText } from '../../../src/core/sms/sms-parts.ts';
import { anyCharacter } from '../../support/hostile-text.ts';

const read = (words: string) => parseSms(words, { country: 'GH' });
const ama = { e164: '+233244123456', doubtful: false };
const kofi = { e164: '+233201234567', doubtful: false };

const problemOf = (words: string) => {
  const result = read(words);
  if (result.ok) throw new Error(`${words}: was read`);
  return result.problem;
};

describe('the words of /sms', () => {
  it('are numbers and a text', () => {
    expect(read('0244123456,0201234567 Hello')).toEqual({
      ok: true,
      value: { recipients: { numbers: [ama, kofi], leftOut: [] }, text: 'Hello' },
    });
  });

  it('may be left out, for a form to ask', () => {
    expect(read('')).toEqual({ ok: true, value: {} });
    expect(read('0244123456')).toEqual({
      ok: true,
      value: { recipients: { numbers: [ama], leftOut: [] } },
    });
  });

  it('may have spaces in and between the numbers', () => {
    for (const list of [
      '024 412 3456, 020 123 4567',
      '0244123456 ;0201234567',
      '0244123456,,\n0201234567',
    ])
      expect(read(`${list} Hello`)).toMatchObject({
        ok: true,
        value: { recipients: { numbers: [ama, kofi], leftOut: [] }, text: 'Hello' },
      });
  });

  it('keep the line breaks of the text, and its commas', () => {
    expect(read('0244123456 Hello Ama,\r\n\r\nyour order, the red one, is ready.\n')).toMatchObject(
      {
        ok: true,
        value: { text: 'Hello Ama,\n\nyour order, the red one, is ready.' },
      },
    );
  });

  it('name a number once', () => {
    expect(read('0244123456,+233244123456,024 412 3456 Hello')).toMatchObject({
      ok: true,
      value: { recipients: { numbers: [ama], leftOut: [] } },
    });
  });

  it('may begin the text with an amount', () => {
    expect(read('0244123456 50 GHS received, thank you')).toMatchObject({
      ok: true,
      value: { recipients: { numbers: [ama], leftOut: [] }, text: '50 GHS received, thank you' },
    });
  });

  it('name every number that is wrong when none is right', () => {
    expect(problemOf('O201234567,0302123456,12 Hello').message).toBe(
      'These are not mobile numbers: "O201234567", "0302123456", "12".',
    );
    expect(problemOf('0302123456 Hello').message).toContain('"0302123456": That is a landline');
    expect(problemOf(`${'123,'.repeat(24)}5 Hello`).message).toContain(' and 5 more');
  });

  it('leave out numbers that are wrong among others, and name them', () => {
    const numbers = Array.from({ length: 499 }, (_, at) => `024${String(4_000_000 + at)}`);
    const list = [...numbers.slice(0, 250), '02441234', ...numbers.slice(250)].join(',');
    const result = read(`${list} We open at 8.`);
    expect(result.ok && result.value).toMatchObject({
      recipients: { leftOut: ['02441234'] },
      text: 'We open at 8.',
    });
    expect(result.ok && result.value.recipients?.numbers).toHaveLength(499);
    expect(read('12,0244123456,O201234567,0302123456 Hello')).toEqual({
      ok: true,
      value: {
        recipients: { numbers: [ama], leftOut: ['12', 'O201234567', '0302123456'] },
        text: 'Hello',
      },
    });
  });

  it.each([
    ['0244123456,xyz hello', 'xyz'],
    ['0244123456, Hi', 'Hi'],
    ['0244123456, Hi, we are open', 'Hi'],
    ['0244123456;xyz', 'xyz'],
    ['0244123456, 50 cedis off today', '50'],
    ['0244123456, 2026, a new year', 'a'],
    ['0244123456,0201234 50 cedis off', '0201234'],
    ['0244123456,@kofi hello', '@kofi'],
  ])('%j is asked about: what stands after the comma is no number', (words, said) => {
    expect(problemOf(words).message).toBe(
      `"${said}" after the comma is not a phone number. If the text begins there, leave out the comma.`,
    );
  });

  it('do not send a number as text', () => {
    for (const words of ['0244123456 0201234567 Hello', '0244123456 and 020 123 4567 Hello'])
      expect(problemOf(words).message).toContain('commas between the numbers');
  });

  it('never hold a card number', () => {
    expect(problemOf('0244123456 4111-1111-1111-1111').message).toContain(
      'Never type card numbers',
    );
  });

  it('are read or asked about, whatever was typed', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('0244123456', '024', '412 3456', ',', ';', '\n', 'and', '50', '<tel:1|2>'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const result = read(pieces.join(' '));
        if (!result.ok) expect(result.problem.message).not.toBe('');
        else expect(result.value.text).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  it('are read or refused quickly, however long they are', () => {
    // Quadratic, it would take minutes; on a slow machine what is linear takes a second or two.
    const startedMs = performance.now();
    for (const piece of ['1', '1 ', '1,', ', ', '0244123456,', '0244123456 ', 'x ', '<tel:1|2>'])
      read(`0244123456 ${piece.repeat(4_000)}`);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });
});

describe('a list of recipients alone', () => {
  const list = (text: string) => parseRecipients(text, { country: 'GH' });

  it('has commas or line breaks between the numbers', () => {
    for (const text of [
      '0244123456,020 123 4567',
      '0244123456\n0201234567\n',
      '024 412 3456,\r\n0201234567,',
    ])
      expect(list(text)).toEqual({ ok: true, value: { numbers: [ama, kofi], leftOut: [] } });
  });

  it('names what else it holds, and leaves it out', () => {
    expect(list('Ama,0244123456\n77\n020 123 4567 Kofi')).toEqual({
      ok: true,
      value: { numbers: [ama], leftOut: ['Ama', '77', '020 123 4567 Kofi'] },
    });
  });

  it('holds a number', () => {
    for (const [text, message] of [
      ['', "Please give the customer's number."],
      [
        '0244123456 0201234567',
        'Please put commas between the numbers; I cannot read "0201234567".',
      ],
      ['0244123456 and others', 'Please put commas'],
      ['77', '"77" is too short'],
      ['77\nAma', 'These are not mobile numbers: "77", "Ama".'],
      ['4111 1111 1111 1111', 'Never type card numbers'],
    ] as const) {
      const result = list(text);
      expect(!result.ok && result.problem.message).toContain(message);
    }
  });
});

describe('the text of an SMS', () => {
  it('has plain spaces and line feeds, which cost least', () => {
    expect(cleanText('GHS\u00a050\u202fnow\r\nthanks\u2028bye')).toBe('GHS 50 now\nthanks\nbye');
  });

  it('loses what nobody can see, but not what joins letters and emoji', () => {
    expect(cleanText('a\u200b\u202eb\u0007\ufeffc')).toBe('abc');
    expect(cleanText('👩‍👧 ɛ₵')).toBe('👩‍👧 ɛ₵');
  });

  it('shows a link as it was typed', () => {
    const links =
      '<https://shop.example/a|shop.example/a> or <mailto:a@shop.example|a@shop.example>';
    expect(cleanText(`See ${links}`)).toBe('See shop.example/a or a@shop.example');
    expect(cleanText('<https://shop.example>')).toBe('https://shop.example');
  });

  it('is well formed', () => {
    expect(cleanText('a\ud83d')).toBe('a\ufffd');
  });
});
