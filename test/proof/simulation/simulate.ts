import { Dice } from '../storm/dice.ts';
import type { Fate } from './gateway-fates.ts';
import { type Habits, PLAIN, tillHabitsOf } from './habits.ts';
import { judge } from './oracle.ts';
import { ownPremises } from './own-premises.ts';
import { sharedPremises } from './shared-premises.ts';
import { allTold } from './told.ts';
import { type Weather, weatherOf } from './weather.ts';
import { World } from './world.ts';

/** What became of one world. */
export type Outcome = {
  readonly seed: number;
  /** Broken invariants, in words; none: all is well. */
  readonly broken: readonly string[];
  /** The last word of each outcome, with its amount. */
  readonly ends: readonly string[];
  readonly hash: string;
  readonly trace: readonly string[];
};

export type SimulationOptions = {
  readonly weather?: Weather;
  /** @default those of the seed, or none where the weather is given */
  readonly habits?: Habits;
  /** Says at each call to the outside whether the process dies. @default by chance */
  readonly fatality?: (what: string) => boolean;
  /** What becomes of the first requests for money. @default by chance */
  readonly fates?: readonly Fate[];
  /** Makes other dice for the disk. */
  readonly salt?: number;
};

/** Lets the world of a seed live, and judges it. */
export const simulate = async (
  seed: number,
  { salt = 0, ...given }: SimulationOptions = {},
): Promise<Outcome> => {
  const {
    weather = weatherOf(new Dice(seed)),
    habits = given.weather === undefined ? tillHabitsOf(seed) : PLAIN,
    ...others
  } = given;
  const world = new World({
    seed,
    weather,
    habits,
    premises: ({ timeline, trouble }) => {
      const common = { timeline, weather, dice: new Dice(seed ^ salt ^ 0xd15c) };
      return weather.isShared
        ? sharedPremises({ ...common, onFailure: trouble })
        : ownPremises(common);
    },
    ...others,
  });
  await world.live();
  // What the disk kept cannot be read at all: nothing could be worse.
  const broken = await judge(world).catch((error: unknown) => [...world.broken, String(error)]);
  world.demolish();
  return { seed, broken, ends: endsOf(world), hash: world.trace.hash(), trace: world.trace.lines };
};

const endsOf = ({ chats }: World): string[] => {
  const outcomes = allTold(chats).filter(({ kind }) => kind === 'outcome');
  const lasts = Map.groupBy(outcomes, ({ transactionId }) => transactionId).values();
  return [...lasts].map((told) => told.at(-1)?.message.said.at(-1)?.card.title ?? '').sort();
};
