import type { ChargeTerms } from '../../core/records/payment.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { type Money, parseMoney } from '../../core/values/money.ts';
import { guessNetwork, isCard, type NetworkCode, parseNetwork } from '../../core/values/network.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { checkReference } from '../charge/parse-charge.ts';
import { type FileRows, formulaIn, readNumber, readRows } from './read-rows.ts';
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

export type ChargeFile = FileRows<ChargeRow>;

type Defaults = { readonly country: string; readonly currency: string };

/** Reads a file of charges. A mistake of one row leaves that row out; a mistake of the file is a problem. */
export const readChargeFile = (bytes: Uint8Array, defaults: Defaults): Parsed<ChargeFile> => {
  const table = readTable<Column>(bytes, {
    needed: ['number', 'amount'],
    other: ['reference', 'network', 'name'],
  });
  if (!table.ok) return table;
  let currency: string | undefined;
  const read = (row: TableRow<Column>): Parsed<ChargeRow> => {
    const charge = readRow(row, defaults, currency);
    if (charge.ok) currency ??= charge.value.amount.currency;
    return charge;
  };
  return parsed(readRows(table.value, read, chargeKey));
};

/** Rows are the same when the customer would be charged the same for the same thing. */
const chargeKey = ({ customerNumber, amount, network, reference }: ChargeRow): string =>
  JSON.stringify([customerNumber, amount.amountMinor, network, reference?.toLowerCase()]);

const readRow = (
  { row, cells }: TableRow<Column>,
  { country, currency }: Defaults,
  currencyOfFile: string | undefined,
): Parsed<ChargeRow> => {
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

const readReference = (cell: string): Parsed<string> => {
  return formulaIn(cell) ?? (cell === '-' ? parsed('') : checkReference(cell));
};

const MOST_NAME_CHARACTERS = 100;

const readName = (cell: string): Parsed<string> => {
  const formula = formulaIn(cell);
  if (formula !== undefined) return formula;
  if (hasCardNumber(cell)) return neverTypeCards();
  return cell.length > MOST_NAME_CHARACTERS
    ? wrong('The name is too long. It can have 100 characters.')
    : parsed(cell === '-' ? '' : cell);
};
