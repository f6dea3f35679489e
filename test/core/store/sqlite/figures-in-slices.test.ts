import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import type { Payment } from '../../../../src/core/records/payment.ts';
import type { FiguresAsked, PaymentFigure } from '../../../../src/core/records/payment-figures.ts';
import type { Query } from '../../../../src/core/store/sql/payment-query.ts';
import { figuresInSlices } from '../../../../src/core/store/sqlite/figures-in-slices.ts';
import { pathIn } from '../../../../src/core/store/sqlite/store-folder.ts';
import { aPayment } from '../../../support/a-payment.ts';
import { openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const STATES = ['completed', 'failed', 'completed', 'unknown'] as const;
const NETWORKS = ['MTN', 'VOD', 'MTN', 'AIR', 'VOD'] as const;

/** A hundred payments within a minute, seven of them in one millisecond. */
const paymentOf = (at: number): Payment => {
  const base = aPayment({ state: STATES[at % STATES.length] ?? 'failed' });
  const network = NETWORKS[at % NETWORKS.length] ?? 'MTN';
  return {
    ...base,
    id: `P${at}`,
    confirmedAtMs: at >= 40 && at < 47 ? 24_000 : at * 600,
    terms: { ...base.terms, network, amount: { amountMinor: 100 + at, currency: 'GHS' } },
  };
};

const ASKED = { time: 'confirmed', fromMs: 600, untilMs: 59_000, by: ['network'] } as const;

const inOrder = (figures: readonly PaymentFigure<'network'>[]): string[] =>
  figures.map((figure) => JSON.stringify(Object.entries(figure).sort())).sort();

it('figures counted in slices are those counted at once, and others have their turn between two slices', async () => {
  const dir = await tempFolder();
  const store = await openStoreIn(dir);
  const payments = Array.from({ length: 100 }, (_, at) => paymentOf(at));
  await store.commit({ put: payments.map((record) => ({ kind: 'payment', record })) });
  const database = new DatabaseSync(pathIn(dir, 'paythread.db'), { readOnly: true });
  onTestFinished(() => database.close());
  const read: number[] = [];
  let turn = 0;
  const select = <Row extends object>({ text, values }: Query): Row[] => {
    read.push(turn);
    return database.prepare(text).all(...values) as Row[];
  };
  const asked: FiguresAsked<'network'> = ASKED;
  const atOnce = inOrder(await figuresInSlices(select, asked, 1_000));
  expect(atOnce).toEqual(inOrder(await store.paymentFigures(asked)));
  expect(atOnce).toHaveLength(9);

  for (const [inASlice, slices] of [
    [1, 92],
    [5, 20],
    [98, 1],
  ] as const) {
    read.length = 0;
    let isOver = false;
    const count = async () => {
      while (!isOver) {
        turn++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const counted = count();
    expect(inOrder(await figuresInSlices(select, asked, inASlice))).toEqual(atOnce);
    isOver = true;
    await counted;
    expect(new Set(read).size).toBe(slices);
  }
});
