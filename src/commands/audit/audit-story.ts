import type { AuditRow } from '../../core/records/records.ts';
import { amountIn } from '../../core/store/payment-replay.ts';
import { type Moment, showDate, showSecond } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { stateWord } from '../cards/payment-card.ts';
import { type Step, stepsOf } from './audit-steps.ts';

/** What happened to a payment, or to a draft that became none. */
export type Story = { readonly title: string; readonly steps: readonly Step[] };

/** The story that the audit rows of a payment tell. They must not be empty. */
export const storyOf = (id: string, rows: readonly AuditRow[], moment: Moment): Story => {
  const payments = rows.filter(({ kind }) => kind === 'payment');
  const steps = rows.flatMap((row) => stepsOf(row, payments[payments.indexOf(row) - 1]));
  const end = expiry(rows, moment.nowMs);
  return {
    title: [`Transaction ${id}`, amountOf(rows), endOf(rows, end)]
      .filter((part) => part !== undefined)
      .join(' · '),
    steps: folded([...steps, ...(end === undefined ? [] : [end])], moment.timeZone),
  };
};

const amountOf = (rows: readonly AuditRow[]): string | undefined => {
  const amount = rows.map(amountIn).find((found) => found !== undefined);
  return amount && formatMoney(amount);
};

/** The state at the end; a draft that was not confirmed has no payment. */
const endOf = (rows: readonly AuditRow[], end: Step | undefined): string | undefined => {
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
const expiry = (rows: readonly AuditRow[], nowMs: number): Step | undefined => {
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
const folded = (steps: readonly Step[], timeZone: string): Step[] => {
  const runs: Step[][] = [];
  for (const step of steps) {
    const run = runs.at(-1);
    if (run?.[0]?.text === step.text) run.push(step);
    else runs.push([step]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    const last = run.at(-1);
    if (first === undefined || last === undefined || run.length === 1) return run;
    const many = first.many?.(run.length) ?? `${first.text}, ${run.length} times`;
    return [{ ...first, text: `${many} (until ${untilText(first, last, timeZone)})` }];
  });
};

const untilText = (first: Step, last: Step, timeZone: string): string => {
  const [day, lastDay] = [first, last].map(({ atMs }) => showDate(atMs, timeZone));
  const time = showSecond(last.atMs, timeZone);
  return day === lastDay ? time : `${lastDay}, ${time}`;
};
