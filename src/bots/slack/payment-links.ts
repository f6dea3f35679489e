import type { types } from '@slack/bolt';
import { isTransactionId } from '../../core/values/transaction-id.ts';

/** The address of a payment's card, by transaction id; undefined without one. */
export type LinkToPayment = (id: string) => Promise<string | undefined>;

type Block = types.KnownBlock;
type Links = ReadonlyMap<string, string>;

/** Of one message; each may be a question to Slack. */
const MOST_LINKS = 20;

/** The blocks, with each transaction id a link to the card of its payment. Never rejects: without an address an id stays words. */
export const withPaymentLinks = async (
  blocks: readonly Block[],
  linkTo: LinkToPayment,
): Promise<Block[]> => {
  const ids = [...new Set(blocks.flatMap(codesIn))].filter(isTransactionId).slice(0, MOST_LINKS);
  const links = new Map<string, string>();
  await Promise.all(
    ids.map(async (id) => {
      const url = await linkTo(id).catch(() => undefined);
      if (url !== undefined && /^https?:\/\/\S+$/.test(url)) links.set(id, url);
    }),
  );
  return links.size === 0 ? [...blocks] : blocks.map((block) => linked(block, links));
};

/** Rich text of one line: the parts of a list have it, and sections, quotes and examples. */
type Lines = { readonly elements: readonly types.RichTextElement[] };

const isList = (element: types.RichTextBlockElement): element is types.RichTextList =>
  element.type === 'rich_text_list';

const codesIn = (block: Block): string[] =>
  block.type !== 'rich_text'
    ? []
    : block.elements
        .flatMap((element): readonly Lines[] => (isList(element) ? element.elements : [element]))
        .flatMap(({ elements }) =>
          elements.flatMap((each) =>
            each.type === 'text' && each.style?.code === true ? [each.text] : [],
          ),
        );

const linked = (block: Block, links: Links): Block => {
  if (block.type !== 'rich_text') return block;
  const elements = block.elements.map((element): types.RichTextBlockElement => {
    if (isList(element))
      return { ...element, elements: element.elements.map((line) => linkedLine(line, links)) };
    return element.type === 'rich_text_section' ? linkedLine(element, links) : element;
  });
  return { ...block, elements };
};

const linkedLine = <L extends types.RichTextSection>(line: L, links: Links): L => ({
  ...line,
  elements: line.elements.map((each): types.RichTextElement => {
    const url =
      each.type === 'text' && each.style?.code === true ? links.get(each.text) : undefined;
    return url === undefined || each.type !== 'text'
      ? each
      : { type: 'link', url, text: each.text, style: { code: true } };
  }),
});
