import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { formatMoney, parseMoney } from '../../core/values/money.ts';
import { checkText } from '../sms/parse-sms.ts';
import {
  FIELDS_OF_ALL,
  type FieldValues,
  fieldsIn,
  filledIn,
  type Template,
  type TemplateField,
} from '../sms/templates.ts';
import { type FileRows, formulaIn, readNumber, readRows } from './read-rows.ts';
import { readTable, type TableRow } from './read-table.ts';

/** An SMS that a row asks for. */
export type SmsRow = {
  readonly row: number;
  readonly customerNumber: string;
  readonly text: string;
};

export type SmsFile = FileRows<SmsRow>;

type Defaults = {
  readonly country: string;
  readonly currency: string;
  /** Of fields that are the same for all, where the file has no column for them. */
  readonly values: FieldValues;
};

/** Reads a file of SMS: a column for the number, and one for each field of the template. */
export const readSmsFile = (
  bytes: Uint8Array,
  template: Template,
  defaults: Defaults,
): Parsed<SmsFile> => {
  const fields = fieldsIn(template.text);
  const isOfAll = (field: TemplateField) => FIELDS_OF_ALL.includes(field);
  const table = readTable<'number' | TemplateField>(bytes, {
    needed: ['number', ...fields.filter((field) => !isOfAll(field))],
    other: fields.filter(isOfAll),
  });
  if (!table.ok) return table;
  const read = (row: TableRow<'number' | TemplateField>) => readRow(row, template, defaults);
  return parsed(readRows(table.value, read, smsKey));
};

/** Rows are the same when one person would read the same twice. */
const smsKey = ({ customerNumber, text }: SmsRow): string => `${customerNumber} ${text}`;

const readRow = (
  { row, cells }: TableRow<'number' | TemplateField>,
  template: Template,
  { country, currency, values }: Defaults,
): Parsed<SmsRow> => {
  const number = readNumber(cells.number, country);
  if (!number.ok) return number;
  const own: Partial<Record<TemplateField, string>> = { ...values };
  for (const field of fieldsIn(template.text)) {
    const value = readField(field, cells[field] || (values[field] ?? ''), currency);
    if (!value.ok) return value;
    own[field] = value.value;
  }
  const text = checkText(filledIn(template, own));
  if (!text.ok) return text;
  return parsed({ row, customerNumber: number.value.e164, text: text.value });
};

const readField = (field: TemplateField, cell: string, currency: string): Parsed<string> => {
  if (cell === '') return wrong(`The column "${field}" is empty, and the template needs it.`);
  if (field === 'amount') {
    const amount = parseMoney(cell, currency);
    return amount.ok ? parsed(formatMoney(amount.value)) : amount;
  }
  return formulaIn(cell) ?? parsed(cell);
};
