import type { Fate } from './gateway-fates.ts';
import { type Habits, MIRROR_PLACES, PLAIN } from './habits.ts';
import { calmWeather, type Weather } from './weather.ts';

/** A small world in which everything is fixed, to let it fail at every point of it. */
export type Scenario = {
  readonly name: string;
  /** One in which somebody presses, rather than thinking better of it. */
  readonly seed: number;
  readonly weather: Weather;
  /** @default charges alone */
  readonly habits?: Habits;
  /** What becomes of the first requests for money. */
  readonly fates?: readonly Fate[];
};

const CALM = calmWeather({ minutes: 6, orders: 1, isShared: false, requestsPerSecond: 5 });

const STORIES: readonly Omit<Scenario, 'seed'>[] = [
  { name: 'a callback', weather: CALM },
  { name: 'no callback', weather: { ...CALM, callbackLost: 1 } },
  { name: 'one 429', weather: CALM, fates: ['busy'] },
  {
    name: 'a 429 that charges',
    weather: { ...CALM, busyTaken: 1, callbackEarly: 1 },
    fates: ['busy'],
  },
  { name: 'an answer lost', weather: CALM, fates: ['answerLost'] },
  {
    name: 'a mirror',
    weather: CALM,
    habits: {
      ...PLAIN,
      notify: MIRROR_PLACES.map((place) => ({
        place,
        mirror: { states: { pending: 'all', completed: 'all', failed: 'all' } },
      })),
    },
  },
  { name: 'two press', weather: { ...CALM, doublePress: 1, colleaguePresses: 1, redelivery: 1 } },
];

/** Each on both stores. */
export const SCENARIOS: readonly Scenario[] = STORIES.flatMap((story) => [
  { ...story, seed: 1 },
  {
    ...story,
    name: `${story.name}, shared`,
    seed: 1,
    weather: { ...story.weather, isShared: true },
  },
]);
