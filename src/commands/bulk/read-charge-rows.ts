import type { ChargeTerms } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { TurnBudget } from '../../core/runtime/turn-budget.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import type { Money } from '../../core/values/money.ts';
import { guessNetwork, isCard, type NetworkCode, parseNetwork } from '../../core/values/network.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { checkReference } from '../charge/parse-charge.ts';
import { amountReader } from './read-amounts.ts';
import { type FileRows, formulaIn, readNumber, readRows } from './read-rows.ts';
import { readTable, type TableRow } from './read-table.ts';

type Column = 'number' | 'amount' | 'reference' | 'network' | 'name' | 'currency';

const COLUMNS = {
  needed: ['number', 'amount'],
  other: ['reference', 'network', 'name', 'currency'],
  ofResult: 'This file is the result of another one. Press "Ask again" on its card.',
} as const;

export type ChargeRow = Pick<ChargeTerms, 'amount' | 'customerNumber' | 'network'> & {
  readonly row: number;
  readonly reference?: string;
  /** The customer as the file names them. */
  readonly name?: string;
  /** The number could be one, but is not known to be in use. */
  readonly doubtful: boolean;
};

export type ChargeFile = FileRows<ChargeRow>;

/** Reads a file of charges. A mistake of one row leaves that row out; a mistake of the file is a problem. */
export const readChargeFile = async (
  bytes: Uint8Array,
  defaults: { readonly country: string; readonly currency: string },
  turns = new TurnBudget(),
): Promise<Parsed<ChargeFile>> => {
  const table = await readTable<Column>(bytes, COLUMNS, turns);
  if (!table.ok) return table;
  const readAmount = amountReader(table.value.rows, defaults.currency);
  let currency: string | undefined;
  const read = (row: TableRow<Column>): Parsed<ChargeRow> => {
    const charge = readRow(row, defaults.country, readAmount(row.cells));
    if (!charge.ok) return charge;
    const { amount } = charge.value;
    currency ??= amount.currency;
    if (amount.currency === currency) return charge;
    return wrong(
      `This row is in ${amount.currency}, the rows above in ${currency}. Put it into a file of its own.`,
    );
  };
  return parsed(await readRows(table.value, read, turns));
};

const readRow = (
  { row, cells }: TableRow<Column>,
  country: string,
  amount: Parsed<Money>,
): Parsed<ChargeRow> => {
  const number = readNumber(cells.number, country);
  if (!number.ok) return number;
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
    ...defined({ reference: reference.value || undefined, name: name.value || undefined }),
  });
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

const readReference = (cell: string): Parsed<string> =>
  formulaIn(cell) ?? (cell === '-' ? parsed('') : checkReference(cell));

const MOST_NAME_CHARACTERS = 100;

const readName = (cell: string): Parsed<string> => {
  const formula = formulaIn(cell);
  if (formula !== undefined) return formula;
  if (hasCardNumber(cell)) return neverTypeCards();
  return cell.length > MOST_NAME_CHARACTERS
    ? wrong('The name is too long. It can have 100 characters.')
    : parsed(cell === '-' ? '' : cell);
};
