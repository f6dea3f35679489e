import { badRequest } from './api-error.ts';
import type { InlineButton } from './message.ts';

const LARGEST_DATA_BYTES = 64;
const MOST_BUTTONS = 100;
const STYLES = new Set(['danger', 'success', 'primary']);

/** The rows of an inline keyboard, or none for any other markup; throws what Telegram answers to a bad one. */
export const inlineKeyboardOf = (markup: unknown): InlineButton[][] => {
  if (markup === undefined || markup === null) return [];
  const value: unknown = typeof markup === 'string' ? parsed(markup) : markup;
  if (typeof value !== 'object' || value === null)
    throw badRequest('object expected as reply markup');
  if (!('inline_keyboard' in value)) return [];
  const rows = value.inline_keyboard;
  if (!Array.isArray(rows) || !rows.every(Array.isArray))
    throw badRequest(
      'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
    );
  if (rows.flat().length > MOST_BUTTONS) throw badRequest('reply markup is too long');
  return rows.map((row) => row.map(buttonOf)).filter((row) => row.length > 0);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("can't parse reply keyboard markup JSON object");
  }
};

const buttonOf = (value: Record<string, unknown>): InlineButton => {
  const { text, callback_data: data, url, style } = value;
  if (typeof text !== 'string' || text.trim() === '')
    throw badRequest('inline keyboard button text must be non-empty');
  if (style !== undefined && !STYLES.has(String(style)))
    throw badRequest("can't parse inline keyboard button: invalid button style specified");
  const looks = style === undefined ? { text } : { text, style: String(style) };
  if (typeof url === 'string' && url !== '') return { ...looks, url: checkedUrl(url) };
  if (typeof data !== 'string' || data === '')
    throw badRequest(
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    );
  if (Buffer.byteLength(data) > LARGEST_DATA_BYTES) throw badRequest('BUTTON_DATA_INVALID');
  return { ...looks, callback_data: data };
};

const checkedUrl = (url: string): string => {
  const parts = URL.parse(url);
  if (parts?.protocol === 'tg:') return url;
  if (parts === null || !/^https?:$/.test(parts.protocol) || !/[.:]/.test(parts.hostname))
    throw badRequest(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
  return url;
};
