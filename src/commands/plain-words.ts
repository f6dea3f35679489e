import { plainText } from '../core/values/normalise-input.ts';
import { findNamed } from './charge/charge-by-name.ts';
import { readCharge } from './charge/parse-charge.ts';
import { type Context, momentOf, type Services } from './command.ts';
import { parsePayments } from './payments/parse-payments.ts';

/** A command's name, and the words behind it. */
export type TypedCommand = readonly [name: string, words: string];

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
  // Without capitals and the marks that end a sentence.
  const said = plainText(typed)
    .toLowerCase()
    .replace(/[?!.\s]+$/, '');
  return (
    whoPaid(said) ??
    (await chargeIn(needs, typed, context)) ??
    SAYINGS.find(([saying]) => saying.test(said))?.[1] ??
    paymentsIn(needs, said)
  );
};

/** Money for the customer, of whom a charge would take it. */
const MONEY_BACK = /\b(?:refund|return|back\b)/i;

/** A number with an amount behind it, however that is written; or an own recent customer with a readable amount. */
const chargeIn = async (
  needs: PlainWordsNeeds,
  typed: string,
  context: Context,
): Promise<TypedCommand | undefined> => {
  if (MONEY_BACK.test(typed)) return undefined;
  const { parts, complaints } = readCharge(typed, needs.settings);
  const { number, customer, amount } = parts;
  const [wrong] = complaints;
  const isClear = wrong === undefined || (wrong.field === 'amount' && wrong.beside === undefined);
  if (number !== undefined && isClear && (wrong !== undefined || amount !== undefined))
    return ['charge', typed];
  if (customer === undefined || amount === undefined || wrong !== undefined) return undefined;
  // Names that belong to no customer of theirs are words like any other.
  if (!context.grants.may('charge')) return undefined;
  const found = await findNamed(needs, customer, context);
  return 'number' in found || found.several !== undefined ? ['charge', typed] : undefined;
};

/** `who paid today?`, `who has not paid?` */
const WHO_PAID = /^(?:who|which customers?) (?:(?:has|have) )?(?<not>not )?paid\b(?<when>.*)$/;

const whoPaid = (said: string): TypedCommand | undefined => {
  const { not, when } = WHO_PAID.exec(said)?.groups ?? {};
  if (when === undefined) return undefined;
  const state = not === undefined ? 'completed' : 'open failed';
  return ['payments', `${when.trim() || 'today'} ${state}`];
};

/** Nothing but times and states: `today`, `failed yesterday`. A name such as `May` is not taken for one. */
const paymentsIn = (needs: PlainWordsNeeds, said: string): TypedCommand | undefined => {
  const read = parsePayments(said, momentOf(needs), needs.settings);
  if (!read.ok || read.value.isName || read.value.sought !== '') return undefined;
  const { period, states } = read.value;
  return period === undefined && states.length === 0 ? undefined : ['payments', said];
};

const SAYINGS: readonly (readonly [RegExp, TypedCommand])[] = [
  [/^(?:(?:what is|what's|show) )?(?:(?:my|our|the) )?balances?$/, ['balance', '']],
  [/^today$/, ['today', '']],
  [/^my day$/, ['today', 'me']],
];
