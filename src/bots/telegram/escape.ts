/** What nobody sees but a reader may be fooled by: control characters, text direction, zero width. */
const INVISIBLE = /[[\p{Cc}\p{Bidi_Control}\u{200B}\u{2060}\u{FEFF}\u{AD}]--[\n\t]]/gv;
const LINE_BREAKS = /\r\n?|[\u{2028}\u{2029}]/gv;
/** Telegram turns `@name` into a mention that calls somebody; e-mail addresses it leaves alone. */
const MENTION = /(?<!\w)@(?=\w)/g;
const WORD_JOINER = '\u{2060}';

/** Text from anywhere, fit to be shown: what is invisible is gone, and no `@name` in it calls anybody. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(LINE_BREAKS, '\n')
    .replace(INVISIBLE, '')
    .replace(MENTION, `@${WORD_JOINER}`);

/** The one place where text becomes HTML. Good for attributes as well. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
