import { approvalOver } from '../notices/approval-notices.ts';
import { endedDraft, type GivenBackDraft } from '../records/draft.ts';
import type { Payment } from '../records/payment.ts';
import type { ConfirmingPress, Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import type { Store } from '../store/store.ts';
import type { Person } from '../values/conversation.ts';
import type { Payments } from './payments.ts';

type Needs = {
  readonly store: Pick<Store, 'get'>;
  readonly payments: Pick<Payments, 'record'>;
  readonly clock: Pick<Clock, 'now'>;
};

/**
 * Writes down what was given back: the payment and the end of the draft are one commit.
 * Undefined: another press closed the draft first, a guard of the press has changed, or less is left by now.
 */
export const confirmGivenBack = async (
  { store, payments, clock }: Needs,
  draft: GivenBackDraft,
  presser: Person,
  { button, where, guards }: ConfirmingPress,
): Promise<Payment | undefined> => {
  const { id, paymentId, terms, requester: by, reason } = draft;
  const nowMs = clock.now();
  const ended = endedDraft(draft, { status: 'done', by: presser, atMs: nowMs });
  const isApproval = draft.status === 'awaiting approval';
  const told = isApproval ? approvalOver(ended, nowMs) : [];
  const put: readonly Put[] = [{ kind: 'draft', record: ended }, ...guards];
  const more = defined({ reason, approver: isApproval ? presser : undefined });
  const recorded = await payments.record(
    paymentId,
    { kind: 'given back', id, amount: terms.amount, by, ...more },
    {
      cause: { who: presser, where, detail: { button, draft: id } },
      beside: async () => ((await areNext(store, put)) ? { put: [...put, ...told] } : undefined),
    },
  );
  return recorded?.changed === true ? recorded.payment : undefined;
};

/** False: the commit would be refused each time, because the caller has to read them again. */
const areNext = async (store: Pick<Store, 'get'>, puts: readonly Put[]): Promise<boolean> => {
  const stored = await Promise.all(puts.map(({ kind, record }) => store.get(kind, record.id)));
  return puts.every(({ record }, at) => record.version === (stored[at]?.version ?? 0) + 1);
};
