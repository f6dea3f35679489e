import { type FileDraft, isOfFile } from '../../core/records/draft.ts';
import { showNumber } from '../../core/values/customer-number.ts';
import type { Press, Services } from '../command.ts';
import { type Again, showAgain } from '../confirm-draft.ts';
import { goneCard, pressOn, requestersDraft } from '../draft-buttons.ts';
import { dryRunCard } from './dry-run-card.ts';
import type { CustomerRow, FileRows } from './read-rows.ts';

const MOST_SHOWN = 10;

/** Asked once for the whole file: a spreadsheet takes the 0 of every number, or of none. */
export const zeroQuestion = (file: FileRows<CustomerRow>): Pick<FileDraft, 'zeroAsked'> => {
  const { good, withoutZero } = file;
  const count = withoutZero.length;
  const shown = withoutZero.slice(0, MOST_SHOWN);
  const numbers = good
    .filter(({ row }) => shown.includes(row))
    .map(({ row, customerNumber }) => `Row ${row}: ${showNumber(customerNumber)}`);
  if (count > MOST_SHOWN) numbers.push(`And ${(count - MOST_SHOWN).toLocaleString('en')} more.`);
  return count === 0 ? {} : { zeroAsked: { count, numbers } };
};

/** The press that says that numbers without their leading 0 are read right. */
export const answerZero = (services: Services, kind: FileDraft['kind'], button: string): Press => ({
  run: pressOn(requestersDraft(services), async (draft, context) => {
    const { surface } = context;
    if (!isOfFile(draft) || draft.kind !== kind) return surface.answerPress(goneCard);
    if (draft.zeroAsked === undefined) return surface.replace(dryRunCard(draft));
    const { zeroAsked: _, ...rest } = draft;
    const again: Again<FileDraft> = { again: rest };
    await showAgain(services, { question: dryRunCard }, again, { button, context });
  }),
});
