import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardToAlert, cardToHtml } from '../../../src/bots/telegram/card-to-html.ts';
import type { Card, CardPart } from '../../../src/commands/cards/card.ts';
import { anyCharacter } from '../../support/hostile-text.ts';
import { detectEntities } from '../../support/telegram/detect-entities.ts';
import { parseHtml } from '../../support/telegram/html.ts';

const cardOf = (...parts: CardPart[]): Card => ({ title: 'A title', parts });

const nasty = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(
    '<b>bold</b>',
    '</b></i></blockquote>',
    '<a href="tg://user?id=1">Boss</a>',
    '&lt;b&gt; & &amp;#60;',
    '"><script>',
    'call @finance_boss now',
    '\u202Eevil\u202C',
    'a\u0000b\u001B[31m',
    '\uD800 lone',
  ),
);
const parts = fc.array(
  fc.oneof(
    nasty.map((text): CardPart => ({ kind: 'text', text })),
    nasty.map((text): CardPart => ({ kind: 'warning', text })),
    nasty.map((text): CardPart => ({ kind: 'note', text })),
    nasty.map((text): CardPart => ({ kind: 'quote', text })),
    nasty.map((text): CardPart => ({ kind: 'example', text })),
    fc
      .tuple(nasty, nasty)
      .map(([label, value]): CardPart => ({ kind: 'facts', facts: [{ label, value }] })),
    fc.array(nasty, { maxLength: 3 }).map((items): CardPart => ({ kind: 'list', items })),
  ),
  { maxLength: 6 },
);
const cards = fc.record({ title: nasty, parts });
/** The only marks a card without a mention may carry. */
const OURS = new Set(['bold', 'italic', 'code', 'blockquote']);

