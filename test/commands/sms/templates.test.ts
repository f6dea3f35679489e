import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filledIn, mostParts, templateNamed } from '../../../src/commands/sms/templates.ts';
import { openTemplates, readTemplates } from '../../../src/commands/sms/templates-file.ts';
import { partsOf } from '../../../src/core/sms/sms-parts.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const reading = { senderIds: ['SHOP', 'Second'], shop: 'Adjoa Stores' };
const problems = (text: string) => {
  const read = readTemplates(text, reading);
  return read.ok ? [] : read.problems;
};

describe('a file of templates', () => {
  it('is read by name, with or without capitals', () => {
    const read = readTemplates('receipt: { text: "Paid {amount}", from: Second }', reading);
    const templates = read.ok ? read.value : new Map();
    expect(templateNamed(templates, 'Receipt')).toEqual({
      name: 'receipt',
      text: 'Paid {amount}',
      from: 'Second',
    });
  });

  it.each(['', '# nothing yet', 'null'])('that says nothing has no templates: %j', (text) => {
    expect(readTemplates(text, reading)).toEqual({ ok: true, value: new Map() });
  });

  it('may name any sender id while SMS is off', () => {
    const text = 'receipt: { text: "Paid", from: ANY }';
    expect(readTemplates(text, { ...reading, senderIds: [] })).toMatchObject({ ok: true });
  });

  it.each([
    [
      'a: { text: "x" }\nreceipt: { text: "Paid {ammount}" }',
      /^line 2, receipt\.text: There is no field \{ammount\}/,
    ],
    ['receipt: { text: "Paid {amount" }', /^line 1, receipt\.text: There is no field \{\./],
    ['receipt: { text: "{Amount}" }', /no field \{Amount\}/],
    [
      'receipt: { text: "Paid", from: OTHER }',
      /^line 1, receipt\.from: SMS_SENDER_ID has no sender id "OTHER", only SHOP, Second/,
    ],
    ['receipt: { text: "  " }', /^line 1, receipt\.text: The text is empty/],
    ['receipt: { text: "\u200b\u0007" }', /The text is empty/],
    ['receipt: {}', /^line 1, receipt\.text: Expected a text in quotes/],
    ['receipt: { text: {amount} }', /receipt\.text: Expected a text in quotes/],
    ['receipt: "Paid"', /Expected text and from/],
    [
      'receipt: { text: "Paid", form: SHOP }',
      /There is nothing called "form" here, only text and from/,
    ],
    ['"two words": { text: "Paid" }', /A name begins with a letter and has letters/],
    [
      'receipt: { text: "a" }\nReceipt: { text: "b" }',
      /^line 2, Receipt: The name Receipt is used twice/,
    ],
    ['- receipt', /Expected names of templates/],
    ['receipt: { text: "Paid"\n', /^line \d/],
    [`receipt: { text: "${'x'.repeat(1_531)}" }`, /too long: up to 11 SMS/],
  ])('with a mistake is refused with its line: %s', (text, wanted) => {
    expect(problems(text).join('\n')).toMatch(wanted);
  });

  it('counts the longest values and not the text alone', () => {
    const text = `${'x'.repeat(1_480)} {name} {reference}`;
    expect(partsOf(text)).toBe(10);
    expect(problems(`receipt: { text: "${text}" }`).join('\n')).toMatch(/up to 11 SMS/);
    expect(mostParts({ text: '{name} {shop}' }, 'S'.repeat(160))).toBe(1);
    expect(mostParts({ text: '{link} {name} {shop}' }, 'S'.repeat(60))).toBe(2);
  });

  it('stops the start with 78 and every mistake, and is not missed when it is absent', async () => {
    const dir = await tempFolder();
    expect(await openTemplates(`${dir}/templates.yml`, reading)).toEqual(new Map());
    const file = join(dir, 'wrong.yml');
    await writeFile(file, 'a: { text: "" }\nb: { text: "{x}", from: NONE }');
    await expect(openTemplates(file, reading)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(
        /wrong\.yml is not right:\n {2}line 1, a\.text: .*\n {2}line 2, b\.text: .*\n {2}line 2, b\.from: /,
      ),
    });
    await expect(openTemplates(dir, reading)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('cannot be read'),
    });
  });
});

describe('a template', () => {
  const text = 'Dear {name}, {amount} for {reference}. {shop}';

  it('is filled in', () => {
    const values = { name: 'KOFI', amount: 'GHS 50.00', reference: 'Rent', shop: 'Adjoa Stores' };
    expect(filledIn({ text }, values)).toBe('Dear KOFI, GHS 50.00 for Rent. Adjoa Stores');
  });

  it('leaves out a field without a value', () => {
    expect(filledIn({ text: 'Pay {amount} {link} now' }, { amount: 'GHS 5.00' })).toBe(
      'Pay GHS 5.00 now',
    );
  });

  it('takes a value that looks like a field as it is', { tags: ['T42'] }, () => {
    expect(
      filledIn({ text: '{name} {reference}' }, { name: '{reference}', reference: '{link}' }),
    ).toBe('{reference} {link}');
  });

  it.each([
    ['KOFI\n\nWin 1000 now', 'KOFI Win 1000 now'],
    ['KO\u202eFI\u0007\u200b', 'KOFI'],
    ['K'.repeat(500), 'K'.repeat(40)],
    ['é'.repeat(50), 'é'.repeat(40)],
    ['$& $1', '$& $1'],
    ['Kɔjo Agyɛman 😀 “Ɔ” – 2', 'Kojo Agyeman "O" - 2'],
    ['王伟', ''],
  ])(
    'takes of %j what can be seen, on one line, and no more than 40 characters',
    { tags: ['T42'] },
    (name, shown) => {
      expect(filledIn({ text: '{name}' }, { name })).toBe(shown);
    },
  );

  it('costs no more because of a name in other letters, unless its own text has them', {
    tags: ['T42'],
  }, () => {
    const name = '😀'.repeat(50);
    expect(partsOf(filledIn({ text: `${'x'.repeat(150)}{name}` }, { name }))).toBe(1);
    expect(filledIn({ text: 'ɛ {name}' }, { name })).toBe(`ɛ ${'😀'.repeat(40)}`);
  });
});
