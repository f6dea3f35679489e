import { chatLevels, type Level, placeKey } from '../../../src/core/records/notify-rules.ts';
import type { Conversation } from '../../../src/core/values/conversation.ts';
import type { Stored } from './premises.ts';
import type { World } from './world.ts';

/** Longer than a slow store takes, or a process that stands still and goes on. */
const MARGIN_MS = 15 * 60_000;

type Place = Pick<Conversation, 'platform' | 'channel'>;

/**
 * The levels of which one counts in a conversation at a time: what the access file says, until an administrator has set
 * another. Which of several sets counts is certain only a while after one of them was answered.
 */
export const levelsAt = (place: Place, atMs: number, { people, habits }: World): Level[] => {
  const sets = people.levelsSet.filter(
    (each) => placeKey(each) === placeKey(place) && each.atMs <= atMs + MARGIN_MS,
  );
  const answeredAtMs = sets
    .filter(({ eventId }) =>
      people.shown.some(
        ({ happening, card }) =>
          // Any other answer may be that it could not be stored.
          happening.eventId === eventId && card.title.startsWith('Messages here'),
      ),
    )
    .map((each) => each.atMs)
    .filter((ms) => ms < atMs - MARGIN_MS);
  const sinceMs = Math.max(...answeredAtMs) - MARGIN_MS;
  const possible = sets.filter((each) => !(each.atMs < sinceMs)).map(({ level }) => level);
  if (answeredAtMs.length > 0) return possible;
  const inFile = habits.notify.find((rule) => placeKey(rule.place) === placeKey(place))?.level;
  return [inFile ?? 'all', ...possible];
};

/** 18: a level that was set in the chat is one that an administrator set there, as the last. */
export const levelsAreSet = ({ records }: Stored, world: World): string[] => {
  const record = records.find(
    ({ kind, record: { id } }) => kind === 'setting' && id === chatLevels.id,
  );
  const levels = record?.kind === 'setting' ? (chatLevels.read(record.record) ?? {}) : {};
  const places = Map.groupBy(world.people.levelsSet, placeKey);
  return [...new Set([...Object.keys(levels), ...places.keys()])].flatMap((place) => {
    const [set] = places.get(place) ?? [];
    const level = levels[place]?.level;
    if (set === undefined) return [`18: ${place} has ${level}, which no administrator set`];
    const possible = levelsAt(set, world.timeline.nowMs, world);
    return level === undefined || possible.includes(level)
      ? []
      : [`18: ${place} has ${level}, and the administrators set ${possible.join(', ')}`];
  });
};
