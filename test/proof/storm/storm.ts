import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from './dice.ts';
import { evidence, summary } from './report.ts';
import { sell } from './seller.ts';
import { judge, type Verdict } from './verdict.ts';
import { blow } from './weather.ts';
import { buildWorld, type World } from './world.ts';

/** The lease of a killed instance, a payment presumed lost, an unknown one told: 45 s, 35 s and 30 s, and some. */
const QUIET_WITHIN_MS = 150_000;
/** Nothing more may come for this long before the verdict counts. */
const STILL_MS = 4_000;
const LOOK_EVERY_MS = 1_000;

export type StormOptions = {
  readonly seconds: number;
  readonly seed: number;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
};

/** Two instances, one database, real load and bad weather; true when the world outside has nothing to complain of. */
export const storm = async (options: StormOptions): Promise<boolean> => {
  const { seconds, seed, say, signal } = options;
  say(`Storm of ${seconds} s with seed ${seed}: two instances, one PostgreSQL, Telegram and Slack`);
  await using everything = new AsyncDisposableStack();
  const world = await buildWorld(new Dice(seed), seconds, everything);
  const startedMs = Date.now();
  try {
    await weather(world, { endMs: startedMs + seconds * 1000, signal });
  } catch (error) {
    // Such as an instance that does not start any more.
    if (!signal.aborted) say(evidence([], { ...world, startedMs, logs: logsOf(world) }));
    throw error;
  }
  if (signal.aborted) return false;
  say(`The storm is over after ${elapsed(startedMs)}; waiting until all is told`);
  const verdict = await settledVerdict(world, signal);
  say(`Quiet after ${elapsed(startedMs)}`);
  for (const instance of world.instances) await instance.stop();
  return report(verdict, world, { startedMs, say });
};

/** Until the weather is over, both instances run again, and whoever was pressing has seen it count. */
const weather = async (
  { instances, shops, book, dice }: World,
  { endMs, signal }: { endMs: number; signal: AbortSignal },
): Promise<void> => {
  const over = AbortSignal.any([AbortSignal.timeout(endMs - Date.now()), signal]);
  const selling = shops.flatMap(({ keyboards, restMs }) =>
    keyboards.map((keyboard) => sell(keyboard, { book, dice: dice.fork(), restMs, over })),
  );
  const all = Promise.all([blow(instances, dice.fork(), { endMs, signal }), ...selling]);
  await Promise.race([all, aborted(signal)]);
};

const settledVerdict = async (world: World, signal: AbortSignal): Promise<Verdict> => {
  const deadlineMs = Date.now() + QUIET_WITHIN_MS;
  for (let stillSinceMs = Date.now(), lastCount = -1; ; await sleep(LOOK_EVERY_MS)) {
    const said = (await Promise.all(world.shops.map((shop) => shop.said()))).flat();
    const { takings } = world.gateway;
    const { troubles, book } = world;
    const verdict = judge({ charges: book.charges, takings, said, troubles });
    if (said.length !== lastCount || verdict.owed.length > 0) stillSinceMs = Date.now();
    lastCount = said.length;
    if (Date.now() - stillSinceMs > STILL_MS || Date.now() > deadlineMs || signal.aborted)
      return verdict;
  }
};

const report = (
  verdict: Verdict,
  world: World,
  { startedMs, say }: { startedMs: number; say: (text: string) => void },
): boolean => {
  const { instances, gateway, troubles } = world;
  say(summary({ verdict, troubles, busy: gateway.busy }));
  const complaints = instances.flatMap((instance) => instance.complaints);
  const findings = [...verdict.wrong, ...verdict.owed];
  if (findings.length === 0 && complaints.length === 0) {
    say('verdict  nothing doubled, nothing lost');
    return true;
  }
  say(evidence(findings, { troubles, startedMs, logs: logsOf(world) }));
  for (const complaint of complaints) say(`verdict  ${complaint}`);
  say(`verdict  ${verdict.wrong.length} wrong, ${verdict.owed.length} lost`);
  return false;
};

const logsOf = ({ instances }: World): Record<string, string> =>
  Object.fromEntries(instances.map(({ name, log }) => [name, log]));

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const elapsed = (sinceMs: number): string => `${((Date.now() - sinceMs) / 1000).toFixed(0)} s`;
