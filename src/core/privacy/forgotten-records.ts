import type { Payment } from '../records/payment.ts';
import type { AuditRow } from '../records/records.ts';
import type { Person } from '../values/conversation.ts';

/** Who has it forgotten, and when; nobody: Paythread itself, because it is so old. */
export type Forgetting = { readonly atMs: number; readonly who?: Person };

/** Under this id it is written down that somebody was forgotten. */
export const FORGOTTEN_ID = 'forgotten';

/**
 * A payment without its customer, as a new version: who holds an older one cannot store that any more. And its
 * story tells what happened.
 */
export const forgottenPayment = (
  erased: Payment,
  { atMs, who }: Forgetting,
): { readonly payment: Payment; readonly row: AuditRow } => {
  const { id, version, state, flag } = erased;
  const payment = { ...erased, version: version + 1 };
  const row: AuditRow = {
    atMs,
    kind: 'payment',
    id,
    what: 'forgotten',
    before: state,
    after: state,
    version: payment.version,
    ...(flag === undefined ? {} : { flag }),
    ...(who === undefined ? {} : { who }),
  };
  return { payment, row };
};

/** That somebody was forgotten, without saying who. */
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
  ...(who === undefined ? {} : { who }),
  detail,
});
