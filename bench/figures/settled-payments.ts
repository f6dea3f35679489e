import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, Load, withStops } from '../bench.ts';
import { Child, THIS_CHECKOUT } from '../child.ts';
import { fillWith, type Measure, type Side } from '../comparison.ts';
import { type Figure, figureOf } from '../figure.ts';
import { callbackRequests } from '../load/requests.ts';
import { interleaved } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

/** Payments settled in one slice. */
const PER_SLICE = 1_000;
const CHATS = ['slack', 'telegram'] as const;
type Chat = (typeof CHATS)[number];

const what = (chat: Chat): string =>
  `payments settled (callback, stored, status asked, card edited, outcome posted), ${chat}`;

/** From the first callback until the last outcome stands in the chat; every payment is settled once. */
export const settledPayments = async (bench: Bench): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const chat of CHATS) figures.push(await settledIn(chat, bench));
  return figures;
};

const settledIn = (chat: Chat, bench: Bench): Promise<Figure> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const side = { bench, folder, checkout: THIS_CHECKOUT, keep };
      const { settle, load, servicesPort, some } = await settling(chat, side);
      const SERVICES_PORT = String(servicesPort);
      const relay = keep(await Child.fork('bench/baselines/relay.ts', { SERVICES_PORT }));
      const passOn = async (): Promise<number> => {
        const slice = { port: relay.port, connections: 64, durationMs: bench.sliceMs };
        return (await load.run(some, slice)).perSecond;
      };
      await passOn();
      const rounds = await interleaved(bench.rounds, { paythread: settle, relay: passOn });
      return figureOf(rounds, { ours: 'paythread', base: 'relay' } as const, {
        what: what(chat),
        unit: 'per second',
        goal: { atLeast: 0.25 },
      });
    }),
  );

/** The same of one checkout. */
export const settlingMeasures = (side: Side): Promise<Measure[]> =>
  Promise.all(
    CHATS.map(async (chat) => {
      const folder = join(side.folder, chat);
      await mkdir(folder);
      const { settle } = await settling(chat, { ...side, folder });
      return { what: what(chat), unit: 'per second', goal: { atLeast: 2 }, once: settle };
    }),
  );

const settling = async (chat: Chat, side: Side) => {
  const { bench, folder, checkout, keep } = side;
  const services = keep(await Child.fork('bench/stub/services.ts', { STATUS: 'completed' }));
  const env = await paythreadEnv({ folder, servicesPort: services.port });
  const open = PER_SLICE * (bench.rounds + 1);
  const targets = await fillWith(side, env.DATA_DIR, { past: 0, open, platform: chat });
  const requests = callbackRequests(targets);
  const some = requests.slice(0, PER_SLICE / 2);
  const paythread = keep(await Child.fork('bench/programs/unpaced-app.ts', env, [], checkout));
  const load = keep(await Load.start(folder));
  const posted = async (): Promise<number> => {
    const counts = await fetch(`http://127.0.0.1:${services.port}/counts`);
    const { sendMessage = 0, 'chat.postMessage': postMessage = 0 } =
      (await counts.json()) as Record<string, number>;
    return chat === 'slack' ? postMessage : sendMessage;
  };
  const settle = async (): Promise<number> => {
    const before = await posted();
    const startedAtMs = performance.now();
    await load.run(requests.splice(0, PER_SLICE), { port: paythread.port, connections: 64 });
    while ((await posted()) - before < PER_SLICE)
      await new Promise((resolve) => setTimeout(resolve, 10));
    return PER_SLICE / ((performance.now() - startedAtMs) / 1000);
  };
  await settle();
  return { settle, load, servicesPort: services.port, some };
};
