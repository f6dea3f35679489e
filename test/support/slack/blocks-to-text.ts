import type { Button, MessageBlock } from './block-kit.ts';

type RichText = Extract<MessageBlock, { type: 'rich_text' }>;
type RichElement = RichText['elements'][number];
type Inline = Extract<RichElement, { type: 'rich_text_section' }>['elements'][number];

/** Blocks as somebody reads them: a line for each line, `[Label]` for a button, `@name` for a mention. */
export const blocksToText = (
  blocks: readonly MessageBlock[],
  nameOf: (userId: string) => string,
): string => blocks.map((block) => blockText(block, nameOf)).join('\n');

type NameOf = (userId: string) => string;

const blockText = (block: MessageBlock, nameOf: NameOf): string => {
  switch (block.type) {
    case 'header':
      return block.text.text;
    case 'divider':
      return '---';
    case 'section':
      return [block.text, ...(block.fields ?? [])]
        .flatMap((text) => (text === undefined ? [] : [text.text]))
        .join('\n');
    case 'context':
      return block.elements.map(({ text }) => text).join('\n');
    case 'actions':
      return block.elements.map(buttonText).join(' ');
    case 'rich_text':
      return block.elements.map((element) => richText(element, nameOf)).join('\n');
  }
};

const buttonText = ({ text, url }: Button): string =>
  url === undefined ? `[${text.text}]` : `[${text.text} -> ${url}]`;

const richText = (element: RichElement, nameOf: NameOf): string => {
  switch (element.type) {
    case 'rich_text_section':
      return inlineText(element.elements, nameOf);
    case 'rich_text_preformatted':
      return indent(inlineText(element.elements, nameOf), '    ');
    case 'rich_text_quote':
      return indent(inlineText(element.elements, nameOf), '> ');
    case 'rich_text_list':
      return element.elements.map(({ elements }) => `- ${inlineText(elements, nameOf)}`).join('\n');
  }
};

const inlineText = (elements: readonly Inline[], nameOf: NameOf): string =>
  elements.map((element) => inlineWords(element, nameOf)).join('');

const inlineWords = (element: Inline, nameOf: NameOf): string => {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'user':
      return `@${nameOf(element.user_id)}`;
    case 'usergroup':
      return `@${element.usergroup_id}`;
    case 'channel':
      return `#${element.channel_id}`;
    case 'link':
      return element.text ?? element.url;
  }
};

export const indent = (text: string, margin: string): string =>
  text
    .split('\n')
    .map((line) => `${margin}${line}`)
    .join('\n');

/** Slack's markup of a message without blocks, as somebody reads it. */
export const markupToText = (text: string, nameOf: NameOf): string =>
  text
    .replace(/<@([UW][A-Z0-9]+)>/g, (_, id: string) => `@${nameOf(id)}`)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
