import { isOwed } from '../records/notice.ts';
import { endedAtMs, isOpen, type Payment } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import { isTransactionId } from '../values/transaction-id.ts';

/** A payment that ended is asked about for a while; so long it stays at hand. */
export const AT_HAND_MS = 15 * 60_000;
/** Payments that belong before the archive's end cost a rewrite, so they wait for company: */
const MOST_LATE = 1000;
const LONGEST_LATE_MS = 24 * 3_600_000;

/**
 * The payments that may leave memory now, oldest id first. An archive file is in the order of ids: who
 * ended in order is appended; those that took longer than younger ones are put in together, about once a day.
 */
export const paymentsToArchive = (
  records: readonly Put[],
  { lastArchivedId, nowMs }: { lastArchivedId: string; nowMs: number },
): Payment[] => {
  const spokenOf = paymentsOwedNotices(records);
  const finished = records
    .flatMap((put) => (put.kind === 'payment' ? [put.record] : []))
    .filter((payment) => isFinished(payment, nowMs) && !spokenOf.has(payment.id))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const firstInOrder = finished.findIndex((payment) => payment.id > lastArchivedId);
  const late = firstInOrder < 0 ? finished : finished.slice(0, firstInOrder);
  const lateMayGo =
    late.length >= MOST_LATE ||
    late.some((payment) => nowMs - endedAtMs(payment) > LONGEST_LATE_MS);
  return lateMayGo ? finished : finished.slice(late.length);
};

const isFinished = (payment: Payment, nowMs: number): boolean =>
  !isOpen(payment) &&
  // A person has still to look at it, and the next charge like it is warned of it.
  payment.flag === undefined &&
  payment.due === undefined &&
  nowMs - endedAtMs(payment) > AT_HAND_MS &&
  // The id says where in the archive it is found again.
  isTransactionId(payment.id);

const paymentsOwedNotices = (records: readonly Put[]): Set<string> => {
  const ids = new Set<string>();
  for (const put of records)
    if (put.kind === 'notice' && isOwed(put.record) && 'paymentId' in put.record.about)
      ids.add(put.record.about.paymentId);
  return ids;
};
