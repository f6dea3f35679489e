import type { Taking } from './callbacks.ts';
import { amountText, type Charge } from './charges.ts';
import type { Trouble } from './instances.ts';
import type { Said } from './shop.ts';
import { type Told, toldBy } from './told.ts';

/** What the world outside has in its books. Nothing here comes from Paythread's own. */
export type Ledgers = {
  readonly charges: readonly Charge[];
  readonly takings: readonly Taking[];
  readonly said: readonly Said[];
  readonly troubles: readonly Trouble[];
};

/** One charge with everything that any book says about it. */
export type Story = {
  readonly charge: Charge;
  readonly takings: readonly Taking[];
  readonly cards: readonly Told[];
  readonly outcomes: readonly Told[];
  /** Questions that stand in the chat and nobody has answered. */
  readonly questions: readonly Said[];
  /** Nothing was done to any instance while it lived. */
  readonly calm: boolean;
};

export type Finding = { readonly story: Story; readonly what: string };

export type Verdict = {
  readonly stories: readonly Story[];
  /** What must never be, whatever comes. */
  readonly wrong: readonly Finding[];
  /** What has to come yet; when nothing comes any more, it is lost. */
  readonly owed: readonly Finding[];
};

/** Around a trouble: requests that were under way when it began, work taken up again when it ended. */
const MARGIN_MS = 3_000;
/** Words that end a story; an unknown one may still be told otherwise. */
const isFinal = ({ word }: Told): boolean => word !== 'unknown' && word !== 'pending';

export const judge = (ledgers: Ledgers): Verdict => {
  const stories = storiesOf(ledgers);
  const findings = (rule: (story: Story) => string[]) =>
    stories.flatMap((story) => rule(story).map((what) => ({ story, what })));
  return { stories, wrong: findings(wrongIn), owed: findings(owedIn) };
};

const storiesOf = ({ charges, takings, said, troubles }: Ledgers): Story[] => {
  const takingsOf = Map.groupBy(takings, ({ amountMinor }) => amountMinor);
  const toldOf = Map.groupBy(
    said.flatMap((each) => toldBy(each) ?? []),
    ({ amountMinor }) => amountMinor,
  );
  return charges.map((charge) => {
    const told = toldOf.get(charge.amountMinor) ?? [];
    const question = `Charge GHS ${amountText(charge.amountMinor)}?`;
    const story = {
      charge,
      questions: said.filter(({ text }) => text.includes(question)),
      takings: takingsOf.get(charge.amountMinor) ?? [],
      cards: told.filter(({ kind }) => kind === 'card'),
      outcomes: told.filter(({ kind }) => kind === 'outcome'),
    };
    return { ...story, calm: isCalm(story, troubles) };
  });
};

const isCalm = (story: Omit<Story, 'calm'>, troubles: readonly Trouble[]): boolean => {
  const fromMs = story.charge.askedAtMs - MARGIN_MS;
  const toMs = MARGIN_MS + Math.max(fromMs, ...story.outcomes.map(({ said }) => said.atMs));
  return !troubles.some((trouble) => trouble.fromMs < toMs && fromMs < trouble.toMs);
};

const wrongIn = (story: Story): string[] => [
  ...chargedWrongly(story),
  ...toldWrongly(story),
  ...toldBackwards(story),
  ...toldElsewhere(story),
  ...toldTooOften(story),
  ...askedTooOften(story),
];

const chargedWrongly = ({ charge, takings }: Story): string[] => {
  const wrong: string[] = [];
  if (takings.length > 1) wrong.push(`charged ${takings.length} times`);
  for (const taking of takings) {
    if (taking.customerNumber !== charge.customerNumber)
      wrong.push(`another customer was charged: ${taking.customerNumber}`);
    if (charge.cancelledAtMs !== undefined) wrong.push('charged after it was said to be cancelled');
    if (charge.pressedAtMs === undefined || taking.atMs < charge.pressedAtMs)
      wrong.push('charged before anybody pressed');
  }
  return wrong;
};

