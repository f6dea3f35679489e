import type { Card } from '../../../src/commands/cards/card.ts';
import { cardText, factOf } from '../../support/card-text.ts';
import { wordAt } from './charges.ts';
import type { Press } from './happenings.ts';
import { isLeftBehind } from './message-rules.ts';
import type { Rule, Story } from './stories.ts';
import type { World } from './world.ts';

/** 1: nothing is sent twice, and nothing without a person who confirmed it. */
export const sentOnce: Rule = ({ postings, charges, audit }) => {
  const wrong: string[] = [];
  // After 429, if nothing says that it was taken; after anything else nothing is sent again.
  const sent = postings.filter(({ fate }) => fate !== 'busy');
  if (sent.length > 1) wrong.push(`1: sent ${sent.length} times`);
  if (postings.length > 6) wrong.push(`1: sent ${postings.length} times after 429`);
  if (charges.length > 1) wrong.push(`1: charged ${charges.length} times`);
  const begun = audit.filter(({ what }) => what === 'submitting').length;
  if (begun < postings.length) wrong.push('1: sent before it was stored that it is sent');
  return wrong;
};

/** A last look at the store, and its answer: so much may lie between a callback and a request that missed it. */
const MISSED_BY_MS = 5_000;

/** 1: what the service has called back about is not sent again, also after 429. */
export const notSentWhenKnown: Rule = ({ id, postings }, { gateway, troubles }) => {
  const [first] = gateway.heardOf.filter((each) => each.id === id);
  if (first === undefined) return [];
  // A process that stood still may have looked before it.
  const isExcused = (atMs: number) =>
    troubles.some(({ fromMs, toMs }) => fromMs <= atMs && toMs >= first.atMs - MISSED_BY_MS);
  return postings
    .filter(({ atMs }) => atMs > first.atMs + MISSED_BY_MS && !isExcused(atMs))
    .map(() => '1: sent again although the service had called back about it');
};

export const sentAsConfirmed: Rule = (story, world) =>
  (story.payment?.bulk === undefined ? story.postings : []).flatMap((posting) => {
    const { fields } = posting;
    const wrong: string[] = [];
    const question = confirmedQuestion(story, world, posting.atMs);
    if (question === undefined) return ['1: sent without a press that counted'];
    const amount = `GHS ${Number(fields['amount']).toFixed(2)}`;
    const shownAmount = factOf(question.card, 'Amount')?.replaceAll(',', '');
    if (amount !== shownAmount) wrong.push(`2: ${amount} sent, ${shownAmount} shown`);
    const shownNumber = factOf(question.card, 'Number')?.replaceAll(' ', '');
    // A colleague who asks again is shown the number masked.
    const [begin = '', end = ''] = shownNumber?.split('***') ?? [];
    const sentNumber = String(fields['customer_number']);
    const isShown =
      shownNumber === sentNumber ||
      (shownNumber !== begin && sentNumber.startsWith(begin) && sentNumber.endsWith(end));
    if (!isShown) wrong.push('2: another number than shown');
    if (fields['trans_type'] !== 'CTM') wrong.push('2: it is no charge');
    if (fields['currency_code'] !== 'GHS') wrong.push('2: another currency than shown');
    return wrong;
  });

/** The question whose button somebody pressed who might, before the money moved. */
const confirmedQuestion = (
  { questions }: Story,
  { people }: World,
  beforeMs: number,
  verbs: readonly string[] = ['charge'],
) =>
  questions.findLast(({ buttonId, viewer, card }) =>
    people.presses.some(
      ({ verb, id, atMs, maySell, caller }) =>
        verbs.includes(verb) &&
        id === buttonId &&
        // The questions to the requester and to the approvers carry one id, and a colleague presses both.
        hasButton(card, verb) &&
        atMs <= beforeMs &&
        // Who may not sell any more may still approve.
        (maySell || verb === 'approve') &&
        caller.id === viewer.id,
    ),
  );

const hasButton = ({ buttons = [] }: Card, verb: string): boolean =>
  buttons.some((button) => button.kind === 'press' && button.verb === verb);

/** 4: what is told of an end was said by the service, and what the service was paid is not hidden. */
export const toldTheTruth: Rule = ({ id, told, postings, charges, payment }, world) => {
  const wrong: string[] = [];
  const said = world.gateway.told.filter((each) => each.id === id);
  for (const { kind, word, atMs, flagged } of told) {
    if (word === 'completed' || word === 'failed') {
      const heard = said.some(
        (each) =>
          each.word === word && each.atMs <= atMs && each.amountMinor === charges[0]?.amountMinor,
      );
      if (!heard) wrong.push(`4: the ${kind} says ${word}, and the service never did`);
    }
    const isUndecided = postings.some((each) => !each.provenNot && each.atMs <= atMs);
    if ((word === 'not sent' || word === 'refused') && isUndecided && !flagged)
      wrong.push(`5: the ${kind} says ${word}, and nobody can know`);
  }
  const paid = charges.some((charge) => wordAt(charge, world.timeline.nowMs) === 'completed');
  // A clock that was set brings the last look too early.
  const isWatched =
    world.weather.clockJumps === 0 || charges.every((each) => each.truths.length < 2);
  if (!isWatched) return wrong;
  const isKnown = told.some(({ word, flagged }) => word === 'completed' || flagged);
  // The card of its run tells of a row.
  if (paid && !isKnown && payment?.bulk === undefined)
    wrong.push('4: the customer paid, and nobody was told');
  // Rule 8 says when an older word may come last; the card and the outcome above it tell the end. Mirrors have rule 17.
  const last = told.findLast(({ kind }) => kind !== 'card' && kind !== 'mirror');
  const isHidden = last !== undefined && last.word !== 'completed' && !last.flagged;
  if (paid && isHidden && !isLeftBehind(last, world))
    wrong.push(`4: the customer paid, and the last word is ${last.word}`);
  return wrong;
};

