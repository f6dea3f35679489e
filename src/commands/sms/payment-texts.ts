import type { Payment, TextKind } from '../../core/records/payment.ts';
import type { Change } from '../../core/records/records.ts';
import type { SmsBatch, SmsTerms } from '../../core/records/sms-batch.ts';
import { defined } from '../../core/runtime/defined.ts';
import { partsOf } from '../../core/sms/sms-parts.ts';
import type { Conversation, Person } from '../../core/values/conversation.ts';
import { showDate } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Services } from '../command.ts';
import { settingsOf } from '../merchants.ts';
import { filledIn, senderOf } from './templates.ts';
import type { SmsSettings } from './text-buttons.ts';

/** In the place of a name that the account lookup did not give. */
const NO_NAME = 'customer';

/** The SMS about a payment as its template says it; undefined: there is no template or no sender id. */
export const termsOfText = (
  kind: TextKind,
  payment: Payment,
  settings: SmsSettings & { readonly timeZone: string },
): SmsTerms | undefined => {
  const { merchant } = payment.terms;
  const { senderIds, texts } = settingsOf(settings, merchant);
  const text = textOfPayment(kind, payment, settings);
  const senderId = senderOf(texts.templates.get(kind), senderIds);
  if (text === undefined || senderId === undefined) return undefined;
  return { senderId, text, recipients: [payment.terms.customerNumber], ...defined({ merchant }) };
};

/** What a template says about a payment, however it is sent; undefined: there is no template. */
export const textOfPayment = (
  kind: TextKind,
  payment: Payment,
  settings: SmsSettings & { readonly timeZone: string },
): string | undefined => {
  const { terms, checkoutUrl = '', settledAtMs, confirmedAtMs } = payment;
  const { texts, timeZone } = settingsOf(settings, terms.merchant);
  const template = texts.templates.get(kind);
  if (template === undefined) return undefined;
  return filledIn(template, {
    amount: formatMoney(terms.amount),
    name: terms.customerName ?? NO_NAME,
    reference: terms.reference,
    shop: texts.shop,
    link: checkoutUrl,
    date: showDate(settledAtMs ?? confirmedAtMs, timeZone),
  });
};

type Sending = {
  readonly kind: TextKind;
  readonly terms: SmsTerms;
  readonly requester: Person;
  readonly automatic?: true;
  /** Where the press was; absent when no person pressed. */
  readonly where?: Conversation;
  /** What is stored with it, asked at each try; undefined: it must not be sent. */
  readonly beside: (batchId: string, partsEach: number) => Promise<Change | undefined>;
};

/**
 * Confirms an SMS about a payment: the batch that is sent and the payment's note of it, in one commit, so that of
 * two presses one counts. Undefined: the payment has one already, has changed, or `beside` refused.
 */
export const confirmText = async (
  { payments, smsSender }: Pick<Services, 'payments' | 'smsSender'>,
  payment: Payment,
  { kind, terms, requester, automatic, where, beside }: Sending,
): Promise<SmsBatch | undefined> => {
  const about = { paymentId: payment.id, of: kind, ...(automatic && { automatic }) } as const;
  const conversation = payment.card?.conversation ?? payment.conversation;
  const presser = automatic ? undefined : requester;
  const { batch, audit } = smsSender.prepare({ terms, requester, conversation, about }, presser);
  const event = { kind: 'texted', of: kind, batchId: batch.id } as const;
  const recorded = await payments.record(payment.id, event, {
    cause: { ...(presser && { who: presser }), ...(where && { where }) },
    beside: async () => {
      const also = await beside(batch.id, partsOf(terms.text));
      return (
        also && {
          ...also,
          put: [{ kind: 'sms', record: batch }, ...(also.put ?? [])],
          audit: [audit, ...(also.audit ?? [])],
        }
      );
    },
  });
  return recorded?.changed === true ? batch : undefined;
};
