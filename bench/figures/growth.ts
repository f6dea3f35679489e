import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, Load, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { type CallbackTarget, fillFolder } from '../history.ts';
import { callbackRequests } from '../load/requests.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

const FEW_PAYMENTS = 1_000;
const COMMANDS = ['charge', 'status', 'payments'] as const;
const WORDS = { charge: 'a charge', status: '/status', payments: '/payments failed' } as const;

const OPEN_PAYMENTS = 100;

/** Brings about a history, and says where it is and which payments wait for a callback. */
export type Prepare = (
  past: number,
  env: { readonly DATA_DIR: string },
) => Promise<{ env: Readonly<Record<string, string>>; open: CallbackTarget[] }>;

/** What a command and a callback cost with a long history in the embedded store, against a short one. */
export const growth = (bench: Bench): Promise<Figure[]> =>
  growthOf(bench, { many: bench.manyPayments, store: 'embedded' }, async (past, { DATA_DIR }) => ({
    env: {},
    open: await fillFolder(DATA_DIR, { past, open: OPEN_PAYMENTS }),
  }));

/** The same in whatever store `prepare` fills. */
export const growthOf = (
  bench: Bench,
  { many: manyPast, store }: { many: number; store: string },
  prepare: Prepare,
): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const load = keep(await Load.start(folder));
      const startWith = async (past: number) => {
        const own = join(folder, String(past));
        await mkdir(own);
        const env = await paythreadEnv({ folder: own, servicesPort: services.port, chats: false });
        const { open, env: more } = await prepare(past, env);
        const app = keep(await Child.fork('bench/programs/costs.ts', { ...env, ...more }));
        const [first] = open;
        if (first === undefined) throw new Error('no payment');
        const requests = callbackRequests(open);
        const durationMs = Math.min(bench.sliceMs, 1_000);
        return {
          ask: (what: (typeof COMMANDS)[number]) =>
            app.ask<number>({ what, times: bench.rounds === 1 ? 5 : 40, id: first.id }),
          callback: async () =>
            (await load.run(requests, { port: app.port, connections: 1, durationMs })).p50Ms,
        };
      };
      const few = await startWith(FEW_PAYMENTS);
      const many = await startWith(manyPast);
      const names = { ours: 'many', base: 'few' } as const;
      const words = (what: string) => ({
        what: `${what} with ${manyPast} past payments (baseline: ${FEW_PAYMENTS}), ${store}`,
        unit: 'ms',
        goal: { atMost: 1.1 },
      });
      const figures: Figure[] = [];
      for (const what of COMMANDS) {
        await few.ask(what);
        await many.ask(what);
        const rounds = await interleaved(bench.rounds, {
          few: () => few.ask(what),
          many: () => many.ask(what),
        });
        figures.push(figureOf(rounds, names, words(WORDS[what])));
      }
      await few.callback();
      await many.callback();
      const rounds = await interleaved(bench.rounds, { few: few.callback, many: many.callback });
      return [...figures, figureOf(rounds, names, words('a callback'))];
    }),
  );
