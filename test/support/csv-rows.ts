import { parse } from 'csv-parse/sync';

/** The rows of a CSV file of ours by the names of its columns. It ends lines as RFC 4180 has it, behind a byte order mark. */
export const csvRows = (file: Buffer | string): Record<string, string>[] =>
  parse(file, { bom: true, columns: true, record_delimiter: '\r\n' });
