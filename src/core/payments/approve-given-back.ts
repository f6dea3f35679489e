import { approvalEnded, approvalNews } from '../notices/approval-notices.ts';
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
 * Writes down what was given back, as another person approved it: the payment and the end of the draft are one commit.
 * Undefined: another press closed the draft first, a guard of the press has changed, or less is left by now.
 */
export const approveGivenBack = async (
  { store, payments, clock }: Needs,
  draft: GivenBackDraft,
  approver: Person,
  { button, where, guards }: ConfirmingPress,
): Promise<Payment | undefined> => {
  const { id, paymentId, terms, requester: by, reason } = draft;
  const event = { kind: 'given back', id, amount: terms.amount, by, approver } as const;
  const recorded = await payments.record(
    paymentId,
    { ...event, ...defined({ reason }) },
    {
      cause: { who: approver, where, detail: { button, draft: id } },
      beside: async () => {
        if ((await store.get('draft', id))?.version !== draft.version) return undefined;
        if (!(await areNext(store, guards))) return undefined;
        const nowMs = clock.now();
        const ended = endedDraft(draft, { status: 'done', by: approver, atMs: nowMs });
        const told = [
          ...approvalEnded(ended, nowMs, { becomesCard: false }),
          approvalNews(ended, nowMs),
        ];
        return { put: [{ kind: 'draft', record: ended }, ...told, ...guards] };
      },
    },
  );
  return recorded?.changed === true ? recorded.payment : undefined;
};

/** False: the commit would be refused each time, because the caller has to read the guards again. */
const areNext = async (store: Pick<Store, 'get'>, guards: readonly Put[]): Promise<boolean> => {
  const stored = await Promise.all(guards.map(({ kind, record }) => store.get(kind, record.id)));
  return guards.every(({ record }, at) => record.version === (stored[at]?.version ?? 0) + 1);
};
