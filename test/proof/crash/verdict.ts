import type { Taken } from '../../support/callback-post.ts';
import type { Question, Seen } from './desk.ts';
import type { Posting } from './gateway.ts';
import { mannerOf } from './manners.ts';
import type { Life } from './program.ts';
import type { Sale } from './sales.ts';

/** One sale with everything that any book says about it. Nothing here comes from Paythread's own. */
export type Story = {
  readonly sale: Sale;
  readonly postings: readonly Posting[];
  readonly cards: readonly Seen[];
  readonly outcomes: readonly Seen[];
  /** What stands where the question stood; absent: it was never asked. */
  readonly question?: Question;
  readonly taken: readonly Taken[];
  /** When the service was asked about it. */
  readonly askedAtMs: readonly number[];
};

/** Without a story it is about the process. */
export type Finding = { readonly story?: Story; readonly what: string };

/** A message posted so shortly before a death may not be known to have been posted. */
const AMBIGUOUS_MS = 1_500;
/** The chat dates a message when it has read it, and the process that sent it may be dead by then. */
const IN_THE_AIR_MS = 250;
/** From the last look at the store to the service. */
const MISSED_BY_MS = 500;
/** What the contract promises after a callback, counted while the process lives. */
const HEARD_WITHIN_MS = 5_000;

const chargeOf = ({ postings }: Story): Posting | undefined =>
  postings.find(({ fate }) => fate === 'charged');

/** Of the payment; undefined: neither the service nor its messages name it yet. */
export const idOf = ({ postings, cards, outcomes }: Story): string | undefined =>
  postings[0]?.id ??
  [...cards, ...outcomes].find(({ transactionId }) => transactionId !== undefined)?.transactionId;

export const isFinal = ({ word }: Seen): boolean => word !== 'unknown' && word !== 'pending';

/** A payment that is set aside calls for a person, in a message of its own, while its state stays what it was. */
const saysOf = ({ word, flagged }: Seen): string => (flagged ? `${word}, for a person` : word);

/** What must never be, whatever comes. */
export const wrongIn = (story: Story, lives: readonly Life[]): string[] => [
  ...postedWrongly(story),
  ...shownWrongly(story),
  ...toldWrongly(story, lives),
  ...toldTooOften(story, lives),
];

const postedWrongly = ({ sale, postings, taken }: Story): string[] => {
  const wrong: string[] = [];
  // After 429 alone the same request goes out again,
  const counted = postings.filter(({ fate }) => fate !== 'busy' && fate !== 'repeated');
  if (counted.length > 1) wrong.push(`requested ${counted.length} times`);
  // and not once the service has called back about it.
  const isKnown = (atMs: number) => taken.some((each) => each.atMs < atMs - MISSED_BY_MS);
  if (postings.some(({ fate, atMs }) => fate === 'repeated' && isKnown(atMs)))
    wrong.push('requested again after its callback was taken');
  if (new Set(postings.map(({ id }) => id)).size > 1)
    wrong.push('requested under two transaction ids');
  for (const { amount, currency, customerNumber, direction, atMs } of postings) {
    if (amount !== String(Number(sale.amount)))
      wrong.push(`the wire says ${amount}, and ${sale.amount} was confirmed`);
    if (currency !== 'GHS' || direction !== 'CTM' || customerNumber !== sale.customerNumber)
      wrong.push(`requested as ${direction} ${currency} of ${customerNumber}`);
    if (sale.pressedAtMs === undefined || atMs < sale.pressedAtMs)
      wrong.push('requested before anybody pressed');
  }
  return wrong;
};

/** Every version of every message, also those that stood for a moment only. */
const shownWrongly = (story: Story): string[] => {
  const charge = chargeOf(story);
  return [...story.cards, ...story.outcomes].flatMap(({ kind, versions }) =>
    versions.flatMap((text) => lieIn(text, charge).map((what) => `the ${kind} said ${what}`)),
  );
};

const lieIn = (text: string, charge: Posting | undefined): string[] => {
  const says = (word: string) =>
    new RegExp(`GHS [\\d,.]+ ${word} · |GHS [\\d.]+ from .+: ${word}\\b`).test(text);
  const lies: string[] = [];
  for (const word of ['completed', 'failed'] as const)
    if (says(word) && charge?.truth !== word)
      lies.push(`${word}, the service ${charge?.truth ?? 'never charged it'}`);
  const denies = says('not sent') || says('refused') || text.includes('Nothing was charged');
  if (denies && charge !== undefined) lies.push('that nothing was charged, and it was');
  if (says('pending') && charge === undefined) lies.push('pending, and the service has nothing');
  return lies;
};

