import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { fillFolder } from '../history.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

const FEW_PAYMENTS = 1_000;
const QUESTIONS = { customer: '/payments <number>', audit: '/audit <id>' } as const;
const MOST_MS = 5;

/** Questions typed into the whole program, from the line to the card, over a long history with its audit trail. */
export const questions = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const startWith = async (past: number) => {
        const own = join(folder, String(past));
        await mkdir(own);
        const env = await paythreadEnv({ folder: own, servicesPort: services.port, chats: false });
        const [first] = await fillFolder(env.DATA_DIR, { past, open: 1, audited: true });
        const app = keep(await Child.fork('bench/programs/costs.ts', env));
        return (what: keyof typeof QUESTIONS) =>
          app.ask<number>({ what, times: bench.rounds === 1 ? 5 : 40, id: first?.id });
      };
      const few = await startWith(FEW_PAYMENTS);
      const many = await startWith(bench.manyPayments);
      const figures: Figure[] = [];
      for (const what of ['customer', 'audit'] as const) {
        await few(what);
        await many(what);
        const rounds = await interleaved(bench.rounds, {
          few: () => few(what),
          many: () => many(what),
        });
        figures.push(
          figureOf(rounds, { ours: 'many', base: 'few' } as const, {
            what: `${QUESTIONS[what]} with ${bench.manyPayments} past payments (baseline: ${FEW_PAYMENTS}), embedded`,
            unit: 'ms',
            goal: { valueAtMost: MOST_MS },
          }),
        );
      }
      return figures;
    }),
  );
