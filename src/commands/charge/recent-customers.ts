import type { SuggestedAnswers } from '../../core/records/records.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Store } from '../../core/store/store.ts';
import type { Person } from '../../core/values/conversation.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import { FORGOTTEN_NAME, isPseudonym } from '../../core/values/pseudonym.ts';
import { plainLetters } from '../../core/values/search-words.ts';
import { nameFor } from '../cards/visibility.ts';

/** Read at most, newest first: what a person can remember, and a bounded cost. */
const MOST_PAYMENTS = 100;

const MOST_SUGGESTED = 5;

export type RecentCustomer = {
  /** E.164. */
  readonly number: string;
  /** As the account lookup gave it. */
  readonly name?: string;
};

type Payments = Pick<Store, 'listPayments'>;

/** A person's last payments. */
export const ownPayments = (store: Payments, { platform, id }: Person) =>
  store.listPayments({ requester: `${platform}:${id}` }, { limit: MOST_PAYMENTS });

/** The customers of a person's last payments, newest first, without those who were forgotten. */
export const recentCustomers = async (
  store: Payments,
  person: Person,
): Promise<RecentCustomer[]> => {
  const { payments } = await ownPayments(store, person);
  const found = new Map<string, RecentCustomer>();
  for (const { terms, maskedFrom } of payments) {
    const { customerNumber: number, customerName: name } = terms;
    // A colleague's customer, whose number this person never saw whole.
    if (maskedFrom !== undefined) continue;
    if (isPseudonym(number) || name === FORGOTTEN_NAME) continue;
    // An older payment may have the name that a newer look-up did not give.
    if (found.get(number)?.name === undefined) found.set(number, { number, ...defined({ name }) });
  }
  return [...found.values()];
};

/** Those whose name has each of these words in it, however it is capitalised or accented. */
export const customersNamed = (
  customers: readonly RecentCustomer[],
  typed: string,
): RecentCustomer[] => {
  const words = plainLetters(typed).split(' ');
  return customers.filter(({ name = '' }) =>
    words.every((word) => plainLetters(name).includes(word)),
  );
};

/** Customers to pick from; undefined without any. Masked: others may read the buttons. */
export const suggestionsOf = (
  customers: readonly RecentCustomer[],
  most = MOST_SUGGESTED,
): SuggestedAnswers | undefined =>
  customers.length === 0
    ? undefined
    : {
        label: 'Or a recent customer',
        other: 'Another number',
        choices: customers
          .slice(0, most)
          .map(({ number, name }) => ({ value: number, label: labelOf(number, name) })),
      };

const labelOf = (number: string, name: string | undefined): string =>
  name === undefined ? maskNumber(number) : `${nameFor('others too', name)} ${maskNumber(number)}`;
