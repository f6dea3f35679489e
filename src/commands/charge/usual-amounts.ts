import type { Store } from '../../core/store/store.ts';
import type { Person } from '../../core/values/conversation.ts';
import { formatMoney, parseMoney } from '../../core/values/money.ts';
import type { Suggestions } from '../forms/form.ts';

/** The person's newest payments in which amounts are counted. */
const COUNTED_PAYMENTS = 100;
const MOST_USED = 3;
/** In whole units of the shop's currency. */
const ROUND_AMOUNTS = ['10', '20', '50', '100', '200'];

/** Amounts to pick: the three that the person asks for most, the newest first among equals, then round ones. */
export const usualAmounts = async (
  store: Pick<Store, 'listPayments'>,
  { platform, id }: Person,
  currency: string,
): Promise<Suggestions> => {
  const filter = { requester: `${platform}:${id}` };
  const { payments } = await store.listPayments(filter, { limit: COUNTED_PAYMENTS });
  const uses = Map.groupBy(payments, ({ terms }) => formatMoney(terms.amount));
  // A stable sort: groups come in the order of their newest payment.
  const used = [...uses].sort(([, one], [, other]) => other.length - one.length);
  const round = ROUND_AMOUNTS.flatMap((whole) => {
    const read = parseMoney(whole, currency);
    return read.ok ? [formatMoney(read.value)] : [];
  });
  const amounts = new Set([...used.slice(0, MOST_USED).map(([amount]) => amount), ...round]);
  return {
    label: 'Or a usual amount',
    unnumbered: true,
    choices: [...amounts].map((amount) => ({ value: amount, label: amount })),
  };
};
