import { readRows } from '../../core/bulk/bulk-pages.ts';
import { type BulkRun, isSms } from '../../core/records/bulk.ts';
import type { SmsFileDraft } from '../../core/records/draft.ts';
import { plainCard } from '../cards/card.ts';
import type { Services } from '../command.ts';
import type { Confirming } from '../confirm-draft.ts';
import { smsRoom } from '../sms/daily-sms.ts';
import { confirmingSms } from '../sms/send-sms.ts';
import { whySameFile } from './confirm-bulk.ts';
import { dryRunCard } from './dry-run-card.ts';
import { repeatedRows } from './sms-file.ts';

/** A confirmed dry run of SMS becomes the run of the file, if the person's daily limit has room for all of it. */
export const confirmingSmsFile = (services: Services): Confirming<SmsFileDraft, BulkRun> => ({
  ...confirmingSms(services),
  is: (draft) => draft.kind === 'sms file',
  button: 'sms-file',
  question: dryRunCard,
  check: async (draft, grants, context) => {
    const { id: draftId, requester, terms } = draft;
    const room = await smsRoom(services, grants, requester, terms.parts);
    if (!room.fits) return () => context.surface.replace(room.why);
    const same = await whySameFile(services, draft, context);
    if (same !== undefined) return same;
    const placed = await readRows(services.store, { draftId, terms }, isSms);
    const rows = placed.map(({ row }) => row);
    // For what went out since the dry run was shown.
    const repeated = await repeatedRows(services, rows);
    if (repeated !== undefined && repeated.rows > (draft.repeated?.rows ?? 0))
      return { again: { ...draft, repeated } };
    return {
      // Its rows count as they are sent: until then the run holds them.
      confirm: (presser, { guards, ...press }) =>
        services.bulkRuns.confirm(draft, presser, {
          ...{ ...press, guards: [...guards, room.day.with(0)] },
        }),
    };
  },
  // Elsewhere the card of the run takes the place of the question.
  tellConfirmed: async (_draft, { card, terms: { rows } }, { surface }) => {
    if (card === undefined)
      await surface.replace(plainCard(`Confirmed: ${rows.toLocaleString('en')} SMS`));
  },
});
