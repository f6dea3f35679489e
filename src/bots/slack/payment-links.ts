import type { types } from '@slack/bolt';
import { isTransactionId } from '../../core/values/transaction-id.ts';
import type { BotParts } from '../platform.ts';

type Block = types.KnownBlock;

/** Of one message; each may be a question to Slack. */
const MOST_LINKS = 20;

/** The blocks, with each transaction id a link to the card of its payment. Never rejects: without an address an id stays words. */
export const withPaymentLinks = async (
  blocks: readonly Block[],
  linkTo: BotParts['linkToPayment'],
): Promise<Block[]> => {
  const codes = new Set<string>();
  for (const block of blocks)
    withCodes(block, (code) => {
      codes.add(code.text);
      return code;
    });
  const ids = [...codes].filter(isTransactionId).slice(0, MOST_LINKS);
  const links = new Map<string, string>();
  await Promise.all(
    ids.map(async (id) => {
      const url = await linkTo(id).catch(() => undefined);
      if (url !== undefined && /^https?:\/\/\S+$/.test(url)) links.set(id, url);
    }),
  );
  return blocks.map((block) =>
    withCodes(block, (code) => {
      const url = links.get(code.text);
      return url === undefined ? code : { type: 'link', url, text: code.text, style: CODE };
    }),
  );
};

const CODE = { code: true } as const;

/** The block with another element for each text in code, in its lines and lists. */
const withCodes = (
  block: Block,
  elementFor: (code: types.RichTextText) => types.RichTextElement,
): Block => {
  if (block.type !== 'rich_text') return block;
  const line = <L extends types.RichTextSection>(one: L): L => ({
    ...one,
    elements: one.elements.map((each) =>
      each.type === 'text' && each.style?.code === true ? elementFor(each) : each,
    ),
  });
  const elements = block.elements.map((element): types.RichTextBlockElement => {
    if (element.type === 'rich_text_list')
      return { ...element, elements: element.elements.map(line) };
    return element.type === 'rich_text_section' ? line(element) : element;
  });
  return { ...block, elements };
};
