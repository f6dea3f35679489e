import type { Payment } from '../../../src/core/records/payment.ts';
import type { Conversation } from '../../../src/core/values/conversation.ts';
import { levelsAt } from './level-rules.ts';
import { CHANNELS } from './seats.ts';
import type { Rule, Story } from './stories.ts';
import type { Told } from './told.ts';
import type { World } from './world.ts';

/** Between what was done and what was stored of it; longer than a slow store takes. */
const MARGIN_MS = 10_000;
/** After a pause as long as this another instance has its work. */
const LEASE_MS = 45_000;
/** The longest that anybody stands still. */
const STALE_MS = 600_000;

const isFinal = ({ word }: Told): boolean =>
  word === 'completed' || word === 'failed' || word === 'not sent' || word === 'refused';

const textOf = ({ message, text }: Told): string => `${message.key} ${text}`;

/** 7: an end is told, and not more often than what became of the telling was unclear. */
export const toldOften: Rule = (story, world) => {
  const wrong: string[] = [];
  const { told, payment, attempts } = story;
  // A clock that was set makes the same reminder due once more.
  const isReminder = ({ flagged }: Told) => flagged && world.weather.clockJumps > 0;
  const posts = told.filter(
    (each) => each.isPost && each.kind !== 'alert' && each.kind !== 'mirror' && !isReminder(each),
  );
  // Told again with other words is told anew: a second contradiction, say.
  for (const copies of Map.groupBy(posts, textOf).values()) {
    const key = copies[0]?.message.key;
    const unclear = attempts.filter(
      (each) => each.key === key && each.kind === 'post' && isUnclear(each, world),
    ).length;
    if (copies.length > 1 + unclear)
      wrong.push(`7: ${key} stands ${copies.length} times after ${unclear} unclear attempts`);
  }
  const outcomes = told.filter(({ kind }) => kind === 'outcome');
  const isOnCard =
    payment !== undefined &&
    told.some(
      (each) =>
        each.kind === 'card' &&
        (isFinal(each) || each.flagged) &&
        // What is told is decided when the end is known; the card may be late.
        [each.atMs, endKnownAtMs(payment, world) ?? each.atMs].some((atMs) =>
          isQuiet(payment.conversation, atMs, world),
        ),
    );
  // The card of its run tells of a row.
  if (
    payment !== undefined &&
    payment.bulk === undefined &&
    !isOnCard &&
    !outcomes.some((each) => isFinal(each) || each.flagged)
  )
    wrong.push(`7: nothing was told of its end, ${payment.state}`);
  return wrong;
};

/** What was not sent, the service does not say. */
const endKnownAtMs = (
  { id, state, settledAtMs }: Payment,
  { gateway }: World,
): number | undefined =>
  gateway.told.find((each) => each.id === id && each.word === state)?.atMs ?? settledAtMs;

/** A rule may have left an end to the card there. */
const isQuiet = (place: Conversation, atMs: number, world: World): boolean =>
  levelsAt(place, atMs, world).some((level) => level !== 'all');

export const isUnclear = (
  { outcome, atMs, answeredAtMs }: Story['attempts'][number],
  { troubles }: World,
): boolean =>
  outcome === 'unclear' ||
  troubles.some(
    ({ fromMs, toMs }) => fromMs <= answeredAtMs + MARGIN_MS && atMs - MARGIN_MS <= toMs,
  );

/** 8: the card and the last outcome say the same, and nothing older comes after the end. */
export const toldInOrder: Rule = ({ told, payment }, world) => {
  const wrong: string[] = [];
  const outcomes = told.filter(({ kind, isPost }) => kind === 'outcome' && isPost);
  const end = outcomes.findIndex(isFinal);
  // Told by another instance a moment too late, it says by itself what came next.
  const stale = outcomes
    .slice(end + 1)
    .find((each) => end >= 0 && !isFinal(asItStands(each, told)) && !each.flagged);
  if (stale !== undefined && !isTroubled(stale, world))
    wrong.push(`8: ${stale.word} was told after the end`);
  const posted = outcomes.at(-1);
  const last = posted === undefined ? undefined : asItStands(posted, told);
  const cards = told.filter(({ kind }) => kind === 'card');
  const shown = cards.map(({ message, platform }) =>
    cards.findLast((each) => each.message === message && each.platform === platform),
  );
  if (payment?.card === undefined || shown.length === 0 || isLost(payment.card, world))
    return wrong;
  const isCardLeft = shown.some((card) => card !== undefined && isLeftBehind(card, world));
  if (!isCardLeft && !shown.some((card) => card?.word === payment.state))
    wrong.push(`8: the card says ${shown.at(-1)?.word}, and it is ${payment.state}`);
  // That the service began to know of it is no outcome: the card alone says so.
  const isAwaited = last?.word === 'unknown' && payment.state === 'pending';
  const isWrong = last !== undefined && last.word !== payment.state && !isAwaited;
  if (isWrong && !isLeftBehind(last, world))
    wrong.push(`8: the last outcome says ${last.word}, and it is ${payment.state}`);
  return wrong;
};

/** What its message says in the end. */
const asItStands = (one: Told, told: Story['told']): Told =>
  told.findLast(({ message }) => message === one.message) ?? one;

/** Who sent it too late, after a pause or a slow answer, and died before it could look again, left what nobody else knows of. */
export const isLeftBehind = ({ atMs }: Pick<Told, 'atMs'>, { troubles, weather }: World): boolean =>
  weather.isShared &&
  (weather.slowStore > 0 ||
    troubles.some(
      ({ fromMs, toMs }) => toMs - fromMs >= LEASE_MS && fromMs <= atMs && atMs <= toMs + MARGIN_MS,
    )) &&
  troubles.some(
    ({ fromMs, toMs }) => toMs === fromMs && fromMs >= atMs && fromMs <= lookedByMs(atMs, troubles),
  );

/** Until when a process that sent at `atMs` may not have looked again: a pause that begins before then goes on first. */
const lookedByMs = (atMs: number, troubles: World['troubles']): number =>
  troubles
    .filter(({ fromMs }) => fromMs >= atMs && fromMs <= atMs + MARGIN_MS)
    .reduce((latestMs, { toMs }) => Math.max(latestMs, toMs + MARGIN_MS), atMs + MARGIN_MS);

const isTroubled = ({ atMs }: Told, { troubles }: World): boolean =>
  troubles.some(({ fromMs, toMs }) => fromMs <= atMs + MARGIN_MS && atMs - STALE_MS <= toMs);

/** Its conversation went away or has another id: what stood there cannot be brought up to date. */
export const isLost = (
  { conversation }: { conversation: { platform: string; channel: string } },
  { chats }: Pick<World, 'chats'>,
): boolean =>
  chats.some(
    (chat) =>
      chat.platform === conversation.platform &&
      (chat.isGone(conversation.channel) ||
        chat.placeOf(conversation.channel) !== conversation.channel),
  );

/** 7, 8: each outcome stands in its conversation, or where it had to go instead. */
export const toldInPlace: Rule = ({ told, payment }, { chats }) =>
  told.flatMap(({ kind, message, platform }) => {
    if (payment === undefined || kind === 'alert' || kind === 'mirror') return [];
    const { conversation, requester } = payment;
    const chat = chats.find((each) => each.platform === conversation.platform);
    const places = new Set([
      conversation.channel,
      chat?.placeOf(conversation.channel),
      requester.id,
      CHANNELS.operators,
    ]);
    return places.has(message.channel)
      ? []
      : [`7: a ${kind} stands in ${platform} ${message.channel}`];
  });
