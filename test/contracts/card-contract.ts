import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Card,
  type CardPart,
  linkButton,
  part,
  pressButton,
} from '../../src/commands/cards/card.ts';
import { hostileText } from '../support/hostile-text.ts';

/** A card as a platform shows it. */
export type Drawn = {
  /** Everything that a person reads, buttons left out. */
  readonly words: string;
  readonly buttons: readonly { readonly label: string; readonly value: string }[];
  /** What is more than text: links, mentions, channels. */
  readonly live: readonly string[];
};

export type DrawCard = (card: Card) => Drawn;

const person = { platform: 'elsewhere', id: 'a1', name: 'Ama Mensah' };

/** A part of each kind, and its words in their order. A kind that is added does not compile until it is here. */
const PARTS: Readonly<Record<CardPart['kind'], readonly [CardPart, readonly string[]]>> = {
  text: [part.text('Paid by Kofi.'), ['Paid by Kofi.']],
  line: [part.line('024 *** 3456 · MTN MoMo', '1M82'), ['024 *** 3456 · MTN MoMo', '1M82']],
  warning: [part.warning('Not clear yet.'), ['Not clear yet.']],
  note: [part.note('Costs 2 SMS.'), ['Costs 2 SMS.']],
  example: [part.example('/charge 0244123456 50'), ['/charge 0244123456 50']],
  quote: [part.quote('Your order\nis ready'), ['Your order', 'is ready']],
  list: [part.list(['first', { text: 'second', code: '1M82' }]), ['first', 'second', '1M82']],
  facts: [
    part.facts(
      { label: 'Amount', value: 'GHS 50.00' },
      { label: 'Transaction', value: '1M82RBWK', code: true },
      { label: 'Asked by', value: 'Ama Mensah', person },
    ),
    ['Amount', 'GHS 50.00', 'Transaction', '1M82RBWK', 'Asked by', 'Ama Mensah'],
  ],
};

const cardWith = (...parts: readonly CardPart[]): Card => ({ title: 'Charge GHS 50.00?', parts });

/** What no reader sees, and what turns the writing round. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Bidi_Control}\u00ad\u200b\ufeff]/u;

/** What every platform has to show of a card, and what it must never make of words from outside. */
export const cardContract = (draw: DrawCard): void => {
  describe.each(Object.entries(PARTS))('a part of the kind %s', (_kind, [given, words]) => {
    it('is shown whole behind the title, and the part after it behind it', () => {
      const drawn = draw(cardWith(given, part.text('The end.'))).words;
      let at = drawn.indexOf('Charge GHS 50.00?');
      expect(at, drawn).toBeGreaterThanOrEqual(0);
      for (const each of [...words, 'The end.']) {
        const next = drawn.indexOf(each, at);
        expect(next, `${each} in ${drawn}`).toBeGreaterThan(at);
        at = next;
      }
    });

    it('is text and nothing else', () => {
      expect(draw(cardWith(given)).live).toEqual([]);
    });
  });

  it('a numbered list has its numbers, for buttons that name one of them', () => {
    const list: CardPart = { kind: 'list', items: ['first', 'second'], numbered: 1 };
    expect(draw(cardWith(list)).words).toMatch(/1\. first[\s\S]*2\. second/);
    const below = draw(cardWith(list, { ...list, numbered: 3 })).words;
    expect(below).toMatch(/2\. second[\s\S]*3\. first[\s\S]*4\. second/);
  });

  it('a button is shown by its label and carries its verb and id', () => {
    const buttons = [
      pressButton('Charge GHS 50.00', 'charge', '1M82', { style: 'primary' }),
      pressButton('Cancel', 'cancel', '1M82', { aside: true }),
    ];
    expect(draw({ ...cardWith(), buttons }).buttons).toEqual([
      { label: 'Charge GHS 50.00', value: 'charge:1M82' },
      { label: 'Cancel', value: 'cancel:1M82' },
    ]);
  });

  it('a link leads to its address', () => {
    const link = linkButton('Checkout page', 'https://checkout.example/pay/1');
    const { live, words } = draw({ ...cardWith(), buttons: link === undefined ? [] : [link] });
    expect(`${live.join()} ${words}`).toContain('https://checkout.example/pay/1');
  });

  it('an address that is no web address leads nowhere', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd']) {
      const { live } = draw({ ...cardWith(), buttons: [{ kind: 'link', label: 'Open', url }] });
      expect(live, url).toEqual([]);
    }
  });

  it('who is called upon is named', () => {
    const { words } = draw({ ...cardWith(), mention: person });
    expect(words).toContain('Ama Mensah');
  });

  it('words from outside stay words in every part: nothing hidden, nothing live, no line of ours lost', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const parts = [
          part.text(text),
          part.warning(text),
          part.note(text),
          part.example(text),
          part.quote(text),
          part.list([text, { text, code: text }]),
          part.line(text, text),
          part.facts({ label: 'Reference', value: text }, { label: text, value: 'x' }),
          part.text('The end.'),
        ];
        const { words, live } = draw({ ...cardWith(...parts), mention: { ...person, name: text } });
        expect(live).toEqual([]);
        expect(words).not.toMatch(HIDDEN);
        expect(words).toContain('The end.');
      }),
      { numRuns: 60 },
    );
  });

  it('a card of far too many words keeps its title and its buttons', () => {
    const parts = Array.from({ length: 80 }, () => part.text('word '.repeat(200)));
    const drawn = draw({ ...cardWith(...parts), buttons: [pressButton('Cancel', 'cancel', '1')] });
    expect(drawn.words).toContain('Charge GHS 50.00?');
    expect(drawn.buttons).toHaveLength(1);
  });
};
