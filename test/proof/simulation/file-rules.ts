import { type BulkRun, countIn, isSmsRun, type SmsRun } from '../../../src/core/records/bulk.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { MONTHS } from '../../../src/core/values/format-time.ts';
import { cardText } from '../../support/card-text.ts';
import type { Message } from './chat.ts';
import { draftIn } from './happenings.ts';
import { isLeftBehind, isLost } from './message-rules.ts';
import { isOpenLike, warnsOfAnother } from './money-rules.ts';
import type { Stored } from './premises.ts';
import type { Story } from './stories.ts';
import type { World } from './world.ts';

/** Behind the reference of a row that is asked again for another month. */
const MONTH = new RegExp(` (?:${MONTHS.join('|')})$`);

const rowOf = ({ terms }: Payment, { people }: World) =>
  people.filed.find(({ reference }) => reference === terms.reference.replace(MONTH, ''));

/** 18: what a file is charged with was in the file and confirmed, and no row of it is charged twice in a month for a merchant. */
export const rowsAreChargedOnce = (
  stories: readonly Story[],
  { records }: Stored,
  world: World,
): string[] => {
  const runs = runsIn(records);
  const ofFiles = stories.filter(({ payment }) => payment?.bulk !== undefined);
  const first = ofFiles.filter(({ payment }) => payment?.retryOf === undefined);
  const copies = [
    ...Map.groupBy(
      first,
      ({ payment }) => `${payment?.terms.merchant ?? ''} ${payment?.terms.reference}`,
    ),
  ]
    .filter(([, same]) => same.length > 1)
    .map(([row, same]) => `18: "${row}" is ${same.length} payments`);
  return [...copies, ...ofFiles.flatMap((story) => wrongIn(story, runs, world))];
};

const wrongIn = (
  { id, payment, postings }: Story,
  runs: readonly BulkRun[],
  world: World,
): string[] => {
  const run = runs.find((each) => each.id === payment?.bulk?.run);
  const row = payment && rowOf(payment, world);
  if (run === undefined || row === undefined) return [`18: ${id} is of no file that was sent`];
  return postings.flatMap(({ fields, atMs }) => {
    const wrong: string[] = [];
    if (fields['amount'] !== row.amountMinor / 100) wrong.push(`18: ${id} has another amount`);
    if (fields['customer_number'] !== row.number) wrong.push(`18: ${id} has another number`);
    const isConfirmed = world.people.presses.some(
      (press) =>
        (press.verb === 'bulk-charge' || press.verb === 'approve') &&
        draftIn(press.id) === run.draftId &&
        press.atMs <= atMs,
    );
    return isConfirmed ? wrong : [...wrong, `18: ${id} was sent without a press`];
  });
};

/**
 * 19: of the requests for the same of one customer for one merchant, each that was sent while another one could still be paid was warned
 * of, or the other was; rows of one file apart, which its dry run names together.
 */
export const customersAreWarned = (
  stories: readonly Story[],
  { records }: Stored,
  world: World,
): string[] => {
  const runs = runsIn(records);
  const sent = stories.filter(({ postings }) => postings.length > 0);
  const byCustomer = Map.groupBy(sent, ({ postings: [first] }) =>
    JSON.stringify([first?.fields['customer_number'], first?.fields['amount']]),
  );
  return [...byCustomer.values()].flatMap((alike) => {
    const unwarned = alike.filter((story) => !wasWarned(story, runs, world));
    return unwarned.flatMap((story) =>
      unwarned
        .filter((other) => other !== story && !isOfSameFile(other, story))
        .filter((other) => isOpenLike(other, story, { world, atMs: story.postings[0]?.atMs ?? 0 }))
        .map((other) => `19: ${story.id} was sent beside ${other.id}, and no press was warned`),
    );
  });
};

const isOfSameFile = (one: Story, other: Story): boolean =>
  one.payment?.bulk !== undefined && one.payment.bulk.run === other.payment?.bulk?.run;

/** Whether the card that was pressed says that this charge is asked for again. */
const wasWarned = (story: Story, runs: readonly BulkRun[], { people }: World): boolean => {
  const run = runs.find(({ id }) => id === story.payment?.bulk?.run);
  if (run === undefined) return story.questions.some(({ card }) => warnsOfAnother(card));
  const pressed = people.presses.filter(
    ({ verb, id }) => (verb === 'bulk-charge' || verb === 'approve') && draftIn(id) === run.draftId,
  );
  const row = new RegExp(`Rows? [^:.]*(\\b${story.payment?.bulk?.row}\\b|more)[^:.]*repeats? `);
  return pressed.some(({ id }) =>
    people.shown.some(
      ({ card }) =>
        (card.buttons ?? []).some(
          (button) => button.kind === 'press' && button.id === id && /again/.test(button.label),
        ) && row.test(cardText(card)),
    ),
  );
};