const toldWrongly = (story: Story, lives: readonly Life[]): string[] => {
  const { postings, cards, outcomes, question } = story;
  const charge = chargeOf(story);
  const wrong: string[] = [];
  for (const told of outcomes) {
    // `owedIn` asks whether it had to call for a person.
    if (told.word === 'pending' && !told.flagged) wrong.push('pending was told as an outcome');
    if (isFinal(told) && charge !== undefined && told.said.atMs < charge.settlesAtMs)
      wrong.push(`${told.word} was told before it was so`);
    // What was given up before its card could be posted, or be known to be, has none to answer.
    const hasNone = told.word === 'not sent' && cards.every((card) => mayBeUnheardOf(card, lives));
    // An outcome goes before an edit, so a death in between leaves the question standing for a while.
    const places: unknown[] = cards.map((card) => card.said.id);
    if (question !== undefined) places.push(question.id);
    if (!hasNone && !places.includes(told.said.under))
      wrong.push('the outcome does not answer the card');
  }
  for (const { kind, transactionId } of [...cards, ...outcomes]) {
    if (transactionId === undefined || postings[0] === undefined) continue;
    if (transactionId !== postings[0].id)
      wrong.push(`the ${kind} names another transaction, ${transactionId}`);
  }
  const end = outcomes.findIndex(isFinal);
  if (end >= 0 && outcomes.slice(end).some((told) => !isFinal(told)))
    wrong.push('unknown was told after the end');
  if (new Set(outcomes.filter(isFinal).map(({ word }) => word)).size > 1)
    wrong.push('two ends were told');
  return wrong;
};

/** Whoever posted it died before that could be written down, or while it was on its way. */
const mayBeUnheardOf = ({ said: { atMs } }: Seen, lives: readonly Life[]): boolean =>
  lives.some(
    ({ endedAtMs = 0 }) => endedAtMs > atMs - IN_THE_AIR_MS && endedAtMs - atMs < AMBIGUOUS_MS,
  );

/** Once, and once more for each death that may have swallowed that it was posted. */
const toldTooOften = ({ cards, outcomes }: Story, lives: readonly Life[]): string[] => {
  const told = Map.groupBy(outcomes, (one) => `the outcome ${saysOf(one)}`);
  told.set('the card', [...cards]);
  return [...told].flatMap(([what, copies]) =>
    copies.slice(1).flatMap((_, at) => {
      const first = copies[at];
      const excused = first !== undefined && mayBeUnheardOf(first, lives);
      return excused ? [] : [`${what} was told again without a reason`];
    }),
  );
};

/** How often each story was told more than it had to be. */
export const repeatsIn = ({ outcomes, cards }: Story): { outcomes: number; cards: number } => ({
  outcomes: outcomes.length - new Set(outcomes.map(saysOf)).size,
  cards: Math.max(0, cards.length - 1),
});

/** What has to come yet; when nothing comes any more, it is lost. */
export const owedIn = (story: Story): string[] => {
  const { sale, outcomes, cards, question } = story;
  if (sale.pressedAtMs === undefined || sale.poisoned !== undefined) return [];
  const calls = [...cards, ...outcomes].find(({ flagged }) => flagged);
  if (calls !== undefined) return [`the ${calls.kind} calls for a person`];
  const charge = chargeOf(story);
  const last = outcomes.at(-1);
  if (last === undefined) return ['it was pressed, and nothing was told'];
  // Or the card could not be posted, which is said in the same place.
  if (question === undefined || /Charge GHS [\d,.]+( again)?\?/.test(question.text))
    return ['it was pressed, and its question still asks'];
  if (charge !== undefined && last.word !== charge.truth)
    return [`the service ${charge.truth}, and last was told ${last.word}`];
  const card = cards.find(({ said }) => said.id === last.said.under);
  return card === undefined || card.word === last.word
    ? []
    : [`the card still says ${card.word} after the outcome ${last.word}`];
};

/** So many deaths it takes, all of them with this in hand. */
const DEATHS_UNTIL_SET_ASIDE = 3;

