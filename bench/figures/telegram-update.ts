import { type Bench, Load, withStops } from '../bench.ts';
import { Child } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { updateRequests } from '../load/requests.ts';
import { interleaved } from '../rounds.ts';
import { chatsEnv, paythreadEnv, TELEGRAM_SECRET, withFolder } from '../settings.ts';

const UPDATES = 20_000;

/** Webhook updates until they are taken. */
export const telegramUpdate = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const env = await paythreadEnv({ folder, servicesPort: services.port });
      const paythread = keep(await Child.startPaythread(env));
      const chats = chatsEnv(services.port);
      const grammy = keep(await Child.fork('bench/baselines/grammy.ts', chats));
      const answering = keep(
        await Child.fork('bench/baselines/grammy.ts', { ...chats, ANSWER: 'yes' }),
      );
      const load = keep(await Load.start(folder));
      const slice = async (port: number, text: string) => {
        const updates = updateRequests(UPDATES, { secret: TELEGRAM_SECRET, text });
        const durationMs = bench.sliceMs;
        return (await load.run(updates, { port, connections: 64, durationMs })).perSecond;
      };
      // A command that is for another bot is read and passed over, as most of a group's messages are.
      const [passedOver, answered] = ['/whoami@another_bot', '/whoami'];
      for (const { port } of [paythread, grammy]) await slice(port, passedOver);
      const taken = await interleaved(bench.rounds, {
        paythread: () => slice(paythread.port, passedOver),
        grammy: () => slice(grammy.port, passedOver),
      });
      const worked = await interleaved(bench.rounds, {
        paythread: () => slice(paythread.port, answered),
        answering: () => slice(answering.port, answered),
      });
      return [
        figureOf(
          taken,
          { ours: 'paythread', base: 'grammy' },
          {
            what: 'Telegram webhook update to 200, 64 connections',
            unit: 'per second',
            goal: { atLeast: 0.5 },
            note: 'An update that asks for nothing; an empty handler on the other side.',
          },
        ),
        figureOf(
          worked,
          { ours: 'paythread', base: 'answering' },
          {
            what: 'the same with a command, against a grammY that answers',
            unit: 'per second',
            goal: { atLeast: 0.5 },
          },
        ),
      ];
    }),
  );
