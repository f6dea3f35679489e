import type { Put } from '../../records/records.ts';

/** That the audit rows under a story's id are about a customer. */
export type CustomerStory = { readonly customer: string; readonly story: string };

/** Of drafts and SMS, which are removed while their audit rows stay. A payment names its customer itself. */
export const customerStoriesOf = ({ kind, record }: Put): CustomerStory[] => {
  if (kind === 'sms') return forAll(record.terms.recipients, record.id);
  if (kind !== 'draft') return [];
  return record.kind === 'sms'
    ? forAll(record.terms.recipients, record.id)
    : [{ customer: record.terms.customerNumber, story: record.paymentId }];
};

const forAll = (customers: readonly string[], story: string): CustomerStory[] =>
  customers.map((customer) => ({ customer, story }));
