import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DigestFrom, makeDigests } from '../../../src/commands/digest/digest-figures.ts';
import type { Digest, DigestScope } from '../../../src/core/records/digest.ts';
import { givenBackOf } from '../../../src/core/records/given-back.ts';
import type { Payment, PaymentTotal } from '../../../src/core/records/payment.ts';
import { addedUp } from '../../../src/core/records/payment-figures.ts';
import { dayAt, startOfDay } from '../../../src/core/values/calendar-day.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { startPostgres } from '../../support/postgres.ts';
import { embeddedPremises, postgresPremises } from '../../support/shop-in-hand.ts';

const postgres = await startPostgres();
const HOUR_MS = 3_600_000;
/** The days after a change of clocks in Europe, and in America. */
const AROUND = ['2026-10-26T00:00:00Z', '2026-03-30T00:00:00Z', '2026-03-09T00:00:00Z'];
const SCOPES: readonly DigestScope[] = [
  {},
  { branch: 'Osu' },
  { merchant: 'tema' },
  { merchant: 'tema', branch: 'Osu' },
];

const drawn = fc.record({
  quarters: fc.integer({ min: -4 * 24 * 9, max: 4 * 24 }),
  state: fc.constantFrom('completed', 'failed', 'pending', 'unknown'),
  isFlagged: fc.boolean(),
  isGivenBack: fc.boolean(),
  willPay: fc.boolean(),
  amountMinor: fc.integer({ min: 1, max: 1_000_000 }),
  currency: fc.constantFrom('GHS', 'USD'),
  channel: fc.constantFrom('C0SALES', 'C0OSU'),
  merchant: fc.constantFrom('tema', 'ho'),
  person: fc.constantFrom('U1', 'U2'),
} as const);

/** Half of it, and a bit. */
const givenBack = (amountMinor: number): Pick<Payment, 'givenBack'> => ({
  givenBack: [{ id: 'b1', amountMinor: Math.ceil(amountMinor / 2), by: ama, atMs: 1 }],
});

/** Counts and sums by state and currency, in order. */
const shape = (figures: Iterable<PaymentTotal>) =>
  [...figures]
    .filter(({ count }) => count > 0)
    .map(
      ({ state, currency, count, amountMinor, givenBackMinor = 0 }) =>
        `${state} ${currency} ${count} ${amountMinor} ${givenBackMinor}`,
    )
    .sort();

const stateOf = ({ state, currency }: PaymentTotal) => `${state} ${currency}`;

const recount = (payments: readonly Payment[]): string[] => {
  const groups = Map.groupBy(payments, ({ state, terms }) => `${state} ${terms.amount.currency}`);
  return [...groups]
    .map(([key, some]) => {
      const sum = some.reduce((total, { terms }) => total + terms.amount.amountMinor, 0);
      const back = some.reduce((total, one) => total + givenBackOf(one).amountMinor, 0);
      return `${key} ${some.length} ${sum} ${back}`;
    })
    .sort();
};

const hasEnd = (text: string) => text.startsWith('completed') || text.startsWith('failed');

