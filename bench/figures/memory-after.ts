import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, withStops } from '../bench.ts';
import { Child, START_OPTIONS } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import type { Lived } from '../programs/lives.ts';
import { withFolder } from '../settings.ts';

const FEW_PAYMENTS = 1_000;

/** Resident memory after many payments went through one process, against a few. Long, so it is done once. */
export const memoryAfter = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const start = async (name: string) => {
        const DATA_DIR = join(folder, name);
        await mkdir(DATA_DIR);
        return keep(
          await Child.fork('bench/programs/lives.ts', { DATA_DIR }, [
            '--expose-gc',
            ...START_OPTIONS,
          ]),
        );
      };
      const fewLives = await start('few');
      const few = await fewLives.ask<Lived>({ count: FEW_PAYMENTS });
      const manyLives = await start('many');
      const many = await manyLives.ask<Lived>({ count: bench.manyPayments });
      const names = { ours: 'many', base: 'few' } as const;
      const after = `after ${bench.manyPayments} payments through one process (baseline: ${FEW_PAYMENTS})`;
      const words = {
        unit: 'MB',
        goal: { atMost: 1.2 },
        note: 'One run, five payments a second by a clock of its own.',
      };
      return [
        figureOf([{ few: few.residentMb, many: many.residentMb }], names, {
          ...words,
          what: `resident memory ${after}`,
        }),
        figureOf([{ few: few.aliveMb, many: many.aliveMb }], names, {
          ...words,
          what: `memory in use ${after}`,
        }),
      ];
    }),
  );
