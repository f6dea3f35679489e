import { plainText } from '../core/values/normalise-input.ts';
import { searchWords } from '../core/values/search-words.ts';
import { ENGLISH } from './charge/charge-keywords.ts';
import { readCharge } from './charge/parse-charge.ts';
import { recentCustomers } from './charge/recent-customers.ts';
import { type Context, momentOf, type Services } from './command.ts';
import { type PaymentsQuery, parsePayments } from './payments/parse-payments.ts';

export type TypedCommand = readonly [name: string, words: string];

type Settings = Services['settings'];
type PlainWordsNeeds = Pick<Services, 'store' | 'settings' | 'clock'>;

/**
 * The command that words without one stand for, in a private chat: `0244123456 50`, `Adwoa 50`, `who paid today?`,
 * `today`, `balance?`. Undefined: none for certain. A charge still asks its question, as if its command had been typed.
 */
export const commandInWords = async (
  needs: PlainWordsNeeds,
  typed: string,
  context: Context,
): Promise<TypedCommand | undefined> => {
  // Without the marks that end a sentence.
  const said = plainText(typed).replace(/[?!.\s]+$/, '');
  const saying = whoPaid(said) ?? SAYINGS.find(([each]) => each.test(said))?.[1];
  if (saying !== undefined) return saying;
  const query = parsePayments(said, momentOf(needs), needs.settings);
  if (!query.ok) return undefined;
  const { period, states } = query.value;
  // A charge that was meant as a search takes money: with a time or a state it is none.
  const isSearch = period !== undefined || states.length > 0;
  const meant = isSearch ? searchIn(query.value, needs.settings) : chargeIn(typed, needs.settings);
  const isCertain = meant?.customer ? await isOwnCustomer(needs, meant.customer, context) : meant;
  if (!isCertain) return undefined;
  return isSearch ? ['payments', said] : ['charge', typed];
};

/** `customer`: certain only if this is an own recent customer's name. */
type Meant = { readonly customer?: string | undefined } | undefined;

/** Times and states alone, or beside a number or a name. A name such as `May` is not taken for one. */
const searchIn = ({ customerNumber, sought, isName }: PaymentsQuery, settings: Settings): Meant => {
  if (customerNumber !== undefined || (sought === '' && !isName)) return {};
  const { parts, complaints } = readCharge(sought, settings);
  const { customer, reference } = parts;
  // Beside a reference the time may be a part of it.
  const isClear = complaints.length === 0 && reference === undefined && !isName;
  return isClear && customer !== undefined ? { customer } : undefined;
};

/** Money for the customer, of whom a charge would take it. */
const MONEY_BACK = /\b(?:refund|return|back\b)/i;

/** A number with an amount behind it, however that is written; or a name with a readable amount. */
const chargeIn = (typed: string, settings: Settings): Meant => {
  if (MONEY_BACK.test(typed)) return undefined;
  const { parts, complaints } = readCharge(typed, settings);
  const { number, customer, amount } = parts;
  const [wrong] = complaints;
  const isClear = wrong === undefined || (wrong.field === 'amount' && wrong.beside === undefined);
  if (number !== undefined) return isClear && (wrong ?? amount) !== undefined ? {} : undefined;
  const isReadable = amount !== undefined && wrong === undefined;
  return isReadable && customer !== undefined ? { customer } : undefined;
};

/** Names that belong to no customer of theirs are words like any other. */
const isOwnCustomer = async (
  { store }: PlainWordsNeeds,
  typed: string,
  { grants, caller }: Context,
): Promise<boolean> =>
  grants.may('charge') &&
  (await recentCustomers(store, caller)).some(({ name = '' }) => isCalled(name, typed));

/** Two letters, with which too many names begin, and what answers a question. */
const NO_NAME = /^(?:..?|yes|none|skip|cancel)$/;

/** Whether each word begins one of the name; a word such as `top` is a whole one or none. */
const isCalled = (name: string, typed: string): boolean =>
  searchWords(typed).every(
    (word) =>
      !NO_NAME.test(word) &&
      searchWords(name).some((one) => (ENGLISH.test(word) ? one === word : one.startsWith(word))),
  );

/** `who paid today?`, `who has not paid?` */
const WHO_PAID = /^(?:who|which customers?) (?:(?:has|have) )?(?<not>not )?paid\b(?<when>.*)$/i;

const whoPaid = (said: string): TypedCommand | undefined => {
  const { not, when } = WHO_PAID.exec(said)?.groups ?? {};
  if (when === undefined) return undefined;
  const state = not === undefined ? 'completed' : 'open failed';
  return ['payments', `${when.trim() || 'today'} ${state}`];
};

const SAYINGS: readonly (readonly [RegExp, TypedCommand])[] = [
  [/^(?:(?:what is|what's|show) )?(?:(?:my|our|the) )?balances?$/i, ['balance', '']],
  [/^today$/i, ['today', '']],
  [/^my day$/i, ['today', 'me']],
];
