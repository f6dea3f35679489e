import { buttonId, type ChargeDraft } from '../../core/records/draft.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Grants } from '../access/access.ts';
import type { Card, CardPart } from '../cards/card.ts';
import { chargeFacts } from '../cards/terms-facts.ts';
import type { Services } from '../command.ts';
import { neededApproval } from './charge-limits.ts';

/** The question to the person who has to press next: the requester, or an approver. */
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

/** The question before every charge. */
const confirmationCard = (
  draft: ChargeDraft,
  { needsApproval, link }: { needsApproval: boolean; link: string | undefined },
): Card => {
  const amount = formatMoney(draft.terms.amount);
  const { warnings, repeats = [] } = draft;
  const again = repeats.length > 0 ? ' again' : '';
  const parts: CardPart[] = [
    { kind: 'facts', facts: chargeFacts(draft.terms, 'one person') },
    ...warnings.map((text): CardPart => ({ kind: 'warning', text })),
  ];
  if (needsApproval)
    parts.push({
      kind: 'note',
      text: 'This is above your limit. After you, an approver has to press as well.',
    });
  const id = buttonId(draft);
  return {
    title: `Charge ${amount}${again}?`,
    ...(warnings.length === 0 ? {} : { tone: 'warning' }),
    parts,
    buttons: [
      { kind: 'press', label: `Charge ${amount}${again}`, verb: 'charge', id, style: 'primary' },
      { kind: 'press', label: 'Cancel', verb: 'cancel', id },
      ...(link === undefined
        ? []
        : [{ kind: 'link', label: 'See the earlier charge', url: link } as const]),
    ],
  };
};
