import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, withStops } from './bench.ts';
import { Child, THIS_CHECKOUT } from './child.ts';
import { type Figure, figureOf, type Goal } from './figure.ts';
import type { CallbackTarget, Fill } from './history.ts';
import type { FillTask } from './programs/fill.ts';
import { interleaved } from './rounds.ts';
import { withFolder } from './settings.ts';

/** One checkout that is measured; what `keep` is given is stopped at the end. */
export type Side = {
  readonly bench: Bench;
  /** An empty folder of its own. */
  readonly folder: string;
  readonly checkout: URL;
  readonly keep: <S extends { stop(): Promise<void> }>(started: S) => S;
};

/** What can be measured of one checkout, again and again. */
export type Measure = {
  readonly what: string;
  readonly unit: string;
  /** In comparison with the other checkout. */
  readonly goal: Goal;
  readonly once: () => Promise<number>;
};

/** Starts what is measured in one checkout, and warms it up. */
export type Prepare = (side: Side) => Promise<readonly Measure[]>;

/** Fills a data folder with the checkout's own code, because its format is its own. */
export const fillWith = ({ checkout }: Side, dir: string, fill: Fill): Promise<CallbackTarget[]> =>
  withStops(async (keep) => {
    const filler = keep(await Child.fork('bench/programs/fill.ts', { CHECKOUT: checkout.href }));
    return filler.ask<CallbackTarget[]>({ dir, ...fill } satisfies FillTask);
  });

/** The figures of this checkout beside those of another one, in the same rounds. */
export const compared = (bench: Bench, prepare: Prepare, before: URL): Promise<Figure[]> =>
  withFolder((root) =>
    withStops(async (keep) => {
      const start = async (name: string, checkout: URL) => {
        const folder = join(root, name);
        await mkdir(folder);
        return prepare({ bench, folder, checkout, keep });
      };
      const ours = await start('ours', THIS_CHECKOUT);
      const others = await start('before', before);
      const figures: Figure[] = [];
      for (const [at, { once, ...words }] of ours.entries()) {
        const other = others[at];
        if (other === undefined) throw new Error(`nothing to compare ${words.what} with`);
        const rounds = await interleaved(bench.rounds, { ours: once, before: other.once });
        figures.push(figureOf(rounds, { ours: 'ours', base: 'before' } as const, words));
      }
      return figures;
    }),
  );
