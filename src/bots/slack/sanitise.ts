/** Control characters but line breaks, and the marks that hide text or turn its direction round. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/gu;
const LINE_BREAKS = /\r\n?|[\u2028\u2029]/g;

/** Words from anywhere, made harmless to look at: nothing hidden, nothing reversed, no broken characters. */
export const sanitise = (text: string): string =>
  text
    .toWellFormed()
    .replace(LINE_BREAKS, '\n')
    .replace(HIDDEN, (mark) => (mark === '\n' ? '\n' : mark === '\t' ? ' ' : ''));

/** At most `longest` characters, with an ellipsis where something was cut off. */
export const cut = (text: string, longest: number): string => {
  if (text.length <= longest) return text;
  const kept = text.slice(0, longest - 1);
  // Never half a character: a lone surrogate is refused or shown as rubbish.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
};

/** Slack's three special characters, for text that Slack reads as markup. The only place that escapes. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
