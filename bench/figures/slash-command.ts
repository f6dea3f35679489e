import { type Bench, Load, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { fillFolder } from '../history.ts';
import { callbackRequests, slashRequests } from '../load/requests.ts';
import { interleaved } from '../rounds.ts';
import { chatsEnv, paythreadEnv, SLACK_SECRET, withFolder } from '../settings.ts';

/** As many as a slice can use: none comes twice. */
const COMMANDS = 8_000;

/** `/whoami` until it is acknowledged; what it makes the program do goes on meanwhile. */
export const slashCommand = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const env = await paythreadEnv({ folder, servicesPort: services.port });
      const targets = await fillFolder(env.DATA_DIR, { past: 0, open: 500 });
      const paythread = keep(await Child.startPaythread(env));
      const chats = chatsEnv(services.port);
      const bolt = keep(await Child.fork('bench/baselines/bolt.ts', chats));
      const answering = keep(
        await Child.fork('bench/baselines/bolt.ts', { ...chats, ANSWER: 'yes' }),
      );
      const load = keep(await Load.start(folder));
      const callbackLoad = keep(await Load.start(folder));

      const responseUrl = `http://127.0.0.1:${services.port}/slack/respond`;
      const slice = (port: number, connections: number) =>
        load.run(slashRequests(COMMANDS, { secret: SLACK_SECRET, responseUrl }), {
          port,
          connections,
          durationMs: bench.sliceMs,
        });
      for (let warmUp = 0; warmUp < 2; warmUp++)
        for (const { port } of [paythread, bolt, answering]) await slice(port, 64);

      const alone = await interleaved(bench.rounds, {
        paythread: async () => (await slice(paythread.port, 1)).p50Ms,
        bolt: async () => (await slice(bolt.port, 1)).p50Ms,
        answering: async () => (await slice(answering.port, 1)).p50Ms,
      });
      const crowd = await interleaved(bench.rounds, {
        paythread: async () => (await slice(paythread.port, 64)).perSecond,
        bolt: async () => (await slice(bolt.port, 64)).perSecond,
        answering: async () => (await slice(answering.port, 64)).perSecond,
      });
      const callbacks = callbackRequests(targets);
      const besides = await interleaved(bench.rounds, {
        idle: async () => (await slice(paythread.port, 1)).p99Ms,
        busy: async () => {
          const flood = callbackLoad.run(callbacks, {
            port: paythread.port,
            connections: 64,
            durationMs: bench.sliceMs + 200,
            perSecond: 1_000,
          });
          const { p99Ms } = await slice(paythread.port, 1);
          const { perSecond } = await flood;
          if (perSecond < 900) bench.log(`only ${Math.round(perSecond)} callbacks/s were taken`);
          return p99Ms;
        },
      });
      const bare = { ours: 'paythread', base: 'bolt' } as const;
      const equal = { ours: 'paythread', base: 'answering' } as const;
      return [
        figureOf(alone, bare, {
          what: 'slash command to acknowledgement, 1 connection, p50',
          unit: 'ms',
          goal: { atMost: 1.2 },
          note: 'Paythread also answers each command; bare Bolt does nothing.',
        }),
        figureOf(crowd, bare, {
          what: 'slash command to acknowledgement, 64 connections',
          unit: 'per second',
          goal: { atLeast: 0.9 },
          note: 'Paythread also answers each command; bare Bolt does nothing.',
        }),
        figureOf(alone, equal, {
          what: 'the same against a Bolt that answers, 1 connection, p50',
          unit: 'ms',
          goal: { atMost: 1.2 },
        }),
        figureOf(crowd, equal, {
          what: 'the same against a Bolt that answers, 64 connections',
          unit: 'per second',
          goal: { atLeast: 0.9 },
        }),
        figureOf(besides, { ours: 'busy', base: 'idle' } as const, {
          what: 'the same while 1,000 callbacks/s arrive, p99 (baseline: idle)',
          unit: 'ms',
          goal: { valueAtMost: 300 },
        }),
      ];
    }),
  );
