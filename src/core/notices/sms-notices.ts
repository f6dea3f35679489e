import { isOwed, type Notice, newNotice } from '../records/notice.ts';
import type { Put } from '../records/records.ts';
import { type SmsBatch, smsTally } from '../records/sms-batch.ts';
import type { Store } from '../store/store.ts';
import { oweNotices, oweProgress } from './owed-notices.ts';

type Owed = (store: Pick<Store, 'get'>, batch: SmsBatch, nowMs: number) => Promise<Put[]>;

export const smsReportId = (batchId: string): string => `${batchId}.sms`;

const reportEditId = (batchId: string): string => `${batchId}.sms-edit`;

/** Whether the report of an SMS, or an edit of it, is still to be delivered: a chat may be away for days. */
export const isReportOwed = async (
  store: Pick<Store, 'get'>,
  batchId: string,
): Promise<boolean> => {
  const ids = [smsReportId(batchId), reportEditId(batchId)];
  return (await Promise.all(ids.map((id) => store.get('notice', id)))).some(isOwed);
};

/** What the report of a finished SMS owes: its message, or the edit of one that told the progress. */
export const smsFinished: Owed = async (store, batch, nowMs) => {
  if (batch.bulk !== undefined) return [];
  const { all, accepted } = smsTally(batch);
  // The card of the payment is enough: no person waits for word of it.
  if (batch.about?.automatic === true && accepted === all) return [];
  const posted = await store.get('notice', smsReportId(batch.id));
  return oweNotices(store, [noticeOf(batch, posted === undefined ? 'sms' : 'sms edit', nowMs)]);
};

/** The report of an SMS that goes out in several requests, owed before the first. */
export const smsBegun: Owed = async (store, batch, nowMs) => {
  const isLong = batch.chunks.length > 1;
  if (!isLong || (await store.get('notice', smsReportId(batch.id))) !== undefined) return [];
  return [{ kind: 'notice', record: noticeOf(batch, 'sms', nowMs) }];
};

/** The edit of such a report after one of the requests. */
export const smsProgressed: Owed = async (store, batch, nowMs) => {
  if (batch.chunks.length === 1 || smsTally(batch).left === 0) return [];
  return oweProgress(store, noticeOf(batch, 'sms edit', nowMs), nowMs);
};

const noticeOf = (
  { id, conversation, requester: to }: SmsBatch,
  kind: 'sms' | 'sms edit',
  nowMs: number,
): Notice => {
  const about = { kind, batchId: id };
  const noticeId = kind === 'sms' ? smsReportId(id) : reportEditId(id);
  return newNotice({ id: noticeId, about, conversation, to }, nowMs);
};