it.each([
  ['the embedded store', async () => embeddedPremises()],
  ['PostgreSQL', async () => postgresPremises(postgres)],
])(
  'with %s a summary is a naive recount, for all, a branch and a merchant, and the next one names each day that changed',
  { tags: ['T52'] },
  async (_store, premises) => {
    const store = await (await premises()).open();
    let ids = 0;
    let round = 0;
    const property = fc.asyncProperty(
      fc.array(drawn, { minLength: 1, maxLength: 25 }),
      fc.constantFrom('Africa/Accra', 'Europe/London', 'America/New_York', 'Asia/Kathmandu'),
      fc.constantFrom(...AROUND),
      fc.integer({ min: 0, max: 4 * 23 }),
      async (some, timeZone, around, quarter) => {
        // Each round is years after the one before, in a store that goes on.
        round += 1;
        const aroundMs = Date.parse(around) + round * 20_000 * HOUR_MS;
        const day = dayAt(aroundMs, timeZone);
        const atMs = Math.min(
          startOfDay(day, timeZone) + (quarter * HOUR_MS) / 4 + 1,
          startOfDay(day + 1, timeZone) - 1,
        );
        const payments = some.map(({ quarters, channel, merchant, person, ...one }): Payment => {
          const { due: _, ...base } = aPayment({ state: one.state });
          const { amountMinor, currency } = one;
          const confirmedAtMs = aroundMs + (quarters * HOUR_MS) / 4;
          const isSettled = one.state === 'completed' || one.state === 'failed';
          return {
            ...base,
            id: `P${ids++}`,
            confirmedAtMs,
            ...(isSettled ? { settledAtMs: confirmedAtMs } : {}),
            ...(one.isGivenBack && one.state === 'completed' ? givenBack(amountMinor) : {}),
            ...(one.isFlagged && isSettled ? { flag: 'conflict' as const } : {}),
            conversation: { platform: 'slack', channel },
            requester: { platform: 'slack', id: person, name: person },
            terms: { ...base.terms, merchant, amount: { amountMinor, currency } },
          };
        });
        await store.commit({ put: payments.map((record) => ({ kind: 'payment', record })) });
        const from = {
          store,
          settings: { timeZone, currency: 'GHS', merchants: [], texts: { shop: '' } },
          notify: {
            rules: { branches: [{ name: 'Osu', conversations: ['slack:C0OSU'], members: [] }] },
          },
          balances: { merchants: [], kept: async () => ({}) },
        } as unknown as DigestFrom;
        const isOf =
          ({ merchant, branch }: DigestScope) =>
          ({ terms, conversation }: Payment) =>
            (merchant === undefined || terms.merchant === merchant) &&
            (branch === undefined || conversation.channel === 'C0OSU');
        const within = (of: readonly Payment[], fromMs: number, untilMs: number) =>
          recount(of.filter((one) => one.confirmedAtMs >= fromMs && one.confirmedAtMs < untilMs));
        const wholeDay = (of: readonly Payment[], each: number) =>
          within(of, startOfDay(each, timeZone), startOfDay(each + 1, timeZone));
        const first = await makeDigests(from, SCOPES, { day, atMs, toldDay: day - 32, last: [] });
        const elapsedMs = atMs - startOfDay(day, timeZone);
        const weekMs = startOfDay(day - 7, timeZone);
        const weekEndMs = Math.min(weekMs + elapsedMs, startOfDay(day - 6, timeZone));
        for (const [at, scope] of SCOPES.entries()) {
          const ours = payments.filter(isOf(scope));
          const digest = first[at] as Digest;
          expect(shape(digest.now)).toEqual(within(ours, startOfDay(day, timeZone), atMs));
          expect(shape(digest.weekBefore.figures)).toEqual(within(ours, weekMs, weekEndMs));
          for (const { period, before, figures, figuresBefore } of digest.periods ?? [])
            for (const [days, found] of [
              [period, figures],
              [before, figuresBefore],
            ] as const)
              expect(shape(addedUp(found, stateOf).values())).toEqual(
                within(
                  ours,
                  startOfDay(days.firstDay, timeZone),
                  startOfDay(days.lastDay + 1, timeZone),
                ),
              );
          expect(digest.periods?.map(({ of }) => of)).toEqual(['week', 'month']);
          for (const each of digest.daysBefore)
            expect(shape(each.figures)).toEqual(wholeDay(ours, each.day));
        }
        const later = payments.map((one, at) =>
          some[at]?.willPay && (one.state === 'pending' || one.state === 'unknown')
            ? { ...one, version: 2, state: 'completed' as const, settledAtMs: atMs + HOUR_MS }
            : one,
        );
        const paid = later.filter(({ version }) => version === 2);
        await store.commit({ put: paid.map((record) => ({ kind: 'payment', record })) });
        const nextMs = startOfDay(day + 2, timeZone) - 1;
        const next = await makeDigests(from, SCOPES, {
          ...{ day: day + 1, atMs: nextMs, toldDay: day },
          last: first,
        });
        for (const [at, scope] of SCOPES.entries()) {
          const [was, is] = [payments, later].map((each) => each.filter(isOf(scope))) as [
            Payment[],
            Payment[],
          ];
          const differing = Array.from({ length: 7 }, (_, back) => day - back).filter((each) => {
            const told =
              each === day ? within(was, startOfDay(day, timeZone), atMs) : wholeDay(was, each);
            return told.filter(hasEnd).join() !== wholeDay(is, each).filter(hasEnd).join();
          });
          expect(next[at]?.changed.map((each) => each.day)).toEqual(differing);
        }
      },
    );
    await fc.assert(property, { numRuns: 15, endOnFailure: true });
  },
);
