import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PaymentFilter } from '../../src/core/records/payment.ts';
import { type Bench, withStops } from '../bench.ts';
import { Child, THIS_CHECKOUT } from '../child.ts';
import type { Measure, Side } from '../comparison.ts';
import { type Figure, figureOf } from '../figure.ts';
import { type FindTask, SEARCHES } from '../programs/find.ts';
import { interleaved } from '../rounds.ts';
import { withFolder } from '../settings.ts';

const FEW_PAYMENTS = 10_000;
const DAY_MS = 24 * 3_600_000;

/** What the store of 0.7 lists as well. */
const listsOf = (nowMs: number): Readonly<Record<string, PaymentFilter>> => ({
  '/payments, the page': {},
  '/payments today, the page': { sinceMs: nowMs - DAY_MS },
  '/payments failed, the page': { states: ['failed', 'refused', 'not sent'] },
  '/payments of a number, the page': { customerNumber: '+233201001234' },
});

const startWith = async (
  { folder, checkout, keep }: Pick<Side, 'folder' | 'checkout' | 'keep'>,
  payments: number,
) => {
  const child = keep(await Child.fork('bench/programs/find.ts', { CHECKOUT: checkout.href }));
  const filledMs = await child.ask<number>({ fill: folder, payments } satisfies FindTask);
  return {
    filledMs,
    ask: (filter: PaymentFilter, hasTotals: boolean, times: number): Promise<number> =>
      child.ask<number>({ filter, hasTotals, times } satisfies FindTask),
  };
};

/** Each list of 0.7 in this checkout and in another one. */
export const listMeasures = async (side: Side): Promise<readonly Measure[]> => {
  const { bench } = side;
  const { ask } = await startWith(side, bench.foundPayments);
  return Object.entries(listsOf(Date.now())).map(([what, filter]) => ({
    what: `${what}, ${bench.foundPayments} payments`,
    unit: 'ms',
    goal: { atMost: 1.1 },
    once: () => ask(filter, false, 200),
  }));
};

/** Pages with their totals among many payments, against few. */
export const finding = (bench: Bench): Promise<Figure[]> =>
  withFolder((root) =>
    withStops(async (keep) => {
      const start = async (payments: number) => {
        const folder = join(root, String(payments));
        await mkdir(folder);
        return startWith({ folder, checkout: THIS_CHECKOUT, keep }, payments);
      };
      const [few, many] = [await start(FEW_PAYMENTS), await start(bench.foundPayments)];
      bench.log(`filled in ${Math.round(many.filledMs / 1_000)} s`);
      const nowMs = Date.now();
      const filters: Record<string, PaymentFilter> = {
        '/payments today': { sinceMs: nowMs - DAY_MS },
        '/payments week': { sinceMs: nowMs - 7 * DAY_MS },
        '/payments pending': { states: ['confirmed', 'submitting', 'pending', 'unknown'] },
        '/payments': {},
        ...Object.fromEntries(Object.entries(SEARCHES).map(([what, search]) => [what, { search }])),
      };
      const figures: Figure[] = [];
      for (const [what, filter] of Object.entries(filters)) {
        await few.ask(filter, true, 2);
        await many.ask(filter, true, 2);
        const rounds = await interleaved(bench.rounds, {
          few: () => few.ask(filter, true, 10),
          many: () => many.ask(filter, true, 10),
        });
        const words = `${what}, page and totals, ${bench.foundPayments} payments (baseline: ${FEW_PAYMENTS})`;
        figures.push(
          figureOf(rounds, { ours: 'many', base: 'few' } as const, {
            what: words,
            unit: 'ms',
            goal: { valueAtMost: 50 },
          }),
        );
      }
      return figures;
    }),
  );
