import { parseArgs } from 'node:util';
import { seedOfVersion } from '../../support/seed-of-version.ts';
import { mustBeWhole } from '../../support/whole-numbers.ts';
import { failedSeeds, simulateSeed } from './failed-seeds.ts';
import { runWithDeaths } from './failpoints.ts';
import type { Outcome } from './simulate.ts';
import { type Failure, pairTasks, type Report, scenarioNamed, type Task } from './tasks.ts';
import { inThreads } from './threads.ts';

/**
 * `node test/proof/simulation/run.ts --seeds 20000 --pairs`: leaves with 0 when no world broke an invariant. Its seeds
 * are those of the day; `--from version` takes those of the version, `--from 7` those from there on.
 * `--seed 7`, or `--scenario 'no callback' --deaths 3,5`: one world once more, with everything that happened.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    pairs: { type: 'boolean', default: false },
    triples: { type: 'string' },
    scenario: { type: 'string' },
    deaths: { type: 'string' },
    'stop-at-first': { type: 'boolean', default: false },
  },
});

mustBeWhole(values, 'seeds', 'seed', 'triples', ...(values.from === 'version' ? [] : ['from']));

const DAY_MS = 86_400_000;
const SEEDS_A_TASK = 100;
const MOST_SHOWN = 10;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Other seeds every day, which never fall together; the same all day long. */
const seedsOfToday = (): number => Math.floor(Date.now() / DAY_MS) * 100_000;

const firstSeed = (): number =>
  values.from === 'version' ? seedOfVersion() : Number(values.from ?? seedsOfToday());

const replayed = (): Promise<Outcome> | undefined => {
  if (values.seed !== undefined) return simulateSeed(Number(values.seed));
  if (values.scenario === undefined) return undefined;
  const deaths = (values.deaths ?? '').split(',').filter((text) => text !== '');
  return runWithDeaths(scenarioNamed(values.scenario), deaths.map(Number));
};

const batches = (kind: 'seeds' | 'triples', from: number, total: number): Task[] =>
  Array.from({ length: Math.ceil(total / SEEDS_A_TASK) }, (_, index) => ({
    kind,
    from: from + index * SEEDS_A_TASK,
    count: Math.min(SEEDS_A_TASK, total - index * SEEDS_A_TASK),
  }));

const tasksAsked = async (from: number): Promise<Task[]> => [
  ...failedSeeds().map(({ seed }): Task => ({ kind: 'seeds', from: seed, count: 1 })),
  ...(values.pairs ? await pairTasks() : []),
  ...batches('triples', from, Number(values.triples ?? 0)),
  ...batches('seeds', from, Number(values.seeds ?? (values.pairs || values.triples ? 0 : 1_000))),
];

const show = ({ replay, broken, lastEvents }: Failure): void => {
  say(`\nnpm run simulate -- ${replay}`);
  for (const what of broken) say(`  broken: ${what}`);
  for (const event of lastEvents) say(`    ${event.slice(0, 160)}`);
};

const runAll = async (): Promise<boolean> => {
  const from = firstSeed();
  const tasks = await tasksAsked(from);
  const startedMs = Date.now();
  let [runs, failed] = [0, 0];
  const heard = (report: Report): boolean => {
    runs += report.runs;
    for (const failure of report.failures) if (++failed <= MOST_SHOWN) show(failure);
    return failed === 0 || !values['stop-at-first'];
  };
  say(`Seeds from ${from}.`);
  await inThreads(tasks, heard);
  const seconds = (Date.now() - startedMs) / 1_000;
  say(`${runs} worlds in ${seconds.toFixed(1)} s, ${failed} of them broken.`);
  return failed === 0;
};

const one = await replayed();
if (one === undefined) {
  process.exitCode = (await runAll()) ? 0 : 1;
} else {
  for (const event of one.trace) say(event);
  for (const what of one.broken) say(`broken: ${what}`);
  say(`trace ${one.hash}`);
  process.exitCode = one.broken.length === 0 ? 0 : 1;
}
