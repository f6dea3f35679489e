import type { SmsBatch, SmsChunk } from '../../core/records/sms-batch.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { maskNumber, showNumber } from '../../core/values/customer-number.ts';
import { denial } from '../access/denial.ts';
import type { Grants } from '../access/grants.ts';
import { type Card, cardOf, joined, type ListItem, part, plainCard } from '../cards/card.ts';
import { inDetails, whyText } from '../cards/service-words.ts';
import type { Audience } from '../cards/visibility.ts';
import { isOwn, type Press, type Services } from '../command.ts';
import { firstOf } from './recipient-list.ts';
import { smsFate } from './sms-cards.ts';

const SHOWN_NUMBERS = 20;
const SEE_DETAILS = { what: 'details of an SMS', deed: 'send SMS' } as const;

/** Privately: the text, and what became of each recipient. Its requester typed the numbers and sees them whole. */
export const smsDetails = (services: Services): Press => ({
  checksAccessItself: true,
  of: 'sms',
  run: async (id, context) => {
    const { surface, caller, grants } = context;
    const batch = await services.store.get('sms', id);
    if (batch === undefined) return surface.answerPress(goneCard);
    const isTheirs = isOwn(batch, caller) && batch.about === undefined;
    if (!grants.may('sms') && !isTheirs)
      return surface.answerPress(denial(services, context, SEE_DETAILS));
    await surface.whisper(detailsCard(batch, isTheirs ? 'one person' : 'others too', grants));
  },
});

const goneCard = plainCard('No details any more', 'I keep the details of an SMS for a day.');

const detailsCard = (batch: SmsBatch, audience: Audience, grants: Grants): Card => {
  const numberText = audience === 'one person' ? showNumber : maskNumber;
  return cardOf(smsFate(batch, audience), [
    part.quote(batch.terms.text),
    part.facts({ label: 'From', value: batch.terms.senderId }),
    part.list(batch.chunks.map((chunk) => chunkItem(chunk, fateText(chunk, grants), numberText))),
  ]);
};

/** One request: what became of it, whom it was for, and its id for questions to the payment service. */
const chunkItem = (
  { state, recipients, messageId, uniqueId }: SmsChunk,
  fate: string,
  numberText: (e164: string) => string,
): ListItem => {
  const text = `${fate} ${firstOf(recipients, SHOWN_NUMBERS, numberText)}`;
  const id = state === 'sent' ? messageId : state === 'unknown' ? uniqueId : '';
  return id ? { text: `${text} ·`, code: id } : text;
};

const fateText = (chunk: SmsChunk, grants: Grants): string => {
  const { state, status = '', reason } = chunk;
  const why = whyText(chunk, inDetails(reason, grants));
  switch (state) {
    case 'sent':
      return `Sent${status === '' ? '' : ` (${maskPhones(status)})`}.`;
    case 'refused':
    case 'not sent':
      return joined(state === 'refused' ? 'Refused.' : 'Not sent.', why).trimEnd();
    case 'unknown':
      return joined('Not clear: it may have been sent.', reason);
    default:
      return 'On its way.';
  }
};
