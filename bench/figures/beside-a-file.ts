import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

const ROWS = 10_000;
const MOST_RATIO = 1.2;

/** Charges of a person while a file of 10,000 rows is charged, against the same without it. */
export const besideAFile = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const path = join(folder, 'fees.csv');
      const rows = Array.from({ length: ROWS }, (_, row) => `0245${String(100_000 + row)},50`);
      await writeFile(path, ['number,amount', ...rows].join('\n'));
      const start = async (name: string) => {
        const own = join(folder, name);
        await mkdir(own);
        const env = await paythreadEnv({ folder: own, servicesPort: services.port, chats: false });
        return keep(await Child.fork('bench/programs/beside-a-file.ts', env));
      };
      const [idle, busy] = [await start('idle'), await start('busy')];
      const times = bench.rounds === 1 ? 5 : 20;
      const slice = (program: Child) => program.ask<number>({ what: 'charges', times });
      for (const program of [idle, busy]) await slice(program);
      await busy.ask({ what: 'file', path });
      const rounds = await interleaved(bench.rounds, {
        idle: () => slice(idle),
        busy: () => slice(busy),
      });
      return [
        figureOf(rounds, { ours: 'busy', base: 'idle' } as const, {
          what: `a person's charge from the press to pending while a file of ${ROWS} rows is charged (baseline: idle)`,
          unit: 'ms',
          goal: { atMost: MOST_RATIO },
          note: 'At the rate of 5 requests a second that the payment service allows.',
        }),
      ];
    }),
  );
