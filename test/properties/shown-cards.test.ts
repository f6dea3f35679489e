import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readButtonValue } from '../../src/bots/button-value.ts';
import { sanitise } from '../../src/bots/sanitise.ts';
import { cardToMessage } from '../../src/bots/slack/card-to-blocks.ts';
import { escapeMarkup, textAsTyped } from '../../src/bots/slack/markup.ts';
import { cardToHtml, cleanText, escapeHtml } from '../../src/bots/telegram/card-to-html.ts';
import { cardToText } from '../../src/bots/terminal/card-to-text.ts';
import { type Button, type Card, type CardPart, itemText } from '../../src/commands/cards/card.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';
import { detectEntities } from '../support/telegram/detect-entities.ts';
import { parseHtml } from '../support/telegram/html.ts';

/** What may fool whoever reads: control characters, turned directions, what has no width. */
const HIDDEN = /[\p{Bidi_Control}\u200b\ufeff\u00ad\u2028\u2029]|(?![\n\t])\p{Cc}/u;

/** The characters of a text that leave ink, to compare what was meant with what is shown. */
const ink = (text: string): string =>
  text.replace(/[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\ufffd]/gu, '');

/** The first signs of every line of a text: more may be cut off where a platform has no room. */
const beginnings = (text: string): string[] =>
  text.split(/[\r\n\u2028\u2029]/).map((line) => [...ink(line)].slice(0, 15).join(''));

const part: fc.Arbitrary<CardPart> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('text', 'warning', 'note', 'example', 'quote'),
    text: hostileText,
  }),
  fc
    .array(
      fc.record(
        { label: hostileText, value: hostileText, code: fc.constant(true as const) },
        { requiredKeys: ['label', 'value'] },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((facts) => ({ kind: 'facts' as const, facts })),
  fc
    .array(fc.oneof(hostileText, fc.record({ text: hostileText, code: hostileText })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((items) => ({ kind: 'list' as const, items })),
  fc
    .record({ text: hostileText, code: hostileText })
    .map((item) => ({ kind: 'line' as const, item })),
) as fc.Arbitrary<CardPart>;

const button: fc.Arbitrary<Button> = fc.oneof(
  fc.record({
    kind: fc.constant('press' as const),
    label: hostileText,
    verb: fc.constantFrom('charge.go', 'draft.cancel', 'approve', 'form.pick'),
    id: fc.stringMatching(/^[0-9a-z:._-]{1,40}$/),
  }),
  fc.record({
    kind: fc.constant('link' as const),
    label: hostileText,
    url: fc.oneof(fc.webUrl(), hostileText),
  }),
);

const person = fc.record({
  platform: fc.constantFrom('slack', 'telegram'),
  id: fc.oneof(fc.constantFrom('U024BE7LH', '123456789', 'here', '!channel'), hostileText),
  name: hostileText,
});

const card: fc.Arbitrary<Card> = fc.record(
  {
    title: hostileText,
    tone: fc.constantFrom('good', 'bad', 'waiting', 'warning'),
    mention: person,
    parts: fc.array(part, { maxLength: 6 }),
    buttons: fc.array(button, { maxLength: 5 }),
  },
  { requiredKeys: ['title', 'parts'] },
) as fc.Arbitrary<Card>;

/** Every text of a card that is shown as words. */
const wordsOf = ({ title, parts }: Card): string[] => [
  title,
  ...parts.flatMap((each) => {
    if (each.kind === 'facts') return each.facts.flatMap(({ label, value }) => [label, value]);
    if (each.kind === 'line') return [itemText(each.item)];
    return each.kind === 'list' ? each.items.map(itemText) : [each.text];
  }),
];

/** Slack's own reading of a text: tokens in angle brackets, and the words with entities resolved. */
const readSlackText = (text: string): { tokens: string[]; words: string } => {
  const tokens: string[] = [];
  let words = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '<') {
      const end = text.indexOf('>', at);
      tokens.push(text.slice(at + 1, end < 0 ? undefined : end));
      at = end < 0 ? text.length : end;
      continue;
    }
    const entity = /^&(amp|lt|gt);/.exec(text.slice(at, at + 5));
    words += entity === null ? char : { amp: '&', lt: '<', gt: '>' }[entity[1] as 'amp'];
    at += entity === null ? 0 : entity[0].length - 1;
  }
  return { tokens, words };
};

type Node = { readonly [field: string]: unknown };
const nodesIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(nodesIn)];
};

