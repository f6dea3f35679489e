import type { ChargeDraft } from '../records/draft.ts';
import type { Payment } from '../records/payment.ts';
import type { AuditRow } from '../records/records.ts';
import { defined } from '../runtime/defined.ts';
import type { Conversation, Person } from '../values/conversation.ts';
import type { PaymentEvent } from './payment-event.ts';

/** Who caused an event and what came with it, for the audit trail. */
export type Cause = {
  readonly who?: Person;
  readonly where?: Conversation;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** A payment before and after an event, and what caused that. */
export type Changed = {
  readonly before: Payment;
  readonly after: Payment;
  readonly cause: Cause;
};

export const auditRow = (
  { before, after, cause }: Changed,
  event: PaymentEvent,
  nowMs: number,
): AuditRow => ({
  atMs: nowMs,
  kind: 'payment',
  id: after.id,
  what: event.kind,
  before: before.state,
  after: after.state,
  version: after.version,
  ...defined({ flag: after.flag, who: cause.who, where: cause.where }),
  detail: { ...eventDetail(event, after), ...cause.detail },
});

/** What the press confirmed: amount, requester, the warnings that were shown, and earlier charges like it. */
export const confirmedDetail = (draft: ChargeDraft): Record<string, unknown> => {
  const { id, requester, terms, warnings, repeats = [], retryOf } = draft;
  return {
    draft: id,
    amount: terms.amount,
    requester,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(repeats.length === 0 ? {} : { repeats }),
    ...defined({ retryOf }),
  };
};

const eventDetail = (event: PaymentEvent, { givenBack }: Payment): Record<string, unknown> => {
  if (event.kind === 'checked') return { finding: event.finding };
  const { kind, ...detail } = event;
  // Of a customer who was erased the record keeps no words, and a row lives longer than a record.
  return kind === 'given back' ? { ...detail, reason: givenBack?.at(-1)?.reason } : detail;
};
