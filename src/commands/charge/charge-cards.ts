import { buttonId, type Draft } from '../../core/records/draft.ts';
import { formatMoney, type Money } from '../../core/values/money.ts';
import type { Card, CardPart } from '../cards/card.ts';
import { plainCard } from '../cards/reply-cards.ts';
import { chargeFacts } from './charge-facts.ts';

/** What is to be charged. */
export const amountOf = (draft: Draft): Money => {
  if (draft.what.kind !== 'charge') throw new Error(`draft ${draft.id} is not a charge`);
  return draft.what.terms.amount;
};

/** What `buttonId` made; a draft that was shown once has no number behind its id. */
export const readButtonId = (pressed: string): { id: string; revision: number } => {
  const [id = '', revision] = pressed.split('.');
  return { id, revision: revision === undefined ? 0 : Number(revision) };
};

/** The question before every charge. */
export const confirmationCard = (
  draft: Draft,
  { needsApproval, link }: { needsApproval: boolean; link: string | undefined },
): Card => {
  const amount = formatMoney(amountOf(draft));
  const { warnings = [], repeats = [] } = draft.what.kind === 'charge' ? draft.what : {};
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
export const confirmedCard = (draft: Draft): Card =>
  plainCard(`Confirmed: ${formatMoney(amountOf(draft))}`);