/** The characters that blocks show. */
const shownLength = (blocks: unknown): number => {
  let length = 0;
  JSON.stringify(blocks, (key, value) => {
    if (key === 'text' && typeof value === 'string') length += value.length;
    return value;
  });
  return length;
};

it('no message to Slack shows more than 10,000 characters, whatever a command makes', async () => {
  const line = fc.oneof(fc.string({ maxLength: 400, size: 'max' }), hostileText);
  const parts = fc.array(
    fc.oneof(
      part,
      fc.record({
        kind: fc.constant('list' as const),
        items: fc.array(line, { maxLength: 300, size: 'max' }),
      }),
      fc.record({
        kind: fc.constant('text' as const),
        text: fc.string({ maxLength: 6_000, size: 'max' }),
      }),
    ),
    { maxLength: 12 },
  );
  const buttons = fc.array(
    line.map((label): Button => ({ kind: 'press', label, verb: 'v', id: '1' })),
    { maxLength: 80, size: 'max' },
  );
  const property = fc.property(line, parts, buttons, (title, all, some) => {
    const { blocks } = cardToMessage({ title, parts: all, buttons: some });
    expect(shownLength(blocks)).toBeLessThanOrEqual(10_000);
    expect(blocks.length).toBeLessThanOrEqual(50);
  });
  await check(property, 200);
});

describe('in Slack', () => {
  it(
    'nothing in a card comes alive but the mention, and all of it can be read',
    { tags: ['I16', 'T9'] },
    () =>
      check(
        fc.property(card, (given) => {
          const { text, blocks } = cardToMessage(given);
          const isMentioned = /^[UW][A-Z0-9]+$/.test(given.mention?.id ?? '');
          const { tokens, words } = readSlackText(text);
          expect(tokens).toEqual(isMentioned ? [`@${given.mention?.id}`] : []);
          expect(words).not.toMatch(HIDDEN);
          for (const each of wordsOf(given)) expect(ink(words)).toContain(beginnings(each)[0]);

          const nodes = nodesIn(blocks);
          // Slack reads only `mrkdwn` as markup, and these elements as what they name.
          const alive = ['mrkdwn', 'link', 'broadcast', 'usergroup', 'channel', 'emoji', 'date'];
          expect(nodes.filter(({ type }) => alive.includes(String(type)))).toEqual([]);
          expect(nodes.filter(({ type }) => type === 'user')).toHaveLength(isMentioned ? 1 : 0);
          expect(nodes.some(({ emoji }) => emoji === true)).toBe(false);
          const shown = nodes.map((node) => (typeof node['text'] === 'string' ? node['text'] : ''));
          for (const each of shown) expect(each).not.toMatch(HIDDEN);
          for (const each of wordsOf(given))
            expect(ink(shown.join(''))).toContain(beginnings(each)[0]);
        }),
        3_000,
      ),
  );

  it('escaped text is read back as it was, and holds no token', () =>
    check(
      fc.property(hostileText, (text) => {
        const escaped = escapeMarkup(text);
        expect(readSlackText(escaped)).toEqual({ tokens: [], words: text });
        // The way in: what Slack hands on of what was typed.
        expect(textAsTyped(escaped)).toBe(text);
      }),
      6_000,
    ));

  it('plain words keep all ink, hide nothing, and are the same cleaned twice', () =>
    check(
      fc.property(hostileText, (text) => {
        const plain = sanitise(text);
        expect(plain).not.toMatch(HIDDEN);
        expect(ink(plain)).toBe(ink(text.toWellFormed()));
        expect(sanitise(plain)).toBe(plain);
      }),
      5_000,
    ));
});

