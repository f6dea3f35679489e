import {
  addedUp,
  type FigureGroup,
  type FiguresAsked,
  type PaymentFigure,
} from '../../records/payment-figures.ts';
import { nextTurn } from '../../runtime/turn-budget.ts';
import { inTime, paymentFiguresQuery } from '../sql/payment-figures.ts';
import type { Query } from '../sql/sql.ts';

type Select = <Row extends object>(query: Query) => Row[];

/** Counted in about 3 ms: a callback is answered in some turns of the event loop, each of which may have a slice in it. */
const IN_A_SLICE = 1_000;

/**
 * The figures of a time, counted in slices of so many payments: SQLite is synchronous, and a busy day in one go would
 * keep everybody waiting. Each payment is counted once, as it is when its slice is.
 */
export const figuresInSlices = async <Group extends FigureGroup>(
  select: Select,
  asked: FiguresAsked<Group>,
  inASlice = IN_A_SLICE,
): Promise<PaymentFigure<Group>[]> => {
  const figures = new Map<string, PaymentFigure<Group>>();
  let { fromMs } = asked;
  for (;;) {
    const untilMs = endOfSlice(select, { ...asked, fromMs }, inASlice);
    const slice = { ...asked, fromMs, untilMs };
    addedUp(select<PaymentFigure<Group>>(paymentFiguresQuery(slice)), groupOf, figures);
    if (untilMs >= asked.untilMs) return [...figures.values()];
    fromMs = untilMs;
    await nextTurn();
  }
};

const groupOf = ({
  count: _,
  amountMinor: __,
  givenBackMinor: ___,
  ...group
}: PaymentFigure): string => JSON.stringify(Object.values(group));

/** The time of the first payment behind a slice, of whatever merchant: an index counts those. */
const endOfSlice = (
  select: Select,
  { merchant: _, ...asked }: FiguresAsked<FigureGroup>,
  inASlice: number,
): number => {
  const { fromMs, untilMs, time } = asked;
  const { text, values } = inTime(asked);
  const [next] = select<{ ms: number }>({
    text: `SELECT ${time}_ms AS ms FROM payments ${text} ORDER BY ${time}_ms LIMIT 1 OFFSET ?`,
    values: [...values, inASlice],
    isKept: true,
  });
  // More than a slice in one millisecond is counted at once.
  return next === undefined ? untilMs : Math.max(next.ms, fromMs + 1);
};
