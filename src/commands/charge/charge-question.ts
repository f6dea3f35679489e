import type { Draft } from '../../core/records/draft.ts';
import type { Grants } from '../access/access.ts';
import type { Card } from '../cards/card.ts';
import type { Services } from '../command.ts';
import { amountOf, confirmationCard } from './charge-cards.ts';
import { neededApproval } from './charge-limits.ts';

/** A charge as whoever has to press now is asked about it. */
export const questionCard = async (
  services: Pick<Services, 'payments' | 'linkTo' | 'approvalQuestion'>,
  draft: Draft,
  grants: Grants,
): Promise<Card> =>
  draft.status === 'awaiting approval'
    ? services.approvalQuestion(draft)
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
