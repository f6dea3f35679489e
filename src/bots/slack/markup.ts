/** Slack's three special characters, for text that Slack reads as markup. The only place that escapes. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `<tel:0244123456|0244123456>`, `<@U024BE7LH|ama>`, `<!here>`: what Slack makes of what was typed. */
const TOKEN = /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g;

/** Slack's text as the person typed it. A typed `<` arrives as `&lt;`, so angle brackets are Slack's own. */
export const textAsTyped = (text: string): string =>
  text
    .replace(TOKEN, (_, sign: string, target: string, label: string | undefined) =>
      sign === '' ? (label ?? target) : named(sign, label ?? target),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    // Last, or a typed "&lt;" would become a bracket.
    .replaceAll('&amp;', '&');

const named = (sign: string, name: string): string => {
  const mark = sign === '#' ? '#' : '@';
  return name.startsWith(mark) ? name : `${mark}${name}`;
};

/** The same with the ids of people in place of their names, which can be copied. */
export const withIds = (text: string): string =>
  text.replace(/<@([UW][A-Z0-9]+)\|[^<>]*>/g, '<@$1>');

/** What follows the first mention of the bot; the whole text when it is not mentioned. */
export const afterMention = (text: string, botUserId: string): string => {
  const mention = new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>`).exec(text);
  return mention === null ? text : text.slice(mention.index + mention[0].length);
};
