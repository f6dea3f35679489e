import type { InlineKeyboardButton } from 'grammy/types';
import type { Button } from '../../commands/cards/card.ts';
import { buttonValue } from '../button-value.ts';
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

const callbackData = (button: Extract<Button, { kind: 'press' }>): string => {
  const data = buttonValue(button);
  // Ours by construction, so anything longer is a mistake in the program and must not go out cut off.
  if (Buffer.byteLength(data) > LIMITS.callbackDataBytes)
    throw new RangeError(`button data over ${LIMITS.callbackDataBytes} bytes: verb ${button.verb}`);
  return data;
};
