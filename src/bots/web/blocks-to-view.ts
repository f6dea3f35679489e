import { assertNever } from '../../core/runtime/errors.ts';
import type { SlackMessage } from '../slack/card-to-blocks.ts';
import { element, type View, type ViewElement } from './view.ts';

type Block = SlackMessage['blocks'][number];
type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;
type RichText = BlockOf<'rich_text'>['elements'][number];
type Inline = Extract<RichText, { type: 'rich_text_section' }>['elements'][number];

export const blocksToViews = (blocks: readonly Block[]): View[] => blocks.map(blockView);

const blockView = (block: Block): View => {
  switch (block.type) {
    case 'header':
      return element('h3', 'header', [block.text.text]);
    case 'context':
      return element(
        'p',
        'context',
        block.elements.flatMap((each) => ('text' in each ? [each.text] : [])),
      );
    case 'divider':
      return { tag: 'hr' };
    case 'rich_text':
      return element('div', 'rich', block.elements.map(richView));
    case 'actions':
      return element('div', 'buttons', block.elements.flatMap(buttonView));
    default:
      // A renderer that learns a new block has to teach it to this page as well; the tests draw every part of a card.
      throw new Error(`no view of a block: ${block.type}`);
  }
};

const richView = (rich: RichText): View => {
  switch (rich.type) {
    case 'rich_text_section':
      return element('p', 'words', rich.elements.map(inlineView));
    case 'rich_text_preformatted':
      return element('pre', 'example', rich.elements.map(inlineView));
    case 'rich_text_quote':
      return element('blockquote', 'words', rich.elements.map(inlineView));
    case 'rich_text_list':
      return {
        tag: rich.style === 'ordered' ? 'ol' : 'ul',
        children: rich.elements.map((item) =>
          element('li', 'words', item.elements.map(inlineView)),
        ),
      };
    default:
      return assertNever(rich);
  }
};

const inlineView = (inline: Inline): View => {
  switch (inline.type) {
    case 'text':
      return styled(inline.text, inline.style ?? {});
    case 'link':
      return linkView(inline.text ?? inline.url, inline.url);
    case 'user':
      return element('span', 'mention', [`@${inline.user_id}`]);
    case 'usergroup':
      return element('span', 'mention', [`@${inline.usergroup_id}`]);
    case 'channel':
      return element('span', 'mention', [`#${inline.channel_id}`]);
    default:
      throw new Error(`no view of an element: ${inline.type}`);
  }
};

type Style = Extract<Inline, { type: 'text' }>['style'] & {};

const styled = (text: string, { bold, italic, code, strike }: Style): View => {
  const tags = [code && 'code', strike && 's', italic && 'i', bold && 'b'] as const;
  return tags.reduce<View>((inner, tag) => (tag ? { tag, children: [inner] } : inner), text);
};

/** Only web addresses become links. */
export const linkView = (text: string, url: string): View =>
  /^https?:\/\//i.test(url)
    ? element('a', { href: url }, [text])
    : element('span', 'mention', [text]);

/** A button; nothing for an element that the cards do not use. */
const buttonView = (action: BlockOf<'actions'>['elements'][number]): ViewElement[] => {
  if (action.type !== 'button') return [];
  const { text, url, value = '', style } = action;
  return [url === undefined ? pressView(text.text, value, style) : linkButton(text.text, url)];
};

export const linkButton = (label: string, href: string): ViewElement =>
  element('a', { class: 'button plain', href }, [label]);

/** A button that the page presses by its value. */
export const pressView = (label: string, value: string, style = 'plain'): ViewElement =>
  element('button', { class: `button ${style}`, type: 'button', 'data-press': value }, [label]);
