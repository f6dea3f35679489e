import type { SmsBatch, SmsChunk } from '../../core/records/sms-batch.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import type { Card, ListItem } from '../cards/card.ts';
import { saidText } from '../cards/reply-cards.ts';
import type { Audience } from '../cards/visibility.ts';

/** The report on an SMS, request by request. */
export const smsReportCard = (batch: SmsBatch, audience: Audience): Card => {
  const { text } = batch.terms;
  const allSent = batch.chunks.every(({ state }) => state === 'sent');
  const noneSent = batch.chunks.every(({ state }) => state === 'not sent' || state === 'refused');
  const { length } = batch.terms.recipients;
  return {
    title: `SMS to ${peopleText(length)}: ${allSent ? 'sent' : noneSent ? 'not sent' : mixedText(batch)}`,
    tone: allSent ? 'good' : noneSent ? 'bad' : 'warning',
    mention: batch.requester,
    parts: [
      { kind: 'quote', text: audience === 'one person' ? text : maskPhones(text) },
      { kind: 'list', items: batch.chunks.map(chunkText) },
      ...(batch.chunks.some(({ state }) => state === 'sent')
        ? [{ kind: 'note', text: 'Accepted. Delivery is not confirmed.' } as const]
        : []),
    ],
  };
};

const peopleText = (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`;

const mixedText = ({ chunks }: SmsBatch): string =>
  chunks.some(({ state }) => state === 'unknown')
    ? 'not clear for everyone'
    : `sent to ${chunks.reduce((sum, { state, recipients }) => sum + (state === 'sent' ? recipients.length : 0), 0)}`;

const chunkText = (chunk: SmsChunk): ListItem => {
  const text = `${peopleText(chunk.recipients.length)}: ${fateText(chunk)}`;
  const id =
    chunk.state === 'sent' ? chunk.messageId : chunk.state === 'unknown' ? chunk.uniqueId : '';
  return id ? { text: `${text} ·`, code: id } : text;
};

const fateText = (chunk: SmsChunk): string => {
  switch (chunk.state) {
    case 'sent':
      return maskPhones(chunk.status ?? '') || 'sent';
    case 'refused':
    case 'not sent':
      return [`${chunk.state}.`, chunk.reason, saidText(chunk.answer ?? {})]
        .filter((text) => text !== undefined)
        .join(' ');
    case 'unknown':
      return `unknown. It may have been sent, so I do not send it again. ${chunk.reason ?? ''}`.trim();
    case 'waiting':
    case 'sending':
      return 'on its way';
    default:
      return assertNever(chunk.state);
  }
};
