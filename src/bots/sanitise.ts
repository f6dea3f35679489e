/** Control characters but line breaks, and the marks that hide text or turn its direction round. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/gu;
const LINE_BREAKS = /\r\n?|[\u2028\u2029]/g;

/** Text from outside without what a reader does not see: nothing hidden, nothing reversed, no broken characters. */
export const sanitise = (text: string): string =>
  text
    .toWellFormed()
    .replace(LINE_BREAKS, '\n')
    .replace(HIDDEN, (mark) => (mark === '\n' ? '\n' : mark === '\t' ? ' ' : ''));

/** At most `longest` UTF-16 units, with an ellipsis where something was cut off; never half a character. */
export const cut = (text: string, longest: number): string => {
  if (text.length <= longest) return text;
  const kept = text.slice(0, longest - 1);
  // Slack refuses a lone surrogate, Telegram shows it as rubbish.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
};
