import type { InlineKeyboardButton } from 'grammy/types';
import type { Button } from '../../commands/cards/card.ts';
import { cleanText } from './escape.ts';
import { LIMITS } from './limits.ts';

type LinkButton = Extract<Button, { kind: 'link' }>;

/** Telegram refuses a whole message for one link button it does not like, such as `http://localhost`. */
export const isLinkable = ({ url }: LinkButton): boolean => {
  const parts = URL.parse(url);
  return parts !== null && /^https?:$/.test(parts.protocol) && /[.:]/.test(parts.hostname);
};

/** Buttons in rows, as many side by side as their labels allow. */
export const keyboardOf = (buttons: readonly Button[]): InlineKeyboardButton[][] => {
  const rows: InlineKeyboardButton[][] = [];
  let room = 0;
  for (const button of buttons.slice(0, LIMITS.buttons)) {
    const row = rows.at(-1);
    room -= button.label.length;
    if (row === undefined || room < 0 || row.length === LIMITS.buttonsInRow) {
      rows.push([inlineButton(button)]);
      room = LIMITS.rowLabelLength - button.label.length;
    } else row.push(inlineButton(button));
  }
  return rows;
};

const inlineButton = (button: Button): InlineKeyboardButton => {
  const text = cleanText(button.label);
  if (button.kind === 'link') return { text, url: button.url };
  const { style } = button;
  return { text, callback_data: callbackData(button), ...(style === undefined ? {} : { style }) };
};

const callbackData = ({ verb, id }: { verb: string; id: string }): string => {
  const data = `${verb}:${id}`;
  // Ours by construction, so anything longer is a mistake in the program and must not go out cut off.
  if (Buffer.byteLength(data) > LIMITS.callbackDataBytes)
    throw new RangeError(`button data over ${LIMITS.callbackDataBytes} bytes: verb ${verb}`);
  return data;
};

/** The verb and id of a pressed button; data that no button of ours carried comes through as it is. */
export const readCallbackData = (data: string): { verb: string; id: string } => {
  const colon = data.indexOf(':');
  if (colon < 0) return { verb: data, id: '' };
  return { verb: data.slice(0, colon), id: data.slice(colon + 1) };
};
