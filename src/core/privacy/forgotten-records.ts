import type { Payment } from '../records/payment.ts';
import { type AuditRow, type Put, putOf, type Removal } from '../records/records.ts';
import { defined } from '../runtime/defined.ts';
import { FORGOTTEN_ID } from '../store/sql/customer-erasure.ts';
import type { Person } from '../values/conversation.ts';
import type { Erasure } from './erasure.ts';

/** Who has it forgotten, and when; undefined: Paythread itself, because it is so old. */
export type Forgetting = { readonly atMs: number; readonly who?: Person };

/**
 * The records of a customer as new versions without them, so that who holds an older one cannot store that any more. A
 * guard that goes by the number goes.
 */
export const changeWithout = (
  puts: readonly Put[],
  erasure: Pick<Erasure, 'put'>,
  forgetting: Forgetting,
): { put: Put[]; remove: Removal[]; audit: AuditRow[] } => {
  const put: Put[] = [];
  const remove: Removal[] = [];
  const audit: AuditRow[] = [];
  for (const before of puts) {
    const erased = erasure.put(before);
    const { id, version } = before.record;
    if (erased.record.id !== id) remove.push({ kind: before.kind, id, version });
    else put.push(putOf(erased.kind, { ...erased.record, version: version + 1 }));
    if (erased.kind === 'payment') audit.push(paymentRow(erased.record, forgetting));
  }
  return { put, remove, audit };
};

/** That a payment lost its customer with the version after this one. */
const paymentRow = (
  { id, version, state, flag }: Payment,
  { atMs, who }: Forgetting,
): AuditRow => ({
  atMs,
  kind: 'payment',
  id,
  what: 'forgotten',
  before: state,
  after: state,
  version: version + 1,
  ...defined({ flag, who }),
});

/** That a customer was forgotten, without saying who. */
export const forgottenRow = (
  { atMs, who }: Forgetting,
  detail: Readonly<Record<string, unknown>>,
): AuditRow => ({
  atMs,
  kind: 'setting',
  id: FORGOTTEN_ID,
  what: 'forgotten',
  before: null,
  after: null,
  ...defined({ who }),
  detail,
});
