import { SegmentedMessage } from 'sms-segments-calculator';
import { buttonId, type SmsDraft } from '../../core/records/draft.ts';
import { type SmsBatch, type SmsTally, smsTally } from '../../core/records/sms-batch.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import { plainText, quoted } from '../../core/values/normalise-input.ts';
import { type Card, cardOf, confirmOrCancel, joined, part, pressButton } from '../cards/card.ts';
import { whyText } from '../cards/service-words.ts';
import type { Audience } from '../cards/visibility.ts';
import { whatsAppButton } from '../share/shared-text.ts';
import { firstOf, named } from './recipient-list.ts';
import { textButton } from './text-buttons.ts';

const SHOWN_RECIPIENTS = 10;

/** The question before an SMS: what is sent to whom, and what it costs. `balance`: SMS left, as the service says. */
export const previewCard = (
  draft: SmsDraft,
  balance: string | undefined,
  leftOut: readonly string[],
): Card => {
  const { text, recipients, senderId } = draft.terms;
  const { repeats = 0 } = draft;
  const message = new SegmentedMessage(text);
  const { length } = recipients;
  const total = message.segmentsCount * length;
  const warnings = [
    repeats > 0 ? repeatedText(peopleText(repeats)) : undefined,
    leftOut.length > 0 ? `Left out, not mobile numbers: ${named(leftOut)}.` : undefined,
    costlyText(message, text),
    balance !== undefined && Number(balance) < total
      ? `SMS left: ${balance}. This costs ${total} SMS.`
      : undefined,
  ];
  return cardOf(
    `Send this SMS to ${peopleText(length)}?`,
    [
      part.quote(text),
      part.facts(
        { label: 'From', value: senderId },
        { label: 'To', value: firstOf(recipients, SHOWN_RECIPIENTS, maskNumber) },
        ...(balance === undefined ? [] : [{ label: 'SMS balance', value: balance }]),
      ),
      part.text(
        length === 1
          ? `Costs ${total} SMS.`
          : `Costs ${total} SMS (${message.segmentsCount} for each person).`,
      ),
      ...warnings.map((warning) => (warning === undefined ? undefined : part.warning(warning))),
    ],
    {
      buttons: confirmOrCancel(
        `Send ${length} SMS${repeats > 0 ? ' again' : ''}`,
        'send',
        buttonId(draft),
      ),
    },
  );
};

/** `rows`: or people. */
export const repeatedText = (rows: string): string =>
  `The same text went out today, or waits in a file: ${rows}.`;

/** Names the characters without which it would take fewer SMS; undefined where it makes no difference. */
const costlyText = (message: SegmentedMessage, text: string): string | undefined => {
  const dear = [...new Set(message.getNonGsmCharacters())];
  const plain = dear.reduce((rest, each) => rest.replaceAll(each, '?'), text);
  if (new SegmentedMessage(plain).segmentsCount >= message.segmentsCount) return undefined;
  return dear.length === 1
    ? `${dear[0]} makes this SMS cost more.`
    : `${dear.slice(0, -1).join(', ')} and ${dear.at(-1)} make this SMS cost more.`;
};

/** What became of an SMS so far, in a line: `SMS "We open at 8.": 480 of 500 sent`, `Receipt SMS: sent`. */
export const smsFate = ({ about, terms, ...batch }: SmsBatch, audience: Audience): string => {
  const text = plainText(terms.text);
  const name =
    about === undefined
      ? `SMS ${quoted(audience === 'one person' ? text : maskPhones(text))}`
      : `${capitalised(about.of)} SMS`;
  return `${name}: ${fateText(smsTally({ ...batch, terms }))}`;
};

const fateText = ({ all, accepted, unclear, left }: SmsTally): string => {
  if (all === 1 && accepted === 1) return 'sent';
  if (left > 0 || accepted > 0) return `${accepted} of ${all} sent`;
  return unclear > 0 ? 'not clear' : 'not sent';
};

/** The report on an SMS, edited while it goes out: a line, and what went wrong. */
export const smsReportCard = (batch: SmsBatch, audience: Audience): Card => {
  const { id, chunks, requester, about } = batch;
  const { all, accepted, unclear, unsent, left } = smsTally(batch);
  // Of several requests the first says why; the others are in the details.
  const failed = chunks.find(({ state }) => state === 'refused' || state === 'not sent') ?? {};
  const notSent = joined(`Not sent to ${peopleText(unsent)}.`, whyText(failed)).trimEnd();
  return cardOf(
    smsFate(batch, audience),
    [
      unsent === 0 ? undefined : part.text(notSent),
      unclear === 0
        ? undefined
        : part.text(
            `Not clear for ${peopleText(unclear)}: it may have been sent. I do not send it again.`,
          ),
      left === 0 && accepted > 0 ? part.note('I cannot see if it arrived.') : undefined,
    ],
    {
      tone: left > 0 ? 'waiting' : accepted === all ? 'good' : unsent === all ? 'bad' : 'warning',
      mention: requester,
      buttons: [
        about !== undefined && unsent === all ? textButton(about.of, about.paymentId) : undefined,
        about?.of === 'receipt' && accepted > 0 ? whatsAppButton(about.paymentId) : undefined,
        all === 1 && accepted === all
          ? undefined
          : pressButton('Details', 'recipients', id, { aside: true }),
      ],
    },
  );
};

const peopleText = (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`;

const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
