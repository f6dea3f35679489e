import { formatMoney } from '../core/money.ts';
import type { Draft } from '../core/payments/draft.ts';
import type { Grants } from './access.ts';
import { plainCard } from './answer-cards.ts';
import { approvalCard } from './approval-card.ts';
import type { Card } from './card.ts';
import { amountOf, confirmationCard } from './charge-cards.ts';
import { neededApproval } from './charge-limits.ts';
import type { Services } from './command.ts';

/** A charge as whoever has to press now is asked about it. */
export const questionCard = async (
  services: Pick<Services, 'payments' | 'linkTo'>,
  draft: Draft,
  grants: Grants,
): Promise<Card> =>
  draft.status === 'awaiting approval'
    ? approvalCard(draft)
    : confirmationCard(draft, {
        needsApproval: neededApproval(grants, amountOf(draft)),
        link: await linkToLast(services, draft),
      });

/** The newest earlier charge that the question warns of, to look at before pressing. */
const linkToLast = async (
  { payments, linkTo }: Pick<Services, 'payments' | 'linkTo'>,
  { what }: Draft,
): Promise<string | undefined> => {
  const last = what.kind === 'charge' ? what.repeats?.[0] : undefined;
  const payment = last === undefined ? undefined : await payments.get(last);
  return payment && linkTo(payment);
};

/** The requester's answer once approvers are asked. `isHere`: in the conversation where it was typed. */
export const waitingCard = (draft: Draft, { isHere }: { isHere: boolean }): Card =>
  plainCard(
    'Waiting for approval',
    `${formatMoney(amountOf(draft))} is above your limit. Somebody who may approve has been asked ${isHere ? 'in this conversation' : 'where approvals are given'}.`,
  );
