import { buttonId, type ChargeDraft } from '../../core/records/draft.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Card, CardPart } from '../cards/card.ts';
import { plainCard } from '../cards/reply-cards.ts';
import { chargeFacts } from './charge-facts.ts';

/** The question before every charge. */
export const confirmationCard = (
  draft: ChargeDraft,
  { needsApproval, link }: { needsApproval: boolean; link: string | undefined },
): Card => {
  const amount = formatMoney(draft.terms.amount);
  const { warnings, repeats = [] } = draft;
  const again = repeats.length > 0 ? ' again' : '';
  const parts: CardPart[] = [
    { kind: 'facts', facts: chargeFacts(draft, 'one person') },
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

/** Chance gave its transaction id to another payment as well. */
export const takenIdCard = plainCard(
  'That did not work',
  'Nothing was charged. Type the command again.',
);

/** What stays of a private question; the payment card is a message of its own. */
export const confirmedCard = (draft: ChargeDraft): Card =>
  plainCard(`Confirmed: ${formatMoney(draft.terms.amount)}`);
