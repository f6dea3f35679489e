import { limitGuard } from '../../core/guards/limit-guards.ts';
import type { SmsDraft, SmsFileDraft } from '../../core/records/draft.ts';
import type { SmsBatch } from '../../core/records/sms-batch.ts';
import { noteText } from '../../core/sms/sent-texts.ts';
import { partsOf } from '../../core/sms/sms-parts.ts';
import { plainCard } from '../cards/card.ts';
import type { Services } from '../command.ts';
import type { Confirming } from '../confirm-draft.ts';
import { smsRoom } from './daily-sms.ts';
import { repeatedTexts } from './repeated-sms.ts';
import { previewCard } from './sms-cards.ts';

export const confirmingSms = (services: Services) => ({
  right: 'sms',
  deed: 'send SMS',
  guardsOf: async ({ id, requester }: SmsDraft | SmsFileDraft) => [
    await limitGuard(services, `${requester.platform}:${requester.id}`, id),
  ],
});

/** A confirmed preview becomes an SMS batch, if the person's daily limit has room for it. */
export const confirmingBatch = (services: Services): Confirming<SmsDraft, SmsBatch> => ({
  ...confirmingSms(services),
  is: (draft) => draft.kind === 'sms',
  button: 'send',
  question: (draft) => previewCard(draft, undefined, []),
  check: async (draft, grants, { surface }) => {
    const { text, recipients, merchant } = draft.terms;
    const parts = partsOf(text) * recipients.length;
    const room = await smsRoom(services, grants, draft.requester, parts);
    if (!room.fits) return () => surface.replace(room.why);
    const texts = recipients.map((recipient) => ({ recipient, text }));
    // Read before the look: an SMS to one of them that is confirmed after it changes its note.
    const notes = await Promise.all(texts.map((each) => noteText(services, each)));
    const { length: repeats } = await repeatedTexts(services, texts, merchant);
    // For what went out since the preview was shown.
    if (repeats > (draft.repeats ?? 0)) return { again: { ...draft, repeats } };
    return {
      confirm: (presser, { guards }) =>
        services.smsSender.confirm(draft, presser, (id) => [
          ...guards,
          room.day.with(parts),
          ...notes.map((note) => note(id)),
        ]),
    };
  },
  tellConfirmed: (_draft, _batch, { surface }) => surface.replace(confirmedCard),
});

const confirmedCard = plainCard('The SMS is being sent', 'I report here when it is done.');
