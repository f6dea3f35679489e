import { auditIsWhole, nothingIsStuck } from './book-rules.ts';
import { customersAreWarned, rowsAreChargedOnce, runsAreTold } from './file-rules.ts';
import { forgeriesAreNothing, merchantsAreApart } from './forger-rules.ts';
import { givenBackOnce } from './giving-rules.ts';
import { levelsAreSet } from './level-rules.ts';
import { toldInOrder, toldInPlace, toldOften } from './message-rules.ts';
import { mirroredToTheEnd } from './mirror-rules.ts';
import {
  notSentWhenKnown,
  repeatsAreWarned,
  sentAsConfirmed,
  sentOnce,
  toldTheTruth,
  triesAreApart,
  unknownIsUnknown,
} from './money-rules.ts';
import { receiptsAreSent, textedOnce, textsHaveEnds } from './sms-rules.ts';
import { type Rule, storiesOf } from './stories.ts';
import type { World } from './world.ts';
import {
  confirmedIsKept,
  everybodyWasAnswered,
  keepsSecrets,
  keepsThePace,
  nobodyMetAFault,
  nothingIsDue,
} from './world-rules.ts';

const RULES: readonly Rule[] = [
  sentOnce,
  notSentWhenKnown,
  sentAsConfirmed,
  toldTheTruth,
  unknownIsUnknown,
  toldOften,
  toldInOrder,
  toldInPlace,
  auditIsWhole,
  nothingIsStuck,
  mirroredToTheEnd,
  receiptsAreSent,
  forgeriesAreNothing,
  merchantsAreApart,
  givenBackOnce,
];

/**
 * What is wrong with a world when all is over, by the numbers of the invariants. Judged from the books of
 * the outside; Paythread's own are only compared with themselves and with what it told.
 */
export const judge = async (world: World): Promise<string[]> => {
  const stored = await world.stored();
  if (stored.digest !== undefined) world.trace.note(`stored ${stored.digest}`);
  const stories = storiesOf(world, stored);
  return [
    ...world.broken,
    ...stories.flatMap((story) =>
      RULES.flatMap((rule) => rule(story, world).map((what) => `${what} (${story.id})`)),
    ),
    ...repeatsAreWarned(stories, world),
    ...triesAreApart(stories, world),
    ...keepsThePace(world),
    ...everybodyWasAnswered(stories, world),
    ...nobodyMetAFault(world),
    ...confirmedIsKept(stories, world),
    ...levelsAreSet(stored, world),
    ...rowsAreChargedOnce(stories, stored, world),
    ...runsAreTold(stories, stored, world),
    ...customersAreWarned(stories, stored, world),
    ...nothingIsDue(stored, world.timeline.nowMs),
    ...textedOnce(world),
    ...textsHaveEnds(stored, world),
    ...keepsSecrets(world),
  ];
};
