import { givenBackOf } from '../../src/core/records/given-back.ts';
import type { Payment } from '../../src/core/records/payment.ts';
import type {
  FigureGroup,
  FiguresAsked,
  PaymentFigure,
} from '../../src/core/records/payment-figures.ts';

const QUARTER_MS = 15 * 60_000;

const GROUPS: Readonly<Record<FigureGroup, (payment: Payment) => string | number | null>> = {
  requester: ({ requester: { platform, id } }) => `${platform}:${id}`,
  place: ({ conversation: { platform, channel } }) => `${platform}:${channel}`,
  network: ({ terms }) => terms.network,
  option: ({ terms }) => terms.option,
  merchant: ({ terms }) => terms.merchant ?? null,
  countedFor: ({ countedFor }) => (countedFor === undefined ? null : JSON.stringify(countedFor)),
  run: ({ bulk }) => bulk?.run ?? null,
  quarter: ({ confirmedAtMs }) => Math.floor(confirmedAtMs / QUARTER_MS),
  secondsToSettle: ({ confirmedAtMs, settledAtMs }) =>
    settledAtMs === undefined ? null : Math.trunc((settledAtMs - confirmedAtMs) / 1_000),
};

/** What a store counts, by reading every payment: each is a figure of its own. */
export const figuresOf = <Group extends FigureGroup>(
  payments: readonly Payment[],
  { time, fromMs, untilMs, requester, merchant, by = [] }: FiguresAsked<Group>,
): PaymentFigure<Group>[] =>
  payments
    .filter((payment) => {
      const atMs = time === 'confirmed' ? payment.confirmedAtMs : payment.settledAtMs;
      const isTheirs =
        (requester === undefined || GROUPS.requester(payment) === requester) &&
        (merchant === undefined || payment.terms.merchant === merchant);
      return isTheirs && atMs !== undefined && atMs >= fromMs && atMs < untilMs;
    })
    .map((payment) => {
      const { state, flag = null, terms } = payment;
      const groups = Object.fromEntries(by.map((group) => [group, GROUPS[group](payment)]));
      const { currency, amountMinor } = terms.amount;
      // The keys of `by` are those that the type asks for, which the compiler cannot follow.
      const { amountMinor: givenBackMinor } = givenBackOf(payment);
      const sums = { count: 1, amountMinor, givenBackMinor };
      return { ...groups, state, currency, flag, ...sums } as PaymentFigure<Group>;
    });
