/** Slack's three special characters, for text that Slack reads as markup. The only place that escapes. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
