/** Begins a file, so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A line of RFC 4180 with its line break. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellText).join(',')}\r\n`;

/**
 * What a spreadsheet takes for a formula (https://owasp.org/www-community/attacks/CSV_Injection), also with full-width
 * signs, and also within a cell, behind whatever a spreadsheet with other settings takes for the end of one.
 */
const FORMULA =
  /^(?=[\t\r])|(?=[=+\-@＝＋－＠﹦﹢﹣﹫])(?<=(?:^|[;|\t\n\v\f\r\x85\u2028\u2029])[\s"\p{Cc}\p{Cf}]*)/gu;

const cellText = (text: string): string => {
  const safe = text.replace(FORMULA, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
