import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GivenBack } from '../../../src/core/records/given-back.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { FigureGroup, FiguresAsked } from '../../../src/core/records/payment-figures.ts';
import { defined } from '../../../src/core/runtime/defined.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { figuresOf } from '../../support/figures-of.ts';
import { CONTRACT_NOW_MS, HOUR_MS, type OpenEmpty, opened, payment } from './records.ts';

/** The same by reading every payment. */
const recount = (payments: readonly Payment[], asked: FiguresAsked<FigureGroup>) => {
  const figures = new Map<string, { count: number; amountMinor: number; givenBackMinor: number }>();
  for (const { count, amountMinor, givenBackMinor = 0, ...alike } of figuresOf(payments, asked)) {
    const key = JSON.stringify(alike);
    const before = figures.get(key) ?? { count: 0, amountMinor: 0, givenBackMinor: 0 };
    const sums = {
      count: before.count + count,
      amountMinor: before.amountMinor + amountMinor,
      givenBackMinor: before.givenBackMinor + givenBackMinor,
    };
    figures.set(key, { ...alike, ...sums });
  }
  return inOrder(figures.values());
};

const inOrder = (figures: Iterable<object>): string[] =>
  [...figures].map((figure) => JSON.stringify(Object.entries(figure).sort())).sort();

/** Some days, down to the millisecond at which one ends. */
const time = fc.oneof(
  fc.integer({ min: CONTRACT_NOW_MS - 72 * HOUR_MS, max: CONTRACT_NOW_MS }),
  fc.integer({ min: 0, max: 288 }).map((quarter) => CONTRACT_NOW_MS - quarter * (HOUR_MS / 4)),
);
const person = fc.record({
  platform: fc.constantFrom('slack', 'telegram'),
  id: fc.constantFrom('U1', '77', '-5'),
  name: fc.constant('ama'),
});

const givenBack = (amountMinor: number, at: number): GivenBack => ({
  id: `back${at}`,
  amountMinor,
  by: ama,
  atMs: CONTRACT_NOW_MS,
});

const anyPayment = fc
  .record({
    confirmedAtMs: time,
    toSettleMs: fc.option(fc.integer({ min: -2_000, max: 90 * HOUR_MS }), { nil: undefined }),
    state: fc.constantFrom('pending', 'unknown', 'completed', 'failed', 'refused', 'not sent'),
    flag: fc.constantFrom(undefined, undefined, 'conflict', 'needs a person'),
    requester: person,
    channel: fc.constantFrom('C0SALES', 'C0OSU', "it's"),
    network: fc.constantFrom('MTN', 'VOD', 'AIR'),
    option: fc.constantFrom('MOM', 'CRD', 'CRM'),
    merchant: fc.constantFrom(undefined, 'osu', "te'ma"),
    countedFor: fc.constantFrom(undefined, 'sales', '"the\\ till" ä'),
    run: fc.constantFrom(undefined, 'R1', 'R2'),
    currency: fc.constantFrom('GHS', 'USD'),
    // All of them together are still whole numbers in a double.
    amountMinor: fc.integer({ min: 1, max: 2 ** 43 }),
    givenBackMinor: fc.option(fc.array(fc.integer({ min: 1, max: 2 ** 40 }), { maxLength: 3 }), {
      nil: undefined,
    }),
  } as const)
  .map((drawn): Payment => {
    const { due: _, ...base } = aPayment();
    const { confirmedAtMs, toSettleMs, flag, state, requester, channel } = drawn;
    const { network, option, merchant, countedFor, run, currency, amountMinor, givenBackMinor } =
      drawn;
    return {
      ...base,
      id: newTransactionId(confirmedAtMs),
      state,
      confirmedAtMs,
      ...(toSettleMs === undefined ? {} : { settledAtMs: confirmedAtMs + toSettleMs }),
      ...(flag === undefined ? {} : { flag }),
      ...(countedFor === undefined ? {} : { countedFor }),
      ...(run === undefined ? {} : { bulk: { run, row: 1 } }),
      ...(givenBackMinor === undefined ? {} : { givenBack: givenBackMinor.map(givenBack) }),
      requester,
      conversation: { platform: requester.platform, channel },
      terms: {
        ...base.terms,
        network,
        option,
        amount: { currency, amountMinor },
        ...(merchant === undefined ? {} : { merchant }),
      },
    };
  });

const asked: fc.Arbitrary<FiguresAsked<FigureGroup>> = fc
  .record({
    requester: fc.constantFrom(undefined, undefined, 'slack:U1', 'telegram:77'),
    merchant: fc.constantFrom(undefined, undefined, 'osu', "te'ma"),
    time: fc.constantFrom('confirmed', 'settled'),
    fromMs: time,
    untilMs: time,
    by: fc.subarray([
      'requester',
      'place',
      'network',
      'option',
      'merchant',
      'countedFor',
      'run',
      'quarter',
      'secondsToSettle',
    ] as const),
  })
  .map(({ requester, merchant, ...rest }) => ({ ...rest, ...defined({ requester, merchant }) }));

export const paymentFiguresCases = (name: string, open: OpenEmpty): void => {
  describe(`${name}: the figures of payments`, () => {
    it('have none where there is no payment', async () => {
      const { store } = await opened(open);
      const all = { time: 'confirmed', fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER } as const;
      expect(await store.paymentFigures(all)).toEqual([]);
    });

    it('count and sum what a naive recount finds, in any history and after changes', async () => {
      const { store } = await opened(open);
      const history: Payment[] = [];
      const step = fc.asyncProperty(
        fc.array(anyPayment, { maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(), anyPayment), { maxLength: 4 }),
        fc.array(asked, { minLength: 3, maxLength: 3 }),
        async (added, changes, questions) => {
          // Named here: what shrinks a counterexample draws the same payment again.
          const fresh = added.map((one) => ({ ...one, id: newTransactionId(one.confirmedAtMs) }));
          await Promise.all(fresh.map((one) => store.commit({ put: [payment(one)] })));
          history.push(...fresh);
          for (const [which, { state, flag, settledAtMs, givenBack: back }] of changes) {
            const at = which % Math.max(1, history.length);
            const before = history[at];
            if (before === undefined) continue;
            const { flag: _flag, settledAtMs: _settled, ...lasting } = before;
            history[at] = {
              ...lasting,
              version: before.version + 1,
              state,
              ...(flag === undefined ? {} : { flag }),
              ...(settledAtMs === undefined ? {} : { settledAtMs }),
              // It only grows.
              ...(back === undefined ? {} : { givenBack: [...(before.givenBack ?? []), ...back] }),
            };
            expect(await store.commit({ put: [payment(history[at])] })).toBe(true);
          }
          for (const question of questions)
            expect(inOrder(await store.paymentFigures(question))).toEqual(
              recount(history, question),
            );
        },
      );
      await fc.assert(step, { numRuns: 25, endOnFailure: true });
      expect(history.length).toBeGreaterThan(20);
    });
  });
};