describe('a card in Telegram', () => {
  it('shows every kind of part', () => {
    const { html } = cardToHtml({
      title: 'GHS 50.00 · completed',
      tone: 'good',
      mention: { platform: 'telegram', id: '42', name: 'Ama' },
      parts: [
        {
          kind: 'facts',
          facts: [
            { label: 'Customer', value: 'Kofi' },
            { label: 'Network', value: 'MTN' },
          ],
        },
        { kind: 'text', text: 'Paid.' },
        { kind: 'warning', text: 'Careful' },
        { kind: 'note', text: 'small' },
        { kind: 'example', text: '/charge 0244123456 50' },
        { kind: 'quote', text: 'Dear customer' },
        { kind: 'list', items: ['one', 'two'] },
      ],
    });
    expect(html).toBe(
      [
        '<a href="tg://user?id=42">Ama</a> ✅ <b>GHS 50.00 · completed</b>',
        '<b>Customer: </b>Kofi<b>\nNetwork: </b>MTN',
        'Paid.',
        '⚠️ <b>Careful</b>',
        '<i>small</i>',
        '<code>/charge 0244123456 50</code>',
        '<blockquote>Dear customer</blockquote>',
        '• one\n• two',
      ].join('\n\n'),
    );
  });

  it('shows what is to be copied in monospace, and numbers the lines that buttons name', () => {
    const { html } = cardToHtml({
      title: 'x',
      parts: [
        { kind: 'facts', facts: [{ label: 'Transaction', value: '01<JD', code: true }] },
        { kind: 'list', numbered: 1, items: [{ text: 'GHS 50.00 ·', code: '01JD' }, 'two'] },
      ],
    });
    expect(html).toBe(
      [
        '<b>x</b>',
        '<b>Transaction: </b><code>01&lt;JD</code>',
        '1. GHS 50.00 · <code>01JD</code>\n2. two',
      ].join('\n\n'),
    );
  });

  it('has the line of facts right under the title, with the id in monospace', () => {
    const { html } = cardToHtml({
      title: 'pending',
      parts: [
        { kind: 'line', item: { text: '024 *** 3456 · MTN', code: '01<JD' } },
        { kind: 'text', text: 'Wait.' },
      ],
    });
    expect(html).toBe('<b>pending</b>\n024 *** 3456 · MTN <code>01&lt;JD</code>\n\nWait.');
  });

  it('calls several people, and shows the id beside a name that anybody may take', () => {
    const ama = { platform: 'telegram', id: '42', name: 'Ama' };
    const kojo = { platform: 'slack', id: 'U0KOJO', name: 'Ama' };
    const { plain, html } = cardToHtml({
      title: 'A title',
      mention: ama,
      calls: [kojo],
      parts: [
        {
          kind: 'facts',
          facts: [
            { label: 'For', value: 'Ama', person: ama },
            { label: 'By', value: 'Ama', person: kojo },
          ],
        },
      ],
    });
    expect(plain).toBe('Ama\nAma A title\n\nFor: Ama (42)\nBy: Ama (slack:U0KOJO)');
    expect(html.match(/tg:\/\/user\?id=42/g)).toHaveLength(2);
  });

  it('names a person of another platform without a link', () => {
    const mention = { platform: 'slack', id: 'U1"><b>', name: 'Ama' };
    expect(cardToHtml({ title: 'x', mention, parts: [] }).html).toBe('Ama <b>x</b>');
  });

  it('lets no markup, mention or invisible character of anybody through', () => {
    fc.assert(
      fc.property(cards, (card) => {
        const { html, plain } = cardToHtml(card);
        const { text, entities } = parseHtml(html);
        expect(text).toBe(plain);
        expect(entities.every(({ type }) => OURS.has(type))).toBe(true);
        expect(detectEntities(text, entities).filter(({ type }) => type === 'mention')).toEqual([]);
        expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B\uFEFF]|[^\P{Cc}\n\t]/u);
        expect(text.isWellFormed()).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps what was said readable', () => {
    const said = 'Tom & Jerry <tom@example.com> say "1 > 0"';
    expect(parseHtml(cardToHtml(cardOf({ kind: 'quote', text: said })).html).text).toContain(said);
  });

  it('never exceeds one message, says so, and leaves no tag open', () => {
    const long = fc.string({ unit: 'grapheme', minLength: 500, maxLength: 3000 });
    const kinds = fc.constantFrom<'text' | 'quote' | 'note' | 'warning'>(
      'text',
      'quote',
      'note',
      'warning',
    );
    const many = fc.array(fc.tuple(kinds, long), { minLength: 3, maxLength: 10 });
    fc.assert(
      fc.property(many, (list) => {
        const card = cardOf(...list.map(([kind, text]): CardPart => ({ kind, text })));
        const { text } = parseHtml(cardToHtml(card).html);
        const whole = list.map(([, each]) => each).join('');
        expect(text.length).toBeLessThanOrEqual(4096);
        expect(text.isWellFormed()).toBe(true);
        if (whole.length > 4096) expect(text).toMatch(/The rest did not fit into one message\.$/);
      }),
      // A smaller example of a text that is too long says no more, and takes minutes to find.
      { numRuns: 50, endOnFailure: true },
    );
  });

  it('cuts between words and not through them', () => {
    const { plain } = cardToHtml(cardOf({ kind: 'text', text: 'number '.repeat(1000) }));
    expect(plain).toMatch(/number\n\n… The rest did not fit into one message\.$/);
  });

  it.each([0, 1])('never cuts through a character, nor beyond the limit (%i)', (shift) => {
    const text = 'x'.repeat(shift) + '😀'.repeat(3000);
    const { plain } = cardToHtml(cardOf({ kind: 'text', text }));
    expect(plain.isWellFormed()).toBe(true);
    expect(plain.length).toBeGreaterThan(4090);
    expect(plain.length).toBeLessThanOrEqual(4096);
  });

  it('fits exactly at the limit', () => {
    const text = 'x'.repeat(4096 - 'A title\n\n'.length);
    expect(cardToHtml(cardOf({ kind: 'text', text })).plain).toHaveLength(4096);
    expect(cardToHtml(cardOf({ kind: 'text', text: `${text}x` })).plain).toMatch(/did not fit/);
  });
});

describe('a list in Telegram', () => {
  it('has what a person may have to look into in bold', () => {
    const items = ['✅ GHS 50.00', { text: '❓ GHS 30.00', loud: true as const }];
    expect(cardToHtml(cardOf({ kind: 'list', items })).html).toContain(
      '• ✅ GHS 50.00\n• <b>❓ GHS 30.00</b>',
    );
  });
});

describe('buttons in Telegram', () => {
  const rows = (...labels: string[]) =>
    cardToHtml({
      title: 'x',
      parts: [],
      buttons: labels.map((label) => ({ kind: 'press', label, verb: 'v', id: 'i' })),
    }).keyboard.map((row) => row.map(({ text }) => text));

  it('that are the numbers of a list share rows with numbers alone, five in each', () => {
    expect(rows('1', '2', '3', '4', '5', '6', 'Older')).toEqual([
      ['1', '2', '3', '4', '5'],
      ['6'],
      ['Older'],
    ]);
  });

  it('stand side by side while their labels are short', () => {
    expect(rows('Charge GHS 50.00', 'Cancel')).toEqual([['Charge GHS 50.00', 'Cancel']]);
    expect(rows('MTN', 'Telecel', 'AT', 'Skip', 'Cancel')).toEqual([
      ['MTN', 'Telecel', 'AT'],
      ['Skip', 'Cancel'],
    ]);
    expect(rows('Approve and charge GHS 5,000.00', 'Refuse')).toEqual([
      ['Approve and charge GHS 5,000.00'],
      ['Refuse'],
    ]);
  });

  it('carry verb and id', () => {
    const button = {
      kind: 'press',
      label: 'Go',
      verb: 'draft.confirm',
      id: 'a:b',
      style: 'danger',
    } as const;
    expect(cardToHtml({ title: 'x', parts: [], buttons: [button] }).keyboard).toEqual([
      [{ text: 'Go', callback_data: 'draft.confirm:a:b', style: 'danger' }],
    ]);
  });

  it('refuse data over 64 bytes, which would be a mistake of ours', () => {
    const button = (id: string) => ({ kind: 'press', label: 'Go', verb: 'v', id }) as const;
    const render = (id: string) => cardToHtml({ title: 'x', parts: [], buttons: [button(id)] });
    expect(render('x'.repeat(62)).keyboard).toHaveLength(1);
    expect(() => render('x'.repeat(63))).toThrow(RangeError);
    expect(() => render('é'.repeat(32))).toThrow(RangeError);
  });

  it('turn links Telegram would refuse into lines of text', () => {
    const link = (url: string) =>
      cardToHtml({ title: 'x', parts: [], buttons: [{ kind: 'link', label: 'Open', url }] });
    expect(link('https://pay.example.com/x').keyboard).toEqual([
      [{ text: 'Open', url: 'https://pay.example.com/x' }],
    ]);
    for (const url of ['http://localhost:3000/x', 'javascript:alert(1)', 'nonsense']) {
      expect(link(url).keyboard).toEqual([]);
      expect(link(url).plain).toBe(`x\n\nOpen: ${url}`);
    }
  });
});

describe('the answer to a press in Telegram', () => {
  it('has facts and lists in plain words', () => {
    const facts = { kind: 'facts', facts: [{ label: 'Number', value: '024' }] } as const;
    const list = { kind: 'list', items: ['one', { text: 'two', code: '2' }] } as const;
    const line = { kind: 'line', item: { text: 'three', code: '3' } } as const;
    const alert = cardToAlert(cardOf(facts, list, line));
    expect(alert).toBe('A title\nNumber: 024\none\ntwo 2\nthree 3');
  });

  it('is cut with an ellipsis where no sentence ends in time', () => {
    const alert = cardToAlert(cardOf({ kind: 'text', text: 'word '.repeat(60) }));
    expect(alert).toHaveLength(200);
    expect(alert).toMatch(/^A title\n(word )+.*…$/);
  });
});
