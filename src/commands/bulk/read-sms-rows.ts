import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { TurnBudget } from '../../core/runtime/turn-budget.ts';
import { formatMoney } from '../../core/values/money.ts';
import { checkText } from '../sms/parse-sms.ts';
import {
  FIELDS_OF_ALL,
  type FieldValues,
  fieldsIn,
  filledIn,
  type Template,
  type TemplateField,
} from '../sms/templates.ts';
import { amountReader } from './read-amounts.ts';
import { type CustomerRow, type FileRows, formulaIn, readNumber, readRows } from './read-rows.ts';
import { type Columns, readTable, type TableRow } from './read-table.ts';

export type SmsRow = CustomerRow & { readonly text: string };

export type SmsFile = FileRows<SmsRow>;

type Defaults = {
  readonly country: string;
  readonly currency: string;
  /** Of fields that are the same for all, where the file has no column for them. */
  readonly values: FieldValues;
};

/** Reads a file of SMS: a column for the number, and one for each field of the template. */
export const readSmsFile = async (
  bytes: Uint8Array,
  template: Template,
  defaults: Defaults,
  turns = new TurnBudget(),
): Promise<Parsed<SmsFile>> => {
  const fields = fieldsIn(template.text);
  const isOfAll = (field: TemplateField) => FIELDS_OF_ALL.includes(field);
  const columns: Columns<Column> = {
    needed: ['number', ...fields.filter((field) => !isOfAll(field))],
    other: ['currency', ...fields.filter(isOfAll)],
    ofResult:
      'A file of results cannot be sent. Take out its columns "state" and "transaction_id".',
  };
  const table = await readTable(bytes, columns, turns);
  if (!table.ok) return table;
  const readAmount = amountReader(table.value.rows, defaults.currency);
  const read = (row: TableRow<Column>) => readRow(row, template, defaults, readAmount);
  return parsed(await readRows(table.value, read, turns));
};

type Column = 'number' | 'currency' | TemplateField;

const readRow = (
  { row, cells }: TableRow<Column>,
  template: Template,
  { country, values }: Defaults,
  readAmount: ReturnType<typeof amountReader>,
): Parsed<SmsRow> => {
  const number = readNumber(cells.number, country);
  if (!number.ok) return number;
  const own: Partial<Record<TemplateField, string>> = { ...values };
  for (const field of fieldsIn(template.text)) {
    const value = readField(field, cells[field] || (values[field] ?? ''), cells, readAmount);
    if (!value.ok) return value;
    own[field] = value.value;
  }
  const text = checkText(filledIn(template, own));
  return text.ok ? parsed({ row, customerNumber: number.value.e164, text: text.value }) : text;
};

const readField = (
  field: TemplateField,
  cell: string,
  cells: TableRow<Column>['cells'],
  readAmount: ReturnType<typeof amountReader>,
): Parsed<string> => {
  if (cell === '') return wrong(`The column "${field}" is empty, and the template needs it.`);
  if (field !== 'amount') return formulaIn(cell) ?? parsed(cell);
  const amount = readAmount(cells);
  return amount.ok ? parsed(formatMoney(amount.value)) : amount;
};