const HOPELESS = /\bfailed\b|nothing was charged|not charged|try again|type the command again/i;

/** 5: while nobody knows, nothing says that it failed or may be tried again. */
export const unknownIsUnknown: Rule = ({ told }) =>
  told.flatMap(({ kind, word, flagged, text }) =>
    (word === 'unknown' || word === 'pending' || word === 'being sent') &&
    !flagged &&
    HOPELESS.test(text)
      ? [`5: the ${kind} says ${word} and "${HOPELESS.exec(text)?.[0]}"`]
      : [],
  );

/** Whether a question says that a charge like it was asked for: in its title, or where approvers are asked in a warning. */
export const warnsOfAnother = (card: Card): boolean =>
  /again|for the same amount/.test(cardText(card));

const CONFIRMING = ['charge', 'approve'];

/** 14: a second charge like one that is open needs a press on a question that warned of it. */
export const repeatsAreWarned = (stories: readonly Story[], world: World): string[] =>
  stories.flatMap((story) => {
    const [posting] = story.postings;
    if (posting === undefined) return [];
    const question = confirmedQuestion(story, world, posting.atMs, CONFIRMING);
    // When a press that counted was answered.
    const confirmedAtMs = new Map(
      world.people.shown
        .filter(({ card }) => /^(Confirmed|Approved):/.test(card.title))
        .map(({ happening, atMs }) => [happening.eventId, atMs]),
    );
    const refusedIds = new Set(
      world.people.shown
        .filter(({ card }) => /^Only .* can press this$|^You cannot /.test(card.title))
        .map(({ happening }) => happening.eventId),
    );
    // Where the question becomes the card nothing else is said of it: the request shows that it counted.
    const countedAtMs = ({ eventId, caller }: Press): number =>
      confirmedAtMs.get(eventId) ?? (caller.platform === 'telegram' ? posting.atMs : 0);
    const deliveries = world.people.presses.filter(
      (each) =>
        each.id === question?.buttonId &&
        // A changed client presses other verbs of its id.
        CONFIRMING.includes(each.verb) &&
        each.atMs <= posting.atMs &&
        each.atMs <= countedAtMs(each) &&
        !refusedIds.has(each.eventId),
    );
    // Of several deliveries of one press the last counted, or any where no answer says which.
    const isAnswered = deliveries.some(({ eventId }) => confirmedAtMs.has(eventId));
    const mayCount = isAnswered ? deliveries.slice(-1) : deliveries;
    if (question === undefined || mayCount.length === 0) return [];
    // Open when it was pressed, and still when that was answered, perhaps after a long pause.
    const timesMs = mayCount.flatMap((press) => [press.atMs, countedAtMs(press)]);
    return stories
      .filter(({ id }) => id !== story.id)
      .filter((other) => timesMs.every((atMs) => isOpenLike(other, story, { world, atMs })))
      .filter((other) => !JSON.stringify(question.card).includes(other.id))
      .filter((other) => other.questions[0]?.channel === question.channel)
      .filter(() => !warnsOfAnother(question.card))
      .map(
        (other) => `14: ${story.id} was sent without a warning of ${other.id}, like it and open`,
      );
  });

/** 14: a payment has one next try at most, which is not sent while the first may still be paid. */
export const triesAreApart = (stories: readonly Story[], world: World): string[] =>
  stories.flatMap((story) => {
    const { payment, postings } = story;
    const first = stories.find(({ id }) => id === payment?.retryOf);
    if (payment === undefined || first === undefined) return [];
    const wrong: string[] = [];
    const tries = stories.filter((each) => each.payment?.retryOf === first.id);
    if (tries.length > 1) wrong.push(`14: ${tries.length} tries follow ${first.id}`);
    if (first.payment?.retriedAs !== payment.id) wrong.push(`14: ${first.id} names another try`);
    const [posting] = postings;
    if (posting !== undefined && isOpenLike(first, story, { world, atMs: posting.atMs }))
      wrong.push(`14: another try of ${first.id} was sent while that was open`);
    return wrong.map((what) => `${what} (${payment.id})`);
  });

/** For the same merchant, sent, and nothing has proved yet that it was not taken. */
export const isOpenLike = (
  other: Story,
  story: Story,
  { world, atMs }: { world: World; atMs: number },
): boolean => {
  const [one, two] = [other.postings[0]?.fields, story.postings[0]?.fields];
  for (const field of ['amount', 'customer_number', 'service_id'])
    if (one?.[field] !== two?.[field]) return false;
  const sent = other.postings.filter((each) => each.atMs < atMs);
  const hasEnded = world.gateway.told.some(
    ({ id, word, atMs: toldMs }) => id === other.id && word !== 'pending' && toldMs <= atMs,
  );
  return sent.some(({ provenNot }) => !provenNot) && !hasEnded;
};
