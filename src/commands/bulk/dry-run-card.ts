import { type BulkDraft, buttonId } from '../../core/records/draft.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, cardOf, part, pressButton } from '../cards/card.ts';
import { customersText, fileFacts } from './file-facts.ts';

/** What a file would do, with the press for exactly that. */
export const dryRunCard = (draft: BulkDraft): Card => {
  const { terms, warnings, notes } = draft;
  if (draft.zeroAsked !== undefined) return zeroCard(draft, draft.zeroAsked);
  const total = formatMoney(terms.total);
  const again = terms.again === undefined ? '' : ' again';
  return cardOf(
    `Charge ${customersText(terms.rows)}${again}: ${total}?`,
    [
      part.facts(...fileFacts(terms)),
      ...warnings.map(part.warning),
      notes.length === 0 ? undefined : part.list(notes),
    ],
    {
      tone: warnings.length === 0 ? undefined : 'warning',
      buttons: [
        pressButton(
          `Charge ${terms.rows.toLocaleString('en')}: ${total}`,
          'bulk-charge',
          buttonId(draft),
          { style: 'primary' },
        ),
        pressButton('Cancel', 'cancel', buttonId(draft)),
      ],
    },
  );
};

/** Asked once for the whole file: a spreadsheet takes the 0 of every number, or of none. */
const zeroCard = (
  draft: BulkDraft,
  { count, example }: NonNullable<BulkDraft['zeroAsked']>,
): Card =>
  cardOf(
    count === 1
      ? 'One number has no 0 in front'
      : `${count.toLocaleString('en')} numbers have no 0 in front`,
    [part.text('Spreadsheets take it away. Nothing is charged yet.'), part.text(example)],
    {
      tone: 'warning',
      buttons: [
        pressButton(count === 1 ? 'Add the 0' : 'Add the 0 to all', 'bulk-zero', buttonId(draft), {
          style: 'primary',
        }),
        pressButton('Cancel', 'cancel', buttonId(draft)),
      ],
    },
  );
