import type { ChargeDraft } from '../../core/records/draft.ts';
import type { Grants } from '../access/access.ts';
import type { Card } from '../cards/card.ts';
import type { Services } from '../command.ts';
import { confirmationCard } from './charge-cards.ts';
import { neededApproval } from './charge-limits.ts';

/** A charge as whoever has to press now is asked about it. */
export const questionCard = async (
  services: Pick<Services, 'payments' | 'linkTo' | 'approvalQuestion'>,
  draft: ChargeDraft,
  grants: Grants,
): Promise<Card> =>
  draft.status === 'awaiting approval'
    ? services.approvalQuestion(draft)
    : confirmationCard(draft, {
        needsApproval: neededApproval(grants, draft.terms.amount),
        link: await linkToLast(services, draft),
      });

/** The newest earlier charge that the question warns of, to look at before pressing. */
const linkToLast = async (
  { payments, linkTo }: Pick<Services, 'payments' | 'linkTo'>,
  { repeats: [last] = [] }: ChargeDraft,
): Promise<string | undefined> => {
  const payment = last === undefined ? undefined : await payments.get(last);
  return payment && linkTo(payment);
};
