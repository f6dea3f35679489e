import type { Button, MessageBlock } from './block-kit.ts';
import { blocksToText, markupToText } from './blocks-to-text.ts';

/** A message as it stands in a channel, or as one person sees it. */
export type ShownMessage = {
  readonly ts: string;
  readonly channelId: string;
  /** The parent's `ts`, for a reply. */
  readonly thread?: string;
  /** Present: ephemeral, only this person sees it. */
  readonly seenBy?: string;
  /** The `ts` of the ephemeral message whose button was pressed for it. */
  readonly answers?: string;
  /** Others stand under it: then Slack gives it its own `ts` as its thread. */
  readonly hasReplies?: boolean;
  /** Whose it is; absent: the bot's. */
  readonly author?: string;
  readonly text: string;
  readonly blocks: readonly MessageBlock[];
  readonly metadata?: { readonly event_type: string; readonly event_payload: unknown };
};

/** A message as somebody reads it. */
export const messageText = (message: ShownMessage, nameOf: (userId: string) => string): string =>
  message.blocks.length > 0
    ? blocksToText(message.blocks, nameOf)
    : markupToText(message.text, nameOf);

/** The button of a message, by its label or the beginning of it; says what there is when there is none. */
export const buttonOf = (
  message: ShownMessage,
  label: string,
): { button: Button; blockId: string } => {
  const all = message.blocks.flatMap((block, index) =>
    block.type === 'actions'
      ? block.elements.map((button) => ({ button, blockId: block.block_id ?? `block-${index}` }))
      : [],
  );
  const found =
    all.find(({ button }) => button.text.text === label) ??
    all.find(({ button }) => button.text.text.startsWith(label));
  if (found !== undefined) return found;
  const labels = all.map(({ button }) => button.text.text).join(', ');
  throw new Error(`no button "${label}" in "${message.text}"; there are: ${labels || 'none'}`);
};
