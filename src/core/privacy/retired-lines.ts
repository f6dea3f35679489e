import type { Draft } from '../records/draft.ts';
import type { AuditRow, Change, Kind, Put } from '../records/records.ts';
import type { SmsBatch } from '../records/sms-batch.ts';
import { type Masker, maskerFor } from '../runtime/masking.ts';
import { FORGOTTEN_NAME, isPseudonym } from '../values/pseudonym.ts';
import { erasureByItself } from './customer-records.ts';
import { type Erasure, storyIdOf } from './erasure.ts';

/** What may lose number and name in the history of a store, because it is so old. */
export type RetiredLines = {
  /** What takes its customer out of a payment that may; made when it is needed, because there may be very many. */
  readonly erasureOfPayment: (id: string) => Erasure | undefined;
  /** Whether there is a payment of this id at all: a question that nobody confirmed has none. */
  readonly isPayment: (id: string) => boolean;
  /** Whether a record stands in the store as it is in its history: then both stay. */
  readonly isLive: (kind: Kind, id: string) => boolean;
  readonly pseudonymOf: (number: string) => string;
  readonly beforeMs: number;
};

/** A commit of long ago without the customers in it; the same object where there is nothing to take out. */
export const retiredChange =
  (lines: RetiredLines) =>
  (change: Change): Change => {
    const put = change.put?.map((one) => retiredPut(one, lines));
    const drafts = new Map((change.put ?? []).flatMap((one) => ofDraft(one, lines)));
    const audit = change.audit?.map(
      (one) => drafts.get(one.id)?.row(one) ?? retiredRow(one, lines),
    );
    const isSame =
      (put ?? []).every((one, at) => one === change.put?.[at]) &&
      (audit ?? []).every((one, at) => one === change.audit?.[at]);
    return isSame
      ? change
      : {
          ...change,
          ...(put === undefined ? {} : { put }),
          ...(audit === undefined ? {} : { audit }),
        };
  };

const retiredPut = (put: Put, lines: RetiredLines): Put => {
  const { erasureOfPayment, isLive, beforeMs } = lines;
  const { kind, record } = put;
  if (kind === 'payment') return erasureOfPayment(record.id)?.put(put) ?? put;
  if (isLive(kind, record.id)) return put;
  if (kind === 'form')
    return unlessSame(put, { kind, record: { ...record, answers: allForgotten(record.answers) } });
  if (kind === 'draft' && record.createdAtMs < beforeMs) return retiredDraft(put, record, lines);
  if (kind === 'sms' && record.confirmedAtMs < beforeMs)
    return unlessSame(put, { kind, record: retiredSms(record, lines) });
  return put;
};

const retiredDraft = (put: Put, draft: Draft, lines: RetiredLines): Put => {
  if (draft.kind === 'sms') {
    const terms = retiredTerms(draft.terms, lines);
    return unlessSame(put, { kind: 'draft', record: { ...draft, terms } });
  }
  return ofDraft(put, lines)[0]?.[1].put(put) ?? put;
};

/** A question says itself whose it was; by the id that its payment has, or would have had. */
const ofDraft = (put: Put, lines: RetiredLines): [paymentId: string, erasure: Erasure][] => {
  if (put.kind !== 'draft' || put.record.kind !== 'charge') return [];
  const { createdAtMs, id, terms, paymentId } = put.record;
  const isOver = lines.erasureOfPayment(paymentId) !== undefined || !lines.isPayment(paymentId);
  const mayGo = createdAtMs < lines.beforeMs && isOver && !lines.isLive('draft', id);
  const number = terms.customerNumber;
  if (!mayGo || isPseudonym(number)) return [];
  return [[paymentId, erasureByItself(put, { number, pseudonym: lines.pseudonymOf(number) })]];
};

const retiredSms = (batch: SmsBatch, lines: RetiredLines): SmsBatch => ({
  ...batch,
  terms: retiredTerms(batch.terms, lines),
  chunks: batch.chunks.map((chunk) => ({
    ...chunk,
    recipients: retiredNumbers(chunk.recipients, lines),
    ...(chunk.answer === undefined ? {} : { answer: masked(chunk.answer) }),
  })),
});

/** What was written to customers names them as it likes. */
const retiredTerms = (terms: SmsBatch['terms'], lines: RetiredLines): SmsBatch['terms'] => ({
  ...terms,
  text: FORGOTTEN_NAME,
  recipients: retiredNumbers(terms.recipients, lines),
});

const retiredNumbers = (
  numbers: readonly string[],
  { pseudonymOf }: RetiredLines,
): readonly string[] =>
  numbers.map((number) => (isPseudonym(number) ? number : pseudonymOf(number)));

const allForgotten = (answers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(answers).map((name) => [name, FORGOTTEN_NAME]));

const retiredRow = (
  row: AuditRow,
  { erasureOfPayment, isPayment, beforeMs }: RetiredLines,
): AuditRow => {
  const id = storyIdOf(row.id);
  const known = erasureOfPayment(id);
  if (known !== undefined) return known.row(row);
  const isOld = row.atMs < beforeMs && !isPayment(id);
  const mayName = row.kind === 'sms' || row.kind === 'draft';
  if (!isOld || !mayName || row.detail === undefined) return row;
  return unlessSame(row, { ...row, detail: masked(row.detail) });
};

/** Nothing here is a secret of the program; full numbers are what it looks for. */
const mask: Masker = maskerFor([]);

/** It has the same shape afterwards. */
const masked = <T>(value: T): T => mask(value) as T;

const unlessSame = <T>(before: T, after: T): T =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after;
