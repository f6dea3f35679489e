import { type Api, InputFile } from 'grammy';
import type { Card } from '../../commands/cards/card.ts';
import type { OutgoingFile } from '../../commands/cards/outgoing-file.ts';
import type { Delivery } from '../../core/values/conversation.ts';
import type { BotParts } from '../platform.ts';
import { cut } from '../sanitise.ts';
import { cardToHtml, type RenderedCard } from './card-to-html.ts';
import { failureOf, refusalOf, safeError } from './failure.ts';
import { chatKey, LIMITS, paceOf } from './limits.ts';

/** Sends a file, whose turn has come, as a stream: a picture to look at, anything else to open. Never rejects. */
export const sendFile = async (
  { files, pacer, log }: Pick<BotParts, 'pacer' | 'log'> & { readonly files: Api },
  channel: string,
  { name, content, title, altText }: OutgoingFile,
  card?: Card,
): Promise<Delivery> => {
  const chatId = Number(channel);
  const input = new InputFile(() => content.stream(), name);
  // Telegram has no other words for a reader who does not see a picture.
  const words =
    card === undefined
      ? { caption: cut(altText ?? title, LIMITS.captionLength) }
      : captionOf(cardToHtml(card));
  const isPicture = content.type.startsWith('image/') && content.size <= LIMITS.photoBytes;
  try {
    const asFile = () => files.sendDocument(chatId, input, words);
    const { message_id: id } = isPicture
      ? await files.sendPhoto(chatId, input, words).catch((error: unknown) => {
          // Too narrow, too long or unreadable for a picture to look at.
          if (refusalOf(error) !== 'noPhoto') throw error;
          pacer.spend(paceOf(channel, 'answer'));
          return asFile();
        })
      : await asFile();
    const conversation = { platform: 'telegram', channel };
    return { kind: 'delivered', ref: { conversation, message: String(id) } };
  } catch (error) {
    const failure = failureOf(error);
    log.warn({ failure: failure.kind, ...safeError(error) }, 'Telegram did not take a file');
    if (failure.kind === 'rateLimited') pacer.block(chatKey(channel), failure.retryAfterMs);
    return failure;
  }
};

const captionOf = ({ html, keyboard }: RenderedCard) => ({
  caption: html,
  parse_mode: 'HTML' as const,
  reply_markup: { inline_keyboard: keyboard },
});
