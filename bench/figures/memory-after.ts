import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { withFolder } from '../settings.ts';

const FEW_PAYMENTS = 1_000;

/** Resident memory after many payments went through one process, against a few. Long, so it is done once. */
export const memoryAfter = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const start = async (name: string) => {
        const DATA_DIR = join(folder, name);
        await mkdir(DATA_DIR);
        return keep(await Child.fork('bench/programs/lives.ts', { DATA_DIR }, ['--expose-gc']));
      };
      const fewLives = await start('few');
      const few = await fewLives.ask<number>({ count: FEW_PAYMENTS });
      const manyLives = await start('many');
      const many = await manyLives.ask<number>({ count: bench.manyPayments });
      return [
        figureOf(
          [{ few, many }],
          { ours: 'many', base: 'few' },
          {
            what: `memory after ${bench.manyPayments} payments through one process (baseline: ${FEW_PAYMENTS})`,
            unit: 'MB',
            goal: { atMost: 1.2 },
            note: 'One run; five payments a second by a clock of its own.',
          },
        ),
      ];
    }),
  );
