import {
  type BulkDraft,
  buttonId,
  type FileDraft,
  type SmsFileDraft,
  warningsIn,
} from '../../core/records/draft.ts';
import { monthName } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, cardOf, confirmOrCancel, part } from '../cards/card.ts';
import { customersText, fileFacts } from './file-facts.ts';

/** What a file would do, with the press for exactly that. */
export const dryRunCard = (draft: FileDraft): Card => {
  if (draft.zeroAsked !== undefined) return zeroCard(draft, draft.zeroAsked);
  const { title, label, verb } = draft.kind === 'bulk' ? chargesAsked(draft) : smsAsked(draft);
  const warnings = warningsIn(draft);
  return cardOf(
    title,
    [
      draft.kind === 'bulk' ? undefined : part.quote(draft.terms.text),
      part.facts(...fileFacts(draft.terms, draft.lines)),
      ...warnings.map(part.warning),
      part.list(draft.notes),
    ],
    {
      tone: warnings.length === 0 ? undefined : 'warning',
      buttons: confirmOrCancel(label, verb, buttonId(draft)),
    },
  );
};

type Asked = { readonly title: string; readonly label: string; readonly verb: string };

const chargesAsked = (draft: BulkDraft): Asked => {
  const { rows, again, round } = draft.terms;
  const total = formatMoney(draft.terms.total);
  const repeats = repeatsText(draft);
  const asked = `${customersText(rows)}${again === undefined ? repeats : ' again'}`;
  return {
    title:
      round === undefined
        ? `Charge ${asked}: ${total}?`
        : `${monthName(round.month)}: charge ${asked}?`,
    label: `Charge ${rows.toLocaleString('en')}${repeats}: ${total}`,
    verb: 'bulk-charge',
  };
};

/** `Charge 20 again`, where all rows repeat earlier charges; `Charge 45, 3 again` where some do. */
const repeatsText = ({ repeated, terms }: BulkDraft): string => {
  if (repeated === undefined) return '';
  return repeated.rows === terms.rows ? ' again' : `, ${repeated.rows.toLocaleString('en')} again`;
};

const smsAsked = ({ terms, repeated }: SmsFileDraft): Asked => {
  const send = `Send ${terms.rows.toLocaleString('en')} SMS`;
  const label = repeated === undefined ? send : `${send} again`;
  return { title: `${send}?`, label, verb: 'sms-file' };
};

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
      buttons: confirmOrCancel(
        count === 1 ? 'Add the 0' : 'Add the 0 to all',
        draft.kind === 'bulk' ? 'bulk-zero' : 'sms-zero',
        buttonId(draft),
      ),
    },
  );