const toldWrongly = ({ takings: [taking], cards, outcomes, calm }: Story): string[] =>
  [...cards, ...outcomes].flatMap((told) => {
    const { kind, word, flagged, apologises, transactionId, said } = told;
    const wrong: string[] = [];
    const isEnd = word === 'completed' || word === 'failed';
    if (isEnd && word !== taking?.truth)
      wrong.push(`the ${kind} says ${word}, the service ${taking?.truth ?? 'never heard of it'}`);
    if (isEnd && taking !== undefined && kind === 'outcome' && said.atMs < taking.settlesAtMs)
      wrong.push(`the ${kind} says ${word} before it was so`);
    if ((word === 'not sent' || word === 'refused') && taking !== undefined)
      wrong.push(`the ${kind} says ${word}, and the service took it`);
    if (kind === 'outcome' && word === 'pending') wrong.push('pending was told as an outcome');
    if (flagged) wrong.push(`the ${kind} calls for a person`);
    if (calm && apologises) wrong.push(`the ${kind} was sent again without a reason`);
    const isOther = transactionId !== undefined && transactionId !== taking?.transactionId;
    if (taking !== undefined && isOther)
      wrong.push(`the ${kind} names another transaction, ${transactionId}`);
    return wrong;
  });

/** What stood still in the middle of a message may send it late; nothing else does. */
const toldBackwards = ({ outcomes, calm }: Story): string[] =>
  calm &&
  outcomes.slice(outcomes.findIndex(isFinal)).some((told) => !isFinal(told)) &&
  outcomes.some(isFinal)
    ? ['unknown was told after the end']
    : [];

const toldElsewhere = ({ charge, cards, outcomes }: Story): string[] =>
  [...cards, ...outcomes].flatMap(({ kind, said }) => {
    if (said.platform !== charge.platform || said.place !== charge.place)
      return [`the ${kind} stands in ${said.platform} ${said.place}`];
    const answersCard = kind === 'card' || cards.some((card) => card.said.id === said.under);
    return answersCard ? [] : [`the ${kind} does not answer the card`];
  });

/** At least once, so one repeat, where a trouble may have swallowed what became of the first; else once. */
const toldTooOften = (story: Story): string[] =>
  [...repeatsOf(story)].flatMap(([what, repeats]) =>
    repeats > (story.calm ? 0 : 1) ? [`${what} told ${repeats + 1} times`] : [],
  );

/** Typed once is asked once, however often the platform brings it. */
const askedTooOften = ({ charge, questions }: Story): string[] =>
  questions.length >
  (charge.acceptedAtMs === undefined && charge.cancelledAtMs === undefined ? 1 : 0)
    ? ['one question more stands in the chat']
    : [];

/** How often each thing was told beyond the first time. */
export const repeatsOf = ({ cards, outcomes }: Story): Map<string, number> => {
  const told = Map.groupBy(outcomes, ({ word }) => `the outcome ${word}`);
  if (cards.length > 0) told.set('the card', [...cards]);
  return new Map(
    [...told].flatMap(([what, { length }]) => (length > 1 ? [[what, length - 1]] : [])),
  );
};

const owedIn = (story: Story): string[] => {
  const { charge, takings, outcomes } = story;
  const end = outcomes.find(isFinal);
  if (takings.length > 0 && end === undefined) return ['charged, and the outcome was never told'];
  if (charge.acceptedAtMs !== undefined && outcomes.length === 0)
    return ['its press was accepted, and then nothing was told'];
  if (outcomes.length === 0) return [];
  return staleCard(story);
};

/** The card that the outcome answers says in the end what the outcome says. */
const staleCard = ({ cards, outcomes }: Story): string[] => {
  const last = outcomes.findLast(isFinal) ?? outcomes.at(-1);
  const answered = cards.find(({ said }) => said.id === last?.said.under);
  if (last === undefined || answered === undefined || answered.word === last.word) return [];
  return [`the card still says ${answered.word} after the outcome ${last.word}`];
};

/** From the end at the service to its outcome in the chat. */
export const tellingMs = ({ takings: [taking], outcomes }: Story): number | undefined => {
  const end = outcomes.find(isFinal);
  return taking === undefined || end === undefined ? undefined : end.said.atMs - taking.settlesAtMs;
};

export const titleOf = ({ charge }: Story): string =>
  `GHS ${amountText(charge.amountMinor)} in ${charge.platform} ${charge.place}`;
