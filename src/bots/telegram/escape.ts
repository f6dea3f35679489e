import { sanitise } from '../sanitise.ts';

/** Telegram turns `@name` into a mention that notifies that account; e-mail addresses it leaves alone. */
const MENTION = /(?<!\w)@(?=\w)/g;
const WORD_JOINER = '\u{2060}';

/** Text from outside as it may be shown: sanitised, and no `@name` in it becomes a mention. */
export const cleanText = (text: string): string =>
  sanitise(text).replace(MENTION, `@${WORD_JOINER}`);

/** The one place where text becomes HTML. Good for attributes as well. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
