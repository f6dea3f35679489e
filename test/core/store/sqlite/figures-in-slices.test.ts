import { expect, it } from 'vitest';
import type { FiguresAsked, PaymentFigure } from '../../../../src/core/records/payment-figures.ts';
import { figuresInSlices } from '../../../../src/core/store/sqlite/figures-in-slices.ts';
import { slicedStore } from '../sliced-store.ts';

const NETWORKS = ['MTN', 'VOD', 'MTN', 'AIR', 'VOD'] as const;

const ASKED = { time: 'confirmed', fromMs: 600, untilMs: 59_000, by: ['network'] } as const;

const inOrder = (figures: readonly PaymentFigure<'network'>[]): string[] =>
  figures.map((figure) => JSON.stringify(Object.entries(figure).sort())).sort();

it('figures counted in slices are those counted at once, and others have their turn between two slices', async () => {
  const { store, select, turnsOf } = await slicedStore((at) => ({
    network: NETWORKS[at % NETWORKS.length] ?? 'MTN',
  }));
  const asked: FiguresAsked<'network'> = ASKED;
  const atOnce = inOrder(await figuresInSlices(select, asked, 1_000));
  expect(atOnce).toEqual(inOrder(await store.paymentFigures(asked)));
  expect(atOnce).toHaveLength(9);

  for (const [inASlice, slices] of [
    [1, 92],
    [5, 20],
    [98, 1],
  ] as const) {
    const counted = async () => inOrder(await figuresInSlices(select, asked, inASlice));
    expect(await turnsOf(async () => expect(await counted()).toEqual(atOnce))).toBe(slices);
  }
});