const runsIn = (records: Stored['records']): BulkRun[] =>
  records.flatMap((put) => (put.kind === 'bulk' ? [put.record] : []));

/** As long as a payment is asked about, and some looks more. */
const LOOKS_MS = 74 * 3_600_000;

/** It is looked at now and then, and stored as it is: until a person resumes it, or while rows have no outcome. */
export const isLookedAt = (run: BulkRun, nowMs: number): boolean => {
  const sinceMs = nowMs - (run.sentAtMs ?? run.confirmedAtMs);
  const isAwaited = sinceMs < LOOKS_MS && countIn(run, ['unknown', 'pending']) > 0;
  return run.status === 'paused' || isAwaited;
};

/** 18: a run has gone through its file, and its counts and its card say what became of the rows. */
export const runsAreTold = (
  stories: readonly Story[],
  { records }: Stored,
  world: World,
): string[] =>
  runsIn(records).flatMap((run) => {
    const wrong = isSmsRun(run) ? textsWrong(run, world) : paymentsWrong(run, stories);
    if (!isLookedAt(run, world.timeline.nowMs) && run.endedAtMs === undefined)
      wrong.push(`${run.status}, and has no end`);
    if (run.status === 'running' && run.next < run.terms.rows)
      wrong.push(`at ${run.next} of ${run.terms.rows}`);
    if (run.tally !== undefined && !isShown(run, world)) wrong.push('its card says something else');
    return wrong.map((what) => `18: run ${run.id} of ${run.terms.rows}: ${what}`);
  });

const paymentsWrong = (run: BulkRun, stories: readonly Story[]): string[] => {
  const own = stories.filter(({ payment }) => payment?.bulk?.run === run.id);
  const wrong: string[] = [];
  if (own.length !== run.next - run.leftOut)
    wrong.push(`${own.length} payments after ${run.next} rows, ${run.leftOut} left out`);
  const paid = own.filter(({ payment }) => payment?.state === 'completed').length;
  const isSure = countIn(run, ['unknown', 'pending']) === 0 && run.endedAtMs !== undefined;
  if (isSure && paid !== countIn(run, ['completed']))
    wrong.push(`${countIn(run, ['completed'])} counted as paid, and ${paid} are`);
  return wrong;
};

const textsWrong = (run: SmsRun, { people, gateway }: World): string[] => {
  const { reminds } = run.terms;
  const [first] = people.filed.filter(({ kind }) => kind === 'sms');
  if (first === undefined && reminds === undefined) return ['nobody sent a file of SMS'];
  const wrong: string[] = [];
  const counted = countIn(run, ['sent', 'unknown', 'refused', 'not sent']);
  if (run.endedAtMs !== undefined && counted + run.leftOut !== run.next)
    wrong.push(`${counted} counted after ${run.next} rows`);
  const word = reminds === undefined ? 'filed ' : 'reminder ';
  const all = gateway.texts.filter(({ text }) => text.startsWith(word));
  if (all.length === 0 && countIn(run, ['sent']) > 0) wrong.push('none of them was sent');
  return wrong;
};

type Said = Message['said'][number];

/**
 * That a message with the buttons of the run says in the end how far it came; none of those may be left. One that was
 * stopped before its card was there never had any.
 */
const isShown = (run: BulkRun, world: World): boolean => {
  if (isLost(run, world)) return true;
  const { next, terms, endedAtMs } = run;
  const ended = isSmsRun(run)
    ? `${countIn(run, ['sent'])} of ${terms.rows} sent`
    : `${countIn(run, ['completed'])} of ${terms.rows} paid`;
  const wanted = endedAtMs === undefined ? `${next} of ${terms.rows} ·` : ended;
  const messages = world.chats.flatMap((chat) => chat.messages);
  const withButtons = messages.filter(({ said }) =>
    said.some(({ card }) =>
      (card.buttons ?? []).some((button) => button.kind === 'press' && button.id === run.id),
    ),
  );
  const isTold = ({ card }: Said) => {
    const text = cardText(card);
    return (
      text.includes(wanted) && (withButtons.length > 0 || /^Stopped: .*File: a file/.test(text))
    );
  };
  return (withButtons.length > 0 ? withButtons : messages).some(({ said }) => {
    const last = said.at(-1);
    if (last === undefined) return false;
    // As of a payment's card: what is there was sent too late, over one that told the end.
    return isTold(last) || (said.some(isTold) && isLeftBehind(last, world));
  });
};
