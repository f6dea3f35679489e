import type { ChargeTerms } from '../../core/records/payment.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import {
  type CustomerNumber,
  numberParts,
  parseCustomerNumber,
} from '../../core/values/customer-number.ts';
import { type Money, parseMoney } from '../../core/values/money.ts';
import { guessNetwork, isCard, type NetworkCode, parseNetwork } from '../../core/values/network.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { checkReference } from '../charge/parse-charge.ts';
import { readTable, type TableRow } from './read-table.ts';

type Column = 'number' | 'amount' | 'reference' | 'network' | 'name';

/** A charge that a row asks for. */
export type ChargeRow = Pick<ChargeTerms, 'amount' | 'customerNumber' | 'network'> & {
  readonly row: number;
  readonly reference?: string;
  /** The customer as the file names them. */
  readonly name?: string;
  /** The number could be one, but is not known to be in use. */
  readonly doubtful: boolean;
};

/** A row that is left out, and why. */
export type BadRow = {
  readonly row: number;
  readonly why: string;
  readonly whole: readonly string[];
};

export type ChargeFile = {
  readonly header: readonly string[];
  readonly good: readonly ChargeRow[];
  readonly bad: readonly BadRow[];
  /** Rows that repeat an earlier one, which counts. */
  readonly twice: readonly { readonly row: number; readonly first: number }[];
  /** Rows whose number has no leading 0, as a spreadsheet leaves it: to be asked about once, before any is charged. */
  readonly withoutZero: readonly number[];
};

type Defaults = { readonly country: string; readonly currency: string };

/** Reads a file of charges. A mistake of one row leaves that row out; a mistake of the file is a problem. */
export const readChargeFile = (bytes: Uint8Array, defaults: Defaults): Parsed<ChargeFile> => {
  const table = readTable<Column>(bytes, {
    needed: ['number', 'amount'],
    other: ['reference', 'network', 'name'],
  });
  if (!table.ok) return table;
  const { header, rows } = table.value;
  const good = new Map<string, ChargeRow>();
  const bad: BadRow[] = [];
  const twice: { row: number; first: number }[] = [];
  const withoutZero: number[] = [];
  let currency: string | undefined;
  for (const row of rows) {
    const read = readRow(row, defaults, currency);
    if (!read.ok) {
      bad.push({ row: row.row, why: read.problem.message, whole: row.whole });
      continue;
    }
    currency ??= read.value.amount.currency;
    const key = chargeKey(read.value);
    const first = good.get(key);
    if (first !== undefined) {
      twice.push({ row: row.row, first: first.row });
      continue;
    }
    good.set(key, read.value);
    if (lacksZero(row.cells.number, read.value.customerNumber)) withoutZero.push(row.row);
  }
  return parsed({ header, good: [...good.values()], bad, twice, withoutZero });
};

/** Rows are the same when the customer would be charged the same for the same thing. */
const chargeKey = ({ customerNumber, amount, network, reference }: ChargeRow): string =>
  JSON.stringify([customerNumber, amount.amountMinor, network, reference?.toLowerCase()]);

const readRow = (
  { row, cells, problem }: TableRow<Column>,
  { country, currency }: Defaults,
  currencyOfFile: string | undefined,
): Parsed<ChargeRow> => {
  if (problem !== undefined) return wrong(problem);
  const number = readNumber(cells.number, country);
  if (!number.ok) return number;
  const amount = readAmount(cells.amount, currencyOfFile, currency);
  if (!amount.ok) return amount;
  const network = readNetwork(cells.network ?? '', number.value);
  if (!network.ok) return network;
  const reference = readReference(cells.reference ?? '');
  if (!reference.ok) return reference;
  const name = readName(cells.name ?? '');
  if (!name.ok) return name;
  return parsed({
    row,
    customerNumber: number.value.e164,
    doubtful: number.value.doubtful,
    amount: amount.value,
    network: network.value,
    ...(reference.value === '' ? {} : { reference: reference.value }),
    ...(name.value === '' ? {} : { name: name.value }),
  });
};

/** How spreadsheets write a number with too many digits for a column: 2.44E+11. Its last digits are lost. */
const SCIENTIFIC = /^\d([.,]\d+)?e\+?\d+$/i;

const readNumber = (cell: string, country: string): Parsed<CustomerNumber> => {
  if (SCIENTIFIC.test(cell))
    return wrong(
      `The spreadsheet shortened the number to ${quoted(cell)}. Format the column as text.`,
    );
  // In front of a + it keeps a spreadsheet from reading a formula.
  return parseCustomerNumber(cell.replace(/^'(?=[+\d])/, ''), country);
};

/** Whether digits were typed without the 0 that the number has inside its country. */
const lacksZero = (cell: string, e164: string): boolean => {
  const digits = cell.replace(/\D/g, '');
  if (cell.includes('+') || digits.startsWith('0')) return false;
  const { nationalNumber, trunk } = numberParts(e164);
  return trunk !== '' && digits === nationalNumber;
};

const readAmount = (
  cell: string,
  currencyOfFile: string | undefined,
  defaultCurrency: string,
): Parsed<Money> => {
  const amount = parseMoney(cell, defaultCurrency);
  if (!amount.ok || amount.value.currency === (currencyOfFile ?? amount.value.currency))
    return amount;
  return wrong(
    `This row is in ${amount.value.currency}, the rows above in ${currencyOfFile}. Put it into a file of its own.`,
  );
};

const readNetwork = (cell: string, { e164 }: CustomerNumber): Parsed<NetworkCode> => {
  if (cell === '') {
    const guess = guessNetwork(e164);
    return guess === undefined
      ? wrong('I cannot tell the network of this number. Write it in a column "network".')
      : parsed(guess);
  }
  const network = parseNetwork(cell);
  if (network === undefined)
    return wrong(`I do not know the network ${quoted(cell)}. Write MTN, Telecel or AT.`);
  return isCard(network)
    ? wrong('Cards cannot be charged by file. Write MTN, Telecel or AT.')
    : parsed(network);
};

/** What a spreadsheet would calculate. A lone dash stands for nothing, and is taken so. */
const FORMULA = /^[=@]|^[+-].*[(!]/;

const readReference = (cell: string): Parsed<string> => {
  if (FORMULA.test(cell)) return formula(cell);
  return cell === '-' ? parsed('') : checkReference(cell);
};

const MOST_NAME_CHARACTERS = 100;

const readName = (cell: string): Parsed<string> => {
  if (FORMULA.test(cell)) return formula(cell);
  if (hasCardNumber(cell)) return neverTypeCards();
  return cell.length > MOST_NAME_CHARACTERS
    ? wrong('The name is too long. It can have 100 characters.')
    : parsed(cell === '-' ? '' : cell);
};

const formula = (cell: string) =>
  wrong(`${quoted(cell)} is a formula. Save the sheet with its values.`);
