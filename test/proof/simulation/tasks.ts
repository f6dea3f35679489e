import { assertNever } from '../../../src/core/runtime/errors.ts';
import { Dice } from '../storm/dice.ts';
import { simulateSeed } from './failed-seeds.ts';
import { pointsAfter, runWithDeaths } from './failpoints.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import type { Outcome } from './simulate.ts';

/** A piece of work for one thread. */
export type Task =
  | { readonly kind: 'seeds'; readonly from: number; readonly count: number }
  /** Every death of a scenario after one given, and that one alone. */
  | { readonly kind: 'pairs'; readonly scenario: string; readonly first: number }
  | { readonly kind: 'triples'; readonly from: number; readonly count: number };

/** A world in which something broke, and how to see it again. */
export type Failure = {
  readonly replay: string;
  readonly broken: readonly string[];
  readonly lastEvents: readonly string[];
};

export type Report = { readonly runs: number; readonly failures: readonly Failure[] };

const EVENTS_SHOWN = 12;

export const carryOut = async (task: Task): Promise<Report> => {
  switch (task.kind) {
    case 'seeds':
      return reportOf(task.count, async (index) => {
        const seed = task.from + index;
        return failureOf(await simulateSeed(seed), `--seed ${seed}`);
      });
    case 'pairs': {
      const scenario = scenarioNamed(task.scenario);
      const seconds = await pointsAfter(scenario, [task.first]);
      // The first alone, and then with each that can come after it.
      return reportOf(seconds + 1, (second) =>
        dying(scenario, second === 0 ? [task.first] : [task.first, second]),
      );
    }
    case 'triples':
      return reportOf(task.count, (index) => triple(task.from + index));
    default:
      return assertNever(task);
  }
};

/** All first deaths of all scenarios. */
export const pairTasks = async (): Promise<Task[]> => {
  const tasks: Task[] = [];
  for (const scenario of SCENARIOS) {
    const points = await pointsAfter(scenario, []);
    for (let first = 1; first <= points; first++)
      tasks.push({ kind: 'pairs', scenario: scenario.name, first });
  }
  return tasks;
};

export const scenarioNamed = (name: string): Scenario => {
  const scenario = SCENARIOS.find((each) => each.name === name);
  if (scenario === undefined)
    throw new Error(
      `There is no "${name}", only ${SCENARIOS.map((each) => each.name).join('; ')}.`,
    );
  return scenario;
};

const triple = async (number: number): Promise<Failure | undefined> => {
  const dice = new Dice(number);
  const scenario = SCENARIOS[dice.whole(0, SCENARIOS.length - 1)];
  if (scenario === undefined) throw new Error('there are no scenarios');
  const deaths: number[] = [];
  while (deaths.length < 3) deaths.push(dice.whole(1, scenario.weather.isShared ? 20 : 30));
  return dying(scenario, deaths);
};

const dying = async (scenario: Scenario, deaths: number[]): Promise<Failure | undefined> =>
  failureOf(
    await runWithDeaths(scenario, deaths),
    `--scenario '${scenario.name}' --deaths ${deaths.join(',')}`,
  );

const failureOf = ({ broken, trace }: Outcome, replay: string): Failure | undefined =>
  broken.length === 0 ? undefined : { replay, broken, lastEvents: trace.slice(-EVENTS_SHOWN) };

const reportOf = async (
  runs: number,
  run: (index: number) => Promise<Failure | undefined>,
): Promise<Report> => {
  const failures: Failure[] = [];
  for (let index = 0; index < runs; index++) {
    const failure = await run(index);
    if (failure !== undefined) failures.push(failure);
  }
  return { runs, failures };
};
