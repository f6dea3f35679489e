import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readButtonValue } from '../../../src/bots/button-value.ts';
import { cardToMessage } from '../../../src/bots/slack/card-to-blocks.ts';
import {
  type Button,
  type Card,
  type CardPart,
  personFact,
} from '../../../src/commands/cards/card.ts';
import { anyCharacter } from '../../support/hostile-text.ts';
import { asBlocks, messageComplaints } from '../../support/slack/block-kit.ts';
import { blocksToText } from '../../support/slack/blocks-to-text.ts';

const rendered = (card: Card): string =>
  blocksToText(asBlocks(cardToMessage(card).blocks), (id) => id);
const withParts = (...parts: CardPart[]): Card => ({ title: 'Title', parts });

describe('a card in Slack', () => {
  it('shows a person as the mention by id, so that a copied name deceives nobody', () => {
    const asked = (id: string, platform = 'slack') =>
      rendered(
        withParts({
          kind: 'facts',
          facts: [personFact('Asked by', { platform, id, name: 'Ama <@U0BOSS>' })],
        }),
      );
    expect(asked('U024BE7LH')).toMatch(/Asked by: @U024BE7LH$/m);
    // Somebody of another platform can be called by no mention here.
    expect(asked('1001', 'telegram')).toContain('Ama <@U0BOSS> (telegram:1001)');
  });

  it('shows every kind of part', () => {
    const card: Card = {
      title: 'Charge GHS 50.00?',
      tone: 'warning',
      parts: [
        { kind: 'text', text: 'Please look twice.' },
        {
          kind: 'facts',
          facts: [
            { label: 'Customer', value: 'Ama Mensah' },
            { label: 'Number', value: '0244123456' },
          ],
        },
        { kind: 'warning', text: 'A charge like this is open.' },
        { kind: 'quote', text: 'Your order\nis ready' },
        { kind: 'example', text: '/charge 0244123456 50' },
        { kind: 'list', items: ['one', 'two'] },
        { kind: 'note', text: 'Valid for 10 minutes' },
      ],
      buttons: [
        { kind: 'press', label: 'Charge', verb: 'charge.go', id: 'd1', style: 'primary' },
        { kind: 'link', label: 'Pay', url: 'https://pay.example.com/1?a=b&c=d' },
      ],
    };
    expect(rendered(card)).toBe(
      [
        '⚠️ Charge GHS 50.00?',
        'Please look twice.',
        'Customer: Ama Mensah\nNumber: 0244123456',
        'A charge like this is open.',
        '> Your order\n> is ready',
        '    /charge 0244123456 50',
        '- one\n- two',
        'Valid for 10 minutes',
        '[Charge] [Pay -> https://pay.example.com/1?a=b&c=d]',
      ].join('\n'),
    );
    expect(cardToMessage(card).text).toBe(
      [
        '⚠️ Charge GHS 50.00?',
        'Please look twice.',
        'Customer: Ama Mensah\nNumber: 0244123456',
        'A charge like this is open.',
        'Your order\nis ready',
        '/charge 0244123456 50',
        '• one\n• two',
        'Valid for 10 minutes',
        'Pay: https://pay.example.com/1?a=b&amp;c=d',
      ].join('\n'),
    );
  });

  it('shows what is to be copied in monospace, and numbers the lines that buttons name', () => {
    const { blocks, text } = cardToMessage(
      withParts(
        { kind: 'facts', facts: [{ label: 'Transaction', value: '01JD', code: true }] },
        { kind: 'list', numbered: 1, items: [{ text: 'GHS 50.00 ·', code: '01JE' }, 'two'] },
      ),
    );
    const code = { code: true };
    expect(JSON.stringify(blocks)).toContain(
      JSON.stringify({ type: 'text', text: '01JD', style: code }),
    );
    expect(JSON.stringify(blocks)).toContain(
      JSON.stringify({ type: 'text', text: '01JE', style: code }),
    );
    expect(JSON.stringify(blocks)).toContain('"style":"ordered"');
    expect(text).toBe('Title\nTransaction: 01JD\n1. GHS 50.00 · 01JE\n2. two');
    expect(
      messageComplaints(
        cardToMessage(withParts({ kind: 'list', items: [{ text: '', code: '' }] })),
      ),
    ).toEqual([]);
  });

  it('goes on with the numbers of the list above', () => {
    const message = cardToMessage(withParts({ kind: 'list', numbered: 3, items: ['three'] }));
    expect(JSON.stringify(message.blocks)).toContain('3. ');
    expect(messageComplaints(message)).toEqual([]);
  });

  it('mentions a person by a Slack id alone', () => {
    const person = { platform: 'slack', id: 'U024BE7LH', name: 'ama' };
    const message = cardToMessage({ ...withParts(), mention: person });
    expect(message.text).toBe('<@U024BE7LH> Title');
    expect(JSON.stringify(message.blocks)).toContain('{"type":"user","user_id":"U024BE7LH"}');
  });

  it.each(['!channel', 'U1> <!channel', 'here', 'u024', '', 'S0614TZR7'])(
    'shows the name where the id is "%s"',
    (id) => {
      const person = { platform: 'slack', id, name: '<!here>' };
      const message = cardToMessage({ ...withParts(), mention: person });
      expect(message.text).toBe('@&lt;!here&gt; Title');
      expect(messageComplaints(message)).toEqual([]);
    },
  );

  it('keeps buttons when there are too many words', () => {
    const text = 'x'.repeat(4_000);
    const parts = Array.from({ length: 80 }, (): CardPart => ({ kind: 'text', text }));
    const buttons = Array.from(
      { length: 12 },
      (_, index): Button => ({ kind: 'press', label: `B${index}`, verb: 'v', id: `${index}` }),
    );
    const message = cardToMessage({ title: 'Much', parts, buttons });
    expect(messageComplaints(message)).toEqual([]);
    expect(rendered({ title: 'Much', parts, buttons })).toMatch(
      /The rest did not fit into one message\.\n\[B0\][\s\S]*\[B11\]$/,
    );
  });

  it('stays below what Slack refused, whatever lists a command makes, with all of its buttons', () => {
    for (const line of ['short', 'x'.repeat(120)]) {
      const items = Array.from({ length: 200 }, (_, at) => ({ text: line, code: `slack:U0${at}` }));
      const buttons = Array.from(
        { length: 40 },
        (_, index): Button => ({ kind: 'press', label: line, verb: 'v', id: `${index}` }),
      );
      const list: CardPart = { kind: 'list', items };
      const message = cardToMessage({ ...withParts(list, list, list), buttons });
      expect(message.blocks.filter(({ type }) => type === 'actions')).toHaveLength(8);
      expect(messageComplaints(message)).toEqual([]);
    }
  });

  it('keeps to 50 blocks', () => {
    const parts = Array.from({ length: 80 }, (): CardPart => ({ kind: 'note', text: 'x' }));
    const buttons = [{ kind: 'press', label: 'Go', verb: 'v', id: '1' }] as const;
    const message = cardToMessage({ title: 'Many', parts, buttons });
    expect(message.blocks).toHaveLength(50);
    expect(message.blocks.at(-1)?.type).toBe('actions');
    expect(messageComplaints(message)).toEqual([]);
  });

  it('keeps the words beside the blocks within Slack’s length, escaped and with a mention', () => {
    const mention = { platform: 'slack', id: '', name: '&'.repeat(100) };
    const card = { ...withParts({ kind: 'text', text: '<'.repeat(3_000) }), mention };
    const { text } = cardToMessage(card);
    expect(text.length).toBeLessThanOrEqual(3_900);
    expect(text).toMatch(/(&lt;)…$/);
  });

  it('shows a dash for an empty value and leaves out empty words', () => {
    const card = withParts(
      { kind: 'text', text: ' \u200b' },
      { kind: 'note', text: '' },
      { kind: 'list', items: [] },
      { kind: 'facts', facts: [{ label: 'Reference', value: '' }] },
      { kind: 'list', items: ['', 'x'] },
    );
    expect(rendered(card)).toBe('Title\nReference: –\n- –\n- x');
    expect(cardToMessage({ title: '\n', parts: [] }).text).toBe('Paythread');
  });

  it('takes away what hides or turns words round', { tags: ['T9'] }, () => {
    const card = withParts({
      kind: 'text',
      text: 'a\u202eb\u0000c\u2066d\u200b\u200fe\u061c\r\nf\tg\u2028h',
    });
    expect(rendered(card)).toBe('Title\nabcde\nf g\nh');
  });

  it('never cuts a character in two', () => {
    const card = withParts({ kind: 'text', text: '😀'.repeat(2_000) });
    expect(messageComplaints(cardToMessage(card))).toEqual([]);
  });

  it('leaves out a link that Slack would refuse', () => {
    const urls = ['javascript:alert(1)', 'https://a b', `https://x.example/${'a'.repeat(3_000)}`];
    const buttons = urls.map((url): Button => ({ kind: 'link', label: 'Pay', url }));
    expect(rendered({ ...withParts(), buttons })).toBe('Title');
  });

  it('gives each button its verb and id back', () => {
    const buttons: Button[] = [
      { kind: 'press', label: 'Yes', verb: 'draft.go', id: 'a:b' },
      { kind: 'press', label: 'Yes', verb: 'draft.go', id: 'a:b' },
    ];
    const [, row] = asBlocks(cardToMessage({ ...withParts(), buttons }).blocks);
    const elements = row?.type === 'actions' ? row.elements : [];
    expect(elements.map(({ value }) => readButtonValue(value ?? ''))).toEqual([
      { verb: 'draft.go', id: 'a:b' },
      { verb: 'draft.go', id: 'a:b' },
    ]);
    expect(readButtonValue('alone')).toEqual({ verb: 'alone', id: '' });
  });
});

