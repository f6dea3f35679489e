import {
  type BulkDraft,
  buttonId,
  type FileDraft,
  type SmsFileDraft,
  warningsIn,
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
  const again = againText(draft);
  const id = buttonId(draft);
  return cardOf(
    `Charge ${customersText(terms.rows)}${terms.again === undefined ? again : ' again'}: ${total}?`,
    [part.facts(...fileFacts(terms), ...linesFact(draft)), ...remarks(draft)],
    {
      tone: toneOf(draft),
      buttons: [
        pressButton(
          `Charge ${terms.rows.toLocaleString('en')}${again}: ${total}`,
          'bulk-charge',
          id,
          { style: 'primary' },
        ),
        pressButton('Cancel', 'cancel', id),
      ],
    },
  );
};

/** `Charge 20 again`, where all rows repeat earlier charges; `Charge 45, 3 again` where some do. */
const againText = ({ repeated, terms }: BulkDraft): string => {
  if (repeated === undefined) return '';
  return repeated.rows === terms.rows ? ' again' : `, ${repeated.rows.toLocaleString('en')} again`;
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
        pressButton(
          draft.repeated === undefined ? send : `${send} again`,
          'sms-file',
          buttonId(draft),
          {
            style: 'primary',
          },
        ),
        pressButton('Cancel', 'cancel', buttonId(draft)),
      ],
    },
  );
};

const remarks = (draft: FileDraft) => [
  ...warningsIn(draft).map(part.warning),
  draft.notes.length === 0 ? undefined : part.list(draft.notes),
];

const linesFact = ({ lines }: FileDraft): Fact[] =>
  lines === undefined ? [] : [{ label: 'Lines', value: lines }];

const toneOf = (draft: FileDraft): Tone | undefined =>
  warningsIn(draft).length === 0 ? undefined : 'warning';

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
