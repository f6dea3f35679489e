import { SegmentedMessage } from 'sms-segments-calculator';
import type { SmsDraft } from '../../core/records/draft.ts';
import type { SmsBatch, SmsChunk } from '../../core/records/sms-batch.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import { type Card, cardOf, joined, type ListItem, part, pressButton } from '../cards/card.ts';
import { saidText } from '../cards/service-words.ts';
import type { Audience } from '../cards/visibility.ts';
import { named } from './recipient-list.ts';

const SHOWN_RECIPIENTS = 10;

/** The question before an SMS: what is sent to whom, and what it costs. `balance`: SMS left, as the service says. */
export const previewCard = (
  { id, terms: { text, recipients, senderId } }: SmsDraft,
  balance: string | undefined,
  leftOut: readonly string[],
): Card => {
  const message = new SegmentedMessage(text);
  const { length } = recipients;
  const total = message.segmentsCount * length;
  const facts = [
    { label: 'From', value: senderId },
    { label: 'To', value: recipientsText(recipients) },
    ...(balance === undefined ? [] : [{ label: 'SMS balance', value: balance }]),
  ];
  const warnings = [
    leftOut.length > 0 ? `Left out, not mobile numbers: ${named(leftOut)}.` : undefined,
    costlyText(message, text),
    balance !== undefined && Number(balance) < total
      ? `Only ${balance} SMS are left. This costs ${total}.`
      : undefined,
  ];
  return cardOf(
    `Send this SMS to ${peopleText(length)}?`,
    [
      part.quote(text),
      part.facts(...facts),
      part.text(
        length === 1
          ? `Costs ${total} SMS.`
          : `Costs ${total} SMS (${message.segmentsCount} for each person).`,
      ),
      ...warnings.map((warning) => (warning === undefined ? undefined : part.warning(warning))),
    ],
    {
      buttons: [
        pressButton(`Send ${length} SMS`, 'send', id, { style: 'primary' }),
        pressButton('Cancel', 'cancel', id),
      ],
    },
  );
};

/** Names the characters without which it would take fewer SMS; undefined where it makes no difference. */
const costlyText = (message: SegmentedMessage, text: string): string | undefined => {
  const dear = [...new Set(message.getNonGsmCharacters())];
  const plain = dear.reduce((rest, each) => rest.replaceAll(each, '?'), text);
  if (new SegmentedMessage(plain).segmentsCount >= message.segmentsCount) return undefined;
  return dear.length === 1
    ? `${dear[0]} makes this SMS cost more.`
    : `${dear.slice(0, -1).join(', ')} and ${dear.at(-1)} make this SMS cost more.`;
};

const recipientsText = (recipients: readonly string[]): string => {
  const shown = recipients.slice(0, SHOWN_RECIPIENTS).map(maskNumber).join(', ');
  const more = recipients.length - SHOWN_RECIPIENTS;
  return more > 0 ? `${shown} and ${more} more` : shown;
};

/** The report on an SMS, request by request. */
export const smsReportCard = ({ terms, chunks, requester }: SmsBatch, audience: Audience): Card => {
  const allSent = chunks.every(({ state }) => state === 'sent');
  const noneSent = chunks.every(({ state }) => state === 'not sent' || state === 'refused');
  const fate = allSent ? 'sent' : noneSent ? 'not sent' : mixedText(chunks);
  return cardOf(
    `SMS to ${peopleText(terms.recipients.length)}: ${fate}`,
    [
      part.quote(audience === 'one person' ? terms.text : maskPhones(terms.text)),
      part.list(chunks.map(chunkText)),
      chunks.some(({ state }) => state === 'sent')
        ? part.note('Accepted. Delivery is not confirmed.')
        : undefined,
    ],
    { tone: allSent ? 'good' : noneSent ? 'bad' : 'warning', mention: requester },
  );
};

const peopleText = (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`;

const mixedText = (chunks: readonly SmsChunk[]): string => {
  if (chunks.some(({ state }) => state === 'unknown')) return 'not clear for everyone';
  const sent = chunks.filter(({ state }) => state === 'sent');
  return `sent to ${sent.flatMap(({ recipients }) => recipients).length}`;
};

const chunkText = (chunk: SmsChunk): ListItem => {
  const { state, recipients, messageId, uniqueId } = chunk;
  const text = `${peopleText(recipients.length)}: ${fateText(chunk)}`;
  const id = state === 'sent' ? messageId : state === 'unknown' ? uniqueId : '';
  return id ? { text: `${text} ·`, code: id } : text;
};

const fateText = ({ state, status = '', reason, answer = {} }: SmsChunk): string => {
  switch (state) {
    case 'sent':
      return maskPhones(status) || 'sent';
    case 'refused':
    case 'not sent':
      return joined(`${state}.`, reason, saidText(answer));
    case 'unknown':
      return `unknown. It may have been sent, so I do not send it again. ${reason ?? ''}`.trim();
    default:
      return 'on its way';
  }
};
