import type { Put } from '../../records/records.ts';

/** That the audit rows under a story's id are about a customer, from a moment on. */
export type CustomerStory = {
  readonly customer: string;
  readonly story: string;
  readonly sinceMs: number;
};

/** Of drafts and SMS, which are removed while their audit rows stay. A payment names its customer itself. */
export const customerStoriesOf = ({ kind, record }: Put): CustomerStory[] => {
  if (kind === 'sms') return forAll(record.terms.recipients, record.id, record.confirmedAtMs);
  if (kind !== 'draft') return [];
  const { createdAtMs: sinceMs } = record;
  return record.kind === 'sms'
    ? forAll(record.terms.recipients, record.id, sinceMs)
    : [{ customer: record.terms.customerNumber, story: record.paymentId, sinceMs }];
};

const forAll = (customers: readonly string[], story: string, sinceMs: number): CustomerStory[] =>
  customers.map((customer) => ({ customer, story, sinceMs }));
