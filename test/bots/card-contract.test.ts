import { describe } from 'vitest';
import { buttonValue } from '../../src/bots/button-value.ts';
import { cardToMessage } from '../../src/bots/slack/card-to-blocks.ts';
import { cardToHtml } from '../../src/bots/telegram/card-to-html.ts';
import { answersOf, asidesOf, cardToText } from '../../src/bots/terminal/card-to-text.ts';
import { messageView } from '../../src/bots/web/message-view.ts';
import type { Look } from '../../src/bots/web/room.ts';
import type { View, ViewElement } from '../../src/bots/web/view.ts';
import { cardContract, type DrawCard, type Drawn } from '../contracts/card-contract.ts';

/** The words of blocks, a line each, and what in them is more than text. */
const inSlack: DrawCard = (card) => {
  const words: string[] = [];
  const live: string[] = [];
  const buttons: { label: string; value: string }[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return void value.map(walk);
    if (typeof value !== 'object' || value === null) return;
    const { type, text, url, elements, style } = value as Record<string, unknown>;
    if (type === 'button') {
      const { text: label } = text as { text: string };
      if (typeof url === 'string') live.push(url);
      else buttons.push({ label, value: String((value as { value: unknown }).value) });
    } else if (['user', 'usergroup', 'channel', 'broadcast', 'link'].includes(String(type)))
      live.push(JSON.stringify(value));
    else if (type === 'rich_text_list' && style === 'ordered')
      (elements as unknown[]).forEach((item, at) => {
        words.push(`${at + 1}. `);
        walk(item);
      });
    else if (typeof text === 'string') words.push(text);
    else for (const each of Object.values(value)) walk(each);
  };
  walk(cardToMessage(card).blocks);
  return { words: words.join(''), live, buttons };
};

const inTelegram: DrawCard = (card) => {
  const { html, keyboard } = cardToHtml(card);
  const live = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
  const words = html
    .replace(/<\/?[a-z]+(?: href="[^"]*")?>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  const keys = keyboard.flat();
  return {
    // The joiner keeps `@name` from becoming a mention; it is not seen.
    words: words.replaceAll('\u2060', ''),
    live: [...live, ...keys.flatMap((key) => ('url' in key ? [key.url] : []))],
    buttons: keys.flatMap((key) =>
      'callback_data' in key ? [{ label: key.text, value: key.callback_data }] : [],
    ),
  };
};

const inTerminal: DrawCard = (card) => ({
  words: cardToText(card),
  live: [],
  buttons: [...answersOf(card), ...asidesOf(card)].map((button) => ({
    label: button.label,
    value: buttonValue(button),
  })),
});

/** As the page would build it: only elements with an address or a press are more than text. */
const onThePage =
  (look: Look): DrawCard =>
  (said) => {
    const view = messageView({ id: 'm1', look, said }, undefined);
    const drawn = { words: '', live: [] as string[], buttons: [] as Drawn['buttons'][number][] };
    walkView(view, drawn);
    return { ...drawn, words: drawn.words.replaceAll('\u2060', '') };
  };

type Mutable = { words: string; live: string[]; buttons: { label: string; value: string }[] };

const walkView = (view: View, drawn: Mutable, number = ''): void => {
  if (typeof view === 'string') {
    drawn.words += view;
    return;
  }
  const { attributes = {}, children = [], tag } = view;
  const value = attributes['data-press'];
  if (value !== undefined) {
    drawn.buttons.push({ label: textIn(view), value });
    return;
  }
  if (attributes.href !== undefined) drawn.live.push(attributes.href);
  drawn.words += number;
  children.forEach((child, at) => {
    walkView(child, drawn, tag === 'ol' ? `${at + 1}. ` : '');
  });
};

const textIn = ({ children = [] }: ViewElement): string =>
  children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');

describe.each([
  ['Slack', inSlack],
  ['Telegram', inTelegram],
  ['the terminal', inTerminal],
  ["the practice page's Slack chat", onThePage('slack')],
  ["the practice page's Telegram chat", onThePage('telegram')],
] as const)('a card in %s', (_name, draw) => {
  cardContract(draw);
});
