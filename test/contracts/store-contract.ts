import { auditCases } from './store/audit.ts';
import { commitCases } from './store/commits.ts';
import { dueWorkCases } from './store/due-work.ts';
import { paymentFiguresCases } from './store/payment-figures.ts';
import { paymentListCases } from './store/payment-lists.ts';
import { paymentSearchCases } from './store/payment-search.ts';
import type { OpenEmpty } from './store/records.ts';

/** What every store must do. `open` gives an empty one. */
export const storeContract = (name: string, open: OpenEmpty): void => {
  commitCases(name, open);
  dueWorkCases(name, open);
  paymentListCases(name, open);
  paymentFiguresCases(name, open);
  paymentSearchCases(name, open);
  auditCases(name, open);
};
