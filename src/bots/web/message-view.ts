import type { Card, Fact } from '../../commands/cards/card.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Person } from '../../core/values/conversation.ts';
import { cardToMessage } from '../slack/card-to-blocks.ts';
import { cardToHtml, type RenderedCard } from '../telegram/card-to-html.ts';
import { blocksToViews, linkButton, linkView, pressView } from './blocks-to-view.ts';
import { personNamed } from './people.ts';
import type { RoomMessage } from './room.ts';
import { element, type Tag, type View, type ViewElement } from './view.ts';

/** People are named: ids of the page mean nothing to Slack and Telegram, whose renderers would show them. */
const withNames = (card: Card): Card => ({
  ...card,
  ...defined({
    mention: card.mention && named(card.mention),
    calls: card.calls?.map((called) => ('id' in called ? named(called) : called)),
  }),
  parts: card.parts.map((part) =>
    part.kind === 'facts' ? { ...part, facts: part.facts.map(withoutId) } : part,
  ),
});

const named = (person: Person): Person => ({
  ...person,
  name: personNamed(person.id)?.name ?? person.name,
});

const withoutId = ({ person, ...fact }: Fact): Fact =>
  person === undefined || person.platform === 'web' ? fact : { ...fact, person };

/** A message as its platform would draw it. `quoted`: the words of the message that it answers. */
export const messageView = (message: RoomMessage, quoted: string | undefined): ViewElement => {
  const { id, look, said, under } = message;
  const by = 'by' in said ? said.by : 'Paythread';
  const kind = look === 'slack' ? under !== undefined && 'reply' : 'by' in said && 'typed';
  const names = ['message', look, kind].filter(Boolean).join(' ');
  return element(
    'article',
    { class: names, 'data-message': id, 'aria-label': `From ${by}` },
    look === 'slack' ? inSlack(message, by) : inTelegram(message, by, quoted),
  );
};

const fileViews = (file: RoomMessage['file']): ViewElement[] => {
  if (file === undefined) return [];
  const { name, href, altText: alt } = file;
  const link = element('a', { download: name, href }, [name]);
  return href.startsWith('data:image/') ? [element('img', { src: href, alt }), link] : [link];
};

const inSlack = ({ said, under, onlyFor, file }: RoomMessage, by: string): View[] => [
  ...(onlyFor === undefined ? [] : [element('p', 'private', ['Only visible to you'])]),
  ...(under === undefined ? [] : [element('p', 'thread', ['In the thread'])]),
  element('p', 'head', [
    element('b', 'name', [by]),
    ...('by' in said ? [] : [element('small', 'app', ['APP'])]),
  ]),
  ...('by' in said
    ? [element('p', 'words', [said.text])]
    : blocksToViews(cardToMessage(withNames(said)).blocks)),
  ...fileViews(file),
];

const inTelegram = (
  { said, onlyFor, file }: RoomMessage,
  by: string,
  quoted: string | undefined,
): View[] => {
  const card = 'by' in said ? undefined : cardToHtml(withNames(said));
  const words = 'by' in said ? [said.text] : htmlToViews(card?.html ?? '');
  const rows = card?.keyboard.map(rowView) ?? [];
  return [
    element('div', 'bubble', [
      ...(onlyFor === undefined ? [] : [element('p', 'private', ['Sent to you privately'])]),
      element('p', 'head', [element('b', 'name', [by])]),
      ...(quoted === undefined ? [] : [element('p', 'quoted', [quoted])]),
      // Not a paragraph: a quote would end it.
      element('div', 'words', words),
      ...fileViews(file),
    ]),
    ...(rows.length === 0 ? [] : [element('div', 'keyboard', rows)]),
  ];
};

/** The tags that Telegram understands and our renderer uses. */
const TAGS: readonly Tag[] = ['b', 'i', 'u', 's', 'code', 'pre', 'blockquote'];

const TOKEN = /<(\/?)([a-z]+)(?: href="([^"]*)")?(?: expandable)?>|([^<]+)/gy;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

type Open = { readonly tag: string; readonly href: string; readonly children: View[] };

/**
 * What Telegram's renderer made, read as Telegram reads it.
 * @throws {Error} where Telegram would refuse the message: a tag that it does not know, or one that is not closed.
 */
const htmlToViews = (html: string): View[] => {
  const root: Open = { tag: '', href: '', children: [] };
  const open: Open[] = [root];
  let end = 0;
  for (const [token, slash, tag = '', href = '', text] of html.matchAll(TOKEN)) {
    end += token.length;
    const inner = open.at(-1) ?? root;
    if (text !== undefined)
      inner.children.push(afterQuote(inner.children.at(-1), withoutEntities(text)));
    else if (slash === '') open.push({ tag, href: withoutEntities(href), children: [] });
    else {
      open.pop();
      if (inner.tag !== tag || open.length === 0) throw new Error('a tag is closed twice');
      open.at(-1)?.children.push(closed(inner));
    }
  }
  if (end !== html.length || open.length > 1) throw new Error('Telegram would refuse this');
  return root.children;
};

/** A quote is a block: the line break behind it is not shown. */
const afterQuote = (before: View | undefined, text: string): string =>
  typeof before === 'object' && before.tag === 'blockquote' ? text.replace(/^\n/, '') : text;

const withoutEntities = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ENTITIES[name] ?? '');

const closed = ({ tag, href, children }: Open): View => {
  if (tag === 'a') return linkView(children.map(wordsOf).join(''), href);
  const known = TAGS.find((each) => each === tag);
  if (known === undefined) throw new Error(`Telegram has no tag ${tag}`);
  return { tag: known, children };
};

const wordsOf = (view: View): string =>
  typeof view === 'string' ? view : (view.children ?? []).map(wordsOf).join('');

const rowView = (row: RenderedCard['keyboard'][number]): View =>
  element(
    'div',
    'row',
    row.map((key) =>
      'url' in key
        ? linkButton(key.text, key.url)
        : pressView(key.text, 'callback_data' in key ? key.callback_data : '', key.style),
    ),
  );
