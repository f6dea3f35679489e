import type { AuditRow } from '../../core/records/records.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { type Card, cardOf, pageOf, part, plainCard } from '../cards/card.ts';
import type { Written } from './export-files.ts';

/** The audit rows of all exports are under this id. */
export const EXPORTS = 'exports';

/** Of one file: who got it, which payments are in it, and the hash that leads from a file to its row. */
export const exportRow = (
  by: Required<Pick<AuditRow, 'atMs' | 'who'>> & Pick<AuditRow, 'where'>,
  file: Written & { readonly words: string; readonly isWhole: boolean; readonly of?: string },
): AuditRow => ({
  ...by,
  kind: 'setting',
  id: EXPORTS,
  what: 'exported',
  before: null,
  after: null,
  detail: file,
});

const MOST_TOLD = 10;
export const OLDER_EXPORTS = 'older-exports';

/** The newest exports, or what is older, with what leads from a file to its row: its hash. */
export const exportsCard = (rows: readonly AuditRow[], moment: Moment, from = 0): Card => {
  const { shown, older } = pageOf(rows.toReversed(), from, MOST_TOLD, OLDER_EXPORTS);
  if (shown.length === 0) return plainCard('There are no exports yet');
  return cardOf('Exports', [part.list(shown.map((row) => itemOf(row, moment)))], {
    buttons: [older],
  });
};

const itemOf = ({ atMs, who, detail }: AuditRow, moment: Moment) => {
  const { words, rows, isWhole, sha256, of } = detail ?? {};
  const shown = isWhole === true ? 'whole' : 'shortened';
  const count = of === 'SMS' ? `${rows} SMS` : rows === 1 ? '1 payment' : `${rows} payments`;
  return {
    text: `${showNear(atMs, moment)} · ${who?.name} · ${count}, ${words}, numbers ${shown}`,
    code: String(sha256),
  };
};
