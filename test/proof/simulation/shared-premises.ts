import type { Dice } from '../storm/dice.ts';
import type { Premises } from './premises.ts';
import { SharedDatabase } from './shared-store.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

/** One database for all instances. */
export const sharedPremises = (options: {
  timeline: Timeline;
  dice: Dice;
  weather: Weather;
  /** Called when the database fails somebody. */
  onFailure: () => void;
}): Premises => {
  const { timeline, dice, weather, onFailure } = options;
  let isHealed = false;
  const database = new SharedDatabase(timeline, () => {
    const fails = !isHealed && dice.chance(weather.failingStore);
    if (fails) onFailure();
    return {
      fails,
      tookMs: !isHealed && dice.chance(weather.slowStore) ? dice.whole(1, 2_000) : 0,
    };
  });
  return {
    open: async (instance) => database.storeFor(instance),
    close: async (instance) => database.forget(instance),
    died: (instance) => database.forget(instance),
    mayRefuse: () => weather.failingStore > 0,
    heal: () => {
      isHealed = true;
    },
    nextDueMs: async (overdueMs) => {
      const nextMs = database.nextDueMs();
      return nextMs <= timeline.nowMs ? overdueMs : nextMs;
    },
    stored: async () => ({ records: [...database.records()], audit: database.audit }),
    demolish: () => {},
  };
};
