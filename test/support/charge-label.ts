/** What the button of a charge says, such as `Charge GHS 50.00` for what was typed as `0244123456 50 Invoice 17`. */
export const chargeLabel = (words: string): string =>
  `Charge GHS ${Number(words.split(' ')[1]).toFixed(2)}`;

/** The title of its question. */
export const chargeQuestion = (words: string): RegExp =>
  new RegExp(`${chargeLabel(words).replace('.', '\\.')}\\?`);