/** It waits for an hour, with the operators told, because it was in hand whenever the process died. */
export const isSetAside = (
  story: Story,
  alarms: readonly string[],
  lives: readonly Life[],
): boolean => {
  const { pressedAtMs } = story.sale;
  const id = idOf(story);
  if (pressedAtMs === undefined || id === undefined) return false;
  const deaths = lives.filter(({ endedAtMs = 0 }) => endedAtMs >= pressedAtMs).length;
  return (
    deaths >= DEATHS_UNTIL_SET_ASIDE &&
    alarms.some((text) => text.includes('three times') && text.includes(id))
  );
};

/** The first checks come within a second; whatever takes longer lay around, or nobody knew of it. */
const LONGEST_REST_MS = 8_000;
const FIRST_CHECKS = 2;

/** Between the press and the first checks a payment never rests for long while a process lives. */
const restedIn = (
  { sale, postings, askedAtMs, cards, outcomes }: Story,
  lives: readonly Life[],
): string[] => {
  if (sale.pressedAtMs === undefined) return [];
  const signs = [
    sale.pressedAtMs,
    ...postings.map(({ atMs }) => atMs),
    ...[...cards, ...outcomes].map(({ said }) => said.atMs),
    ...askedAtMs.slice(0, FIRST_CHECKS),
  ].sort((a, b) => a - b);
  const end = askedAtMs[FIRST_CHECKS - 1] ?? outcomes.find(isFinal)?.said.atMs ?? Date.now();
  const upTo = [...signs.filter((atMs) => atMs < end), end];
  const longestMs = Math.max(
    0,
    ...upTo.slice(1).map((atMs, at) => livedMs(lives, upTo[at] ?? atMs, atMs)),
  );
  return longestMs > LONGEST_REST_MS ? [`nothing happened to it for ${longestMs} ms`] : [];
};

/** What comes late although a process lives to see to it. */
export const lateIn = (story: Story, lives: readonly Life[]): string[] =>
  story.sale.poisoned === undefined ? [...restedIn(story, lives), ...unheard(story, lives)] : [];

/** A process that is ready has other things to do as well. */
const SETTLING_MS = 500;

/** How much time processes had between two moments to see to something, all lives together. */
const livedMs = (lives: readonly Life[], fromMs: number, toMs: number): number =>
  lives
    .map(({ readyAtMs = Number.POSITIVE_INFINITY, endedAtMs = Date.now() }) =>
      Math.max(0, Math.min(endedAtMs, toMs) - Math.max(readyAtMs, fromMs) - SETTLING_MS),
    )
    .reduce((sum, one) => sum + one, 0);

/** A callback that was answered with 200 was stored, so the service is asked soon, whoever dies meanwhile. */
const unheard = ({ taken, askedAtMs, outcomes }: Story, lives: readonly Life[]): string[] => {
  const first = taken[0];
  if (first === undefined) return [];
  const end = outcomes.find(isFinal);
  if (end !== undefined && end.said.atMs <= first.atMs) return [];
  const askedMs = askedAtMs.find((atMs) => atMs >= first.sentAtMs) ?? Number.POSITIVE_INFINITY;
  // Or it was being asked at that moment, and the answer was the end.
  const longestMs = livedMs(lives, first.atMs, Math.min(askedMs, end?.said.atMs ?? askedMs));
  return longestMs > HEARD_WITHIN_MS
    ? [`a callback was taken, and the service was not asked for ${longestMs} ms`]
    : [];
};

/** What `/status` has to say, and does not. */
export const statusLie = (story: Story, answer: string, truth: string | undefined): string[] => {
  const last = story.outcomes.at(-1);
  // What calls for a person waits for its end, and this very question found it.
  const told = last?.flagged ? truth : last?.word;
  const says = (text: string) => answer.includes(text);
  if (truth === undefined)
    return says('does not know this transaction') ? [] : ['/status knows more than the service'];
  const wrong: string[] = [];
  if (!says(`the payment service says "${truth}"`)) wrong.push(`/status does not say ${truth}`);
  if (told !== undefined && !says(`GHS ${story.sale.amount} ${told}`))
    wrong.push(`/status does not show ${told}, which was told`);
  return wrong;
};

export const titleOf = ({ sale }: Story): string =>
  `GHS ${sale.amount} of round ${sale.round} (${mannerOf(sale.customerNumber).name})`;
