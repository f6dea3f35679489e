import { assertNever } from '../core/errors.ts';
import type { SmsBatch, SmsChunk } from '../core/sms-batch.ts';
import { saidText } from './answer-cards.ts';
import type { Card } from './card.ts';

/** What became of an SMS, request by request. */
export const smsReportCard = (batch: SmsBatch): Card => {
  const allSent = batch.chunks.every(({ state }) => state === 'sent');
  const noneSent = batch.chunks.every(({ state }) => state === 'not sent' || state === 'refused');
  const word = allSent ? 'sent' : noneSent ? 'not sent' : 'not sent to everyone for certain';
  const { length } = batch.terms.recipients;
  return {
    title: `SMS to ${length} ${length === 1 ? 'person' : 'people'}: ${word}`,
    tone: allSent ? 'good' : noneSent ? 'bad' : 'warning',
    mention: batch.requester,
    parts: [
      { kind: 'quote', text: batch.terms.text },
      { kind: 'list', items: batch.chunks.map(chunkText) },
      { kind: 'note', text: 'Sent means that the service took it, not that it was delivered.' },
    ],
  };
};

const chunkText = (chunk: SmsChunk): string => {
  const { length } = chunk.recipients;
  const who = `${length} ${length === 1 ? 'recipient' : 'recipients'}`;
  return `${who}: ${fateText(chunk)}`;
};

const fateText = (chunk: SmsChunk): string => {
  switch (chunk.state) {
    case 'sent':
      return `${chunk.status || 'sent'}, message ${chunk.messageId || 'without id'}`;
    case 'refused':
    case 'not sent':
      return [`${chunk.state}.`, chunk.reason, saidText(chunk.answer ?? {})]
        .filter((text) => text !== undefined)
        .join(' ');
    case 'unknown':
      return `unknown. ${chunk.reason ?? ''} It may have been sent; it is not sent again by itself (request ${chunk.uniqueId}).`;
    case 'waiting':
    case 'sending':
      return 'on its way';
    default:
      return assertNever(chunk.state);
  }
};
