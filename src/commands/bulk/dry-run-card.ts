import {
  type BulkDraft,
  buttonId,
  type FileDraft,
  type SmsFileDraft,
} from '../../core/records/draft.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, cardOf, type Fact, part, pressButton, type Tone } from '../cards/card.ts';
import { customersText, fileFacts, smsFileFacts } from './file-facts.ts';

/** What a file would do, with the press for exactly that. */
export const dryRunCard = (draft: FileDraft): Card => {
  if (draft.zeroAsked !== undefined) return zeroCard(draft, draft.zeroAsked);
  return draft.kind === 'bulk' ? chargesCard(draft) : smsCard(draft);
};

const chargesCard = (draft: BulkDraft): Card => {
  const { terms } = draft;
  const total = formatMoney(terms.total);
  const again = terms.again === undefined ? '' : ' again';
  return cardOf(
    `Charge ${customersText(terms.rows)}${again}: ${total}?`,
    [part.facts(...fileFacts(terms), ...linesFact(draft)), ...remarks(draft)],
    {
      tone: toneOf(draft),
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

const smsCard = (draft: SmsFileDraft): Card => {
  const { terms } = draft;
  const send = `Send ${terms.rows.toLocaleString('en')} SMS`;
  return cardOf(
    `${send}?`,
    [
      part.quote(terms.text),
      part.facts(...smsFileFacts(terms), ...linesFact(draft)),
      ...remarks(draft),
    ],
    {
      tone: toneOf(draft),
      buttons: [
        pressButton(send, 'sms-file', buttonId(draft), { style: 'primary' }),
        pressButton('Cancel', 'cancel', buttonId(draft)),
      ],
    },
  );
};

const remarks = ({ warnings, notes }: FileDraft) => [
  ...warnings.map(part.warning),
  notes.length === 0 ? undefined : part.list(notes),
];

const linesFact = ({ lines }: FileDraft): Fact[] =>
  lines === undefined ? [] : [{ label: 'Lines', value: lines }];

const toneOf = ({ warnings }: FileDraft): Tone | undefined =>
  warnings.length === 0 ? undefined : 'warning';

/** Asked once for the whole file: a spreadsheet takes the 0 of every number, or of none. */
const zeroCard = (
  draft: FileDraft,
  { count, numbers = [] }: NonNullable<FileDraft['zeroAsked']>,
): Card =>
  cardOf(
    count === 1
      ? 'One number has no 0 in front'
      : `${count.toLocaleString('en')} numbers have no 0 in front`,
    [
      part.text(
        `Spreadsheets take it away. Nothing is ${draft.kind === 'bulk' ? 'charged' : 'sent'} yet.`,
      ),
      part.text('I read them so. Is that right?'),
      part.list(numbers),
    ],
    {
      tone: 'warning',
      buttons: [
        pressButton(
          count === 1 ? 'Add the 0' : 'Add the 0 to all',
          draft.kind === 'bulk' ? 'bulk-zero' : 'sms-zero',
          buttonId(draft),
          { style: 'primary' },
        ),
        pressButton('Cancel', 'cancel', buttonId(draft)),
      ],
    },
  );
