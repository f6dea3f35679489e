import { type BulkRun, bulkNoticeId } from '../records/bulk.ts';
import { type Notice, newNotice } from '../records/notice.ts';
import type { Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';
import { oweNotices, oweProgress, paced, postedMessage } from './owed-notices.ts';

/** Posts the card of a run, or makes the pressed question its card. */
export const runBegun = (run: BulkRun, nowMs: number): Put => ({
  kind: 'notice',
  record: noticeOf(run, run.card === undefined ? 'card' : 'edit', nowMs),
});

export const runChanged = async (
  store: Pick<Store, 'get'>,
  run: BulkRun,
  nowMs: number,
): Promise<Put[]> => oweProgress(store, noticeOf(run, 'edit', nowMs), nowMs);

export const runEnded = (store: Pick<Store, 'get'>, run: BulkRun, nowMs: number): Promise<Put[]> =>
  oweNotices(store, [paced(noticeOf(run, 'edit', nowMs), nowMs), noticeOf(run, 'end', nowMs)]);

/** Its card, as of `postedMessage`. Undefined: it could not be posted anywhere. */
export const cardOfRun = async (
  store: Pick<Store, 'get'>,
  { id, card }: BulkRun,
): ReturnType<typeof postedMessage> => card ?? postedMessage(store, bulkNoticeId(id, 'card'));

const KINDS = { card: 'bulk', edit: 'bulk edit', end: 'bulk end' } as const;

const noticeOf = (
  { id, conversation, requester, card }: BulkRun,
  of: keyof typeof KINDS,
  nowMs: number,
): Notice => {
  const what = { id: bulkNoticeId(id, of), about: { kind: KINDS[of], runId: id }, to: requester };
  return newNotice({ ...what, conversation: card?.conversation ?? conversation }, nowMs);
};
