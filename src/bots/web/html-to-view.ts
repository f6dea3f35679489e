import type { RenderedCard } from '../telegram/card-to-html.ts';
import { linkView, pressView } from './blocks-to-view.ts';
import { element, type Tag, type View, type ViewElement } from './view.ts';

/** The tags that Telegram understands and our renderer uses. */
const TAGS: readonly Tag[] = ['b', 'i', 'u', 's', 'code', 'pre', 'blockquote'];

const TOKEN = /<(\/?)([a-z]+)(?: href="([^"]*)")?(?: expandable)?>|([^<]+)/gy;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

type Open = { readonly tag: string; readonly href: string; readonly children: View[] };

/**
 * What Telegram's renderer made, read as Telegram reads it.
 * @throws {Error} where Telegram would refuse the message: a tag that it does not know, or one that is not closed.
 */
export const htmlToViews = (html: string): View[] => {
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

export const keyboardToView = (keyboard: RenderedCard['keyboard']): ViewElement =>
  element(
    'div',
    'keyboard',
    keyboard.map((row) => element('div', 'row', row.map(keyView))),
  );

const keyView = (key: RenderedCard['keyboard'][number][number]): View => {
  const { text, style = 'plain' } = key as { text: string; style?: string };
  if ('url' in key)
    return { tag: 'a', attributes: { class: 'button plain', href: key.url }, children: [text] };
  return pressView(text, 'callback_data' in key ? key.callback_data : '', style);
};