/** Words as somebody malicious or careless would write them. */
const words = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '<!channel>',
        '<!here|x>',
        '<@U024BE7LH>',
        '<!subteam^S0614TZR7>',
        '<https://evil.example|https://bank.example>',
        '&lt;!channel&gt;',
        '&',
        '<',
        '>',
        '*',
        '_',
        '`',
        '~',
        '\n',
        '\u202e',
        '\ud83d',
        '😀',
        'é',
        ' ',
        'x'.repeat(900),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('')),
);

const part = fc.oneof(
  fc.record({
    kind: fc.constantFrom('text', 'warning', 'note', 'example', 'quote'),
    text: words,
  }),
  fc.record({
    kind: fc.constant('facts'),
    facts: fc.array(fc.record({ label: words, value: words }), { maxLength: 6 }),
  }),
  fc.record({ kind: fc.constant('list'), items: fc.array(words, { maxLength: 30 }) }),
);

const button = fc.oneof(
  fc.record({
    kind: fc.constant('press'),
    label: words,
    verb: fc.constant('some.verb'),
    id: fc.stringMatching(/^[a-z0-9.]{1,40}$/),
  }),
  fc.record({
    kind: fc.constant('link'),
    label: words,
    url: fc.oneof(fc.webUrl(), words, fc.constant('https://pay.example.com/1')),
  }),
);

const anyCard = fc.record({
  title: words,
  tone: fc.constantFrom('good', 'bad', 'waiting', 'warning'),
  mention: fc.record({ platform: fc.constant('slack'), id: words, name: words }),
  parts: fc.array(part, { maxLength: 20 }),
  buttons: fc.array(button, { maxLength: 12 }),
}) as fc.Arbitrary<Card>;

describe('any card', () => {
  it('is taken by Slack, and nothing in it comes alive but the mention', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        // Complaints are about limits, empty texts, half characters, live tokens and bare signs alike.
        const message = cardToMessage(card);
        expect(messageComplaints(message)).toEqual([]);
        const mentions = message.text.match(/<@/g)?.length ?? 0;
        expect(mentions).toBe(/^[UW][A-Z0-9]+$/.test(card.mention?.id ?? '') ? 1 : 0);
        expect(JSON.stringify(message.blocks)).not.toContain('"mrkdwn"');
      }),
      { numRuns: 400 },
    );
  });
});
