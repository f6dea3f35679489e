import type { Payment } from '../../core/records/payment.ts';
import type { AuditRow } from '../../core/records/records.ts';
import { amountIn } from '../../core/store/payment-replay.ts';
import { type Moment, showDate, showSecond } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, type CardPart, cardOf, part } from '../cards/card.ts';
import { stateWord } from '../cards/payment-words.ts';
import { type AuditStep, stepsOf } from './audit-steps.ts';

/** What fits into one message of every platform, with room for the rest of the message. */
const MOST_LINES = 36;
const MOST_CHARACTERS = 2_900;
/** Some platforms share a list's room out among its lines; so many have enough of it each. */
const LINES_IN_LIST = 12;

export type Story = { readonly title: string; readonly steps: readonly AuditStep[] };

/** The story that the audit rows of a payment tell, or of a question that became none. They must not be empty. */
export const storyOf = (
  id: string,
  rows: readonly AuditRow[],
  moment: Moment,
  payment?: Payment,
): Story => {
  const payments = rows.filter(({ kind }) => kind === 'payment');
  const steps = rows.flatMap((row) => stepsOf(row, payments[payments.indexOf(row) - 1], payment));
  const end = expiry(rows, moment.nowMs);
  return {
    title: [`Transaction ${id}`, amountOf(rows, payment), endOf(rows, end)]
      .filter((part) => part !== undefined)
      .join(' · '),
    steps: folded([...steps, ...(end === undefined ? [] : [end])], moment.timeZone),
  };
};

/** Rows have other amounts too, such as what was given back; a question that became no payment has its own alone. */
const amountOf = (rows: readonly AuditRow[], payment: Payment | undefined): string | undefined => {
  const amount = payment?.terms.amount ?? rows.map(amountIn).find((found) => found !== undefined);
  return amount && formatMoney(amount);
};

/** The state at the end; a draft that was not confirmed has no payment. */
const endOf = (rows: readonly AuditRow[], end: AuditStep | undefined): string | undefined => {
  const last = rows.findLast(({ kind }) => kind === 'payment');
  if (last !== undefined) return last.flag ?? stateOf(last);
  if (end !== undefined) return 'expired';
  const after = rows.findLast(({ kind }) => kind === 'draft')?.after ?? undefined;
  return after === undefined ? undefined : (UNAPPROVED[after] ?? after);
};

/** A payment is `refused` by the payment service; a question that approvers refused has another word. */
const UNAPPROVED: Readonly<Record<string, string>> = {
  refused: 'not approved',
  expired: 'not approved in time',
};

const stateOf = ({ after }: AuditRow): string | undefined =>
  after === 'confirmed' || after === 'submitting' ? stateWord(after) : (after ?? undefined);

/** A draft that expires changes no record, so no row tells it. */
const expiry = (rows: readonly AuditRow[], nowMs: number): AuditStep | undefined => {
  const draft = rows.findLast(({ kind }) => kind === 'draft');
  const isOpen = draft?.after === 'open' || draft?.after === 'awaiting approval';
  const expiresAtMs = rows
    .map(({ detail }) => detail?.['expiresAtMs'])
    .findLast((ms) => typeof ms === 'number');
  return isOpen &&
    expiresAtMs !== undefined &&
    expiresAtMs <= nowMs &&
    rows.every(({ kind }) => kind !== 'payment')
    ? { atMs: expiresAtMs, text: 'expired without a confirmation; nothing was charged' }
    : undefined;
};

/** Equal steps in a row become one. */
const folded = (steps: readonly AuditStep[], timeZone: string): AuditStep[] =>
  runsOf(steps, ({ text }) => text).map(([first, ...others]) => {
    const last = others.at(-1);
    if (last === undefined) return first;
    const times = others.length + 1;
    const many = first.many?.(times) ?? `${first.text}, ${times} times`;
    return { ...first, text: `${many} (until ${untilText(first, last, timeZone)})` };
  });

/** Neighbours with the same key, together. */
const runsOf = <T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] => {
  const runs: [T, ...T[]][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run !== undefined && keyOf(run[0]) === keyOf(item)) run.push(item);
    else runs.push([item]);
  }
  return runs;
};

const untilText = (first: AuditStep, last: AuditStep, timeZone: string): string => {
  const [day, lastDay] = [first, last].map(({ atMs }) => showDate(atMs, timeZone));
  const time = showSecond(last.atMs, timeZone);
  return day === lastDay ? time : `${lastDay}, ${time}`;
};

type Line = { readonly day: string; readonly text: string };

/** @param options `isWhole`: nothing is left out, for where there is room. */
export const storyCard = (
  { title, steps }: Story,
  timeZone: string,
  { isWhole = false } = {},
): Card => {
  const lines = steps.map(({ atMs, text }) => ({
    day: showDate(atMs, timeZone),
    text: `${showSecond(atMs, timeZone)} ${text}`,
  }));
  const days = runsOf(isWhole ? lines : shortened(lines), ({ day }) => day);
  return cardOf(title, days.flatMap(dayParts));
};

/** How a thing began and how it ended tell more than its middle. */
const shortened = (lines: readonly Line[]): readonly Line[] => {
  const [head, tail] = [[] as Line[], [] as Line[]];
  let room = MOST_CHARACTERS;
  while (head.length + tail.length < Math.min(MOST_LINES, lines.length)) {
    const isHead = head.length <= tail.length;
    const line = isHead ? lines[head.length] : lines.at(-1 - tail.length);
    if (line === undefined || line.text.length > room) break;
    room -= line.text.length;
    if (isHead) head.push(line);
    else tail.unshift(line);
  }
  const leftOut = lines.length - head.length - tail.length;
  if (leftOut === 0) return lines;
  const day = head.at(-1)?.day ?? '';
  return [...head, { day, text: `… ${leftOut} more left out here …` }, ...tail];
};

const dayParts = (lines: readonly Line[]): CardPart[] => {
  const parts = [part.text(lines[0]?.day ?? '')];
  for (let at = 0; at < lines.length; at += LINES_IN_LIST)
    parts.push(part.list(lines.slice(at, at + LINES_IN_LIST).map(({ text }) => text)));
  return parts;
};