describe('in Telegram', () => {
  it(
    'nothing in a card comes alive but the mention, and all of it can be read',
    { tags: ['I16', 'T9'] },
    () =>
      check(
        fc.property(card, (given) => {
          const { html, plain } = cardToHtml(given);
          const { text, entities } = parseHtml(html);
          expect(text).toBe(plain);
          const { mention } = given;
          const isMentioned = mention?.platform === 'telegram' && /^\d+$/.test(mention.id);
          const hasName = cleanText(mention?.name ?? '') !== '';
          const ours = ['bold', 'italic', 'code', 'blockquote', 'text_mention'];
          expect(entities.filter(({ type }) => !ours.includes(type))).toEqual([]);
          const mentions = entities.filter(({ type }) => type === 'text_mention');
          expect(mentions.map(({ user }) => String(user?.id))).toEqual(
            isMentioned && hasName ? [String(Number(mention.id))] : [],
          );
          expect(detectEntities(text, entities).filter(({ type }) => type === 'mention')).toEqual(
            [],
          );
          expect(text.replaceAll('\u2060', '')).not.toMatch(HIDDEN);
          for (const each of wordsOf(given)) expect(ink(text)).toContain(ink(each));
        }),
        3_000,
      ),
  );

  it('escaped text is read back as it was, and holds no tag', () =>
    check(
      fc.property(hostileText, (text) => {
        expect(parseHtml(escapeHtml(text))).toEqual({ text, entities: [] });
        // In an attribute too.
        expect(escapeHtml(text)).not.toMatch(/["<>]/);
      }),
      6_000,
    ));

  it('clean text keeps all ink, hides nothing, and is the same cleaned twice', () =>
    check(
      fc.property(hostileText, (text) => {
        const clean = cleanText(text);
        expect(clean.replaceAll('@\u2060', '@')).not.toMatch(HIDDEN);
        expect(ink(clean)).toBe(ink(text.toWellFormed()));
        expect(cleanText(clean)).toBe(clean);
      }),
      5_000,
    ));
});

describe('in a terminal', () => {
  it(
    'no text orders the screen about, ends a line of its own or turns it round',
    { tags: ['I16'] },
    () =>
      check(
        fc.property(card, (given) => {
          const lines = cardToText(given);
          expect(lines).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u);
          for (const each of wordsOf(given))
            for (const line of beginnings(each)) expect(ink(lines)).toContain(line);
        }),
        2_000,
      ),
  );
});

describe('a button', () => {
  it('brings its verb and id back from both platforms, and words that were never its stay harmless', () =>
    check(
      fc.property(
        fc.stringMatching(/^[a-z.]{1,20}$/),
        fc.stringMatching(/^[0-9a-zA-Z:._-]{1,40}$/),
        hostileText,
        (verb, id, other) => {
          const press: Button = { kind: 'press', label: 'Go', verb, id };
          const { keyboard } = cardToHtml({ title: 'x', parts: [], buttons: [press] });
          const [data = ''] = nodesIn(keyboard).map((node) => String(node['callback_data']));
          expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
          expect(readButtonValue(data)).toEqual({ verb, id });
          const { blocks } = cardToMessage({ title: 'x', parts: [], buttons: [press] });
          const [value] = nodesIn(blocks).flatMap(({ value: each }) =>
            typeof each === 'string' ? [each] : [],
          );
          expect(readButtonValue(value ?? '')).toEqual({ verb, id });
          const strange = readButtonValue(other);
          expect([strange.verb, `${strange.verb}:${strange.id}`]).toContain(other);
        },
      ),
      2_500,
    ));
});
