import type { ChargeTerms, Payment, PaymentState } from '../../core/records/payment.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import { showDay } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Button, type Card, type CardPart, type Fact, idFact, personFact } from './card.ts';
import { flagParts, guidanceText, outcomeText } from './payment-words.ts';
import { revealButton } from './reveal.ts';
import { payerFacts } from './terms-facts.ts';
import { type Audience, nameFor } from './visibility.ts';

/** The word for a state, as every chat shows it. */
export const stateWord = (state: PaymentState): string =>
  state === 'confirmed' || state === 'submitting' ? 'being sent' : state;

/** The payment's one card in its conversation, edited as the state changes. `audience` reads it there. */
export const paymentCard = (
  payment: Payment,
  timeZone: string,
  audience: Audience = 'others too',
): Card => {
  const { terms, checkoutUrl } = payment;
  const parts: CardPart[] = [{ kind: 'facts', facts: paymentFacts(payment, timeZone, audience) }];
  const guidance = guidanceText(payment, timeZone);
  if (guidance !== undefined) parts.push({ kind: 'text', text: guidance });
  parts.push(...flagParts(payment));
  const buttons: Button[] = [
    ...(checkoutUrl === undefined || payment.state !== 'pending'
      ? []
      : [{ kind: 'link', label: 'Open the checkout page', url: checkoutUrl } as const]),
    ...(audience === 'others too' ? [revealButton(payment)] : []),
  ];
  return {
    title: `${formatMoney(terms.amount)} · ${stateWord(payment.state)}`,
    tone: toneOf(payment),
    parts,
    ...(buttons.length === 0 ? {} : { buttons }),
  };
};

/** The outcome, with a mention of the requester. `toldBefore`: the state that the same message showed first. */
export const outcomeCard = (
  payment: Payment,
  timeZone: string,
  {
    audience = 'others too',
    toldBefore = payment.state,
  }: { readonly audience?: Audience; readonly toldBefore?: PaymentState } = {},
): Card => {
  const { terms, requester, settledAtMs } = payment;
  const from = payerFor(audience, terms);
  const text = outcomeText(payment);
  const earlier = toldBefore === payment.state ? '' : `${stateWord(toldBefore)}, then `;
  return {
    title: `${formatMoney(terms.amount)} from ${from}: ${earlier}${stateWord(payment.state)}`,
    tone: toneOf(payment),
    mention: requester,
    parts: [
      ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
      ...flagParts(payment),
      // It may have waited a day for the chat to come back.
      {
        kind: 'list',
        items: [
          {
            text: `${settledAtMs === undefined ? '' : `${showDay(settledAtMs, timeZone)} · `}Transaction`,
            code: payment.id,
          },
        ],
      },
    ],
  };
};

const ENDED: Partial<Record<PaymentState, string>> = {
  completed: 'Paid at',
  failed: 'Failed at',
  refused: 'Refused at',
};

/** What a payment is, without its history. */
export const paymentFacts = (payment: Payment, timeZone: string, audience: Audience): Fact[] => {
  const { terms, requester, approver, confirmedAtMs, settledAtMs } = payment;
  const list: Fact[] = [
    ...payerFacts(terms, audience),
    // Without one of its own the transaction id is the reference.
    ...(terms.reference === payment.id ? [] : [{ label: 'Reference', value: terms.reference }]),
    personFact('Asked by', requester),
  ];
  list.push({ label: 'Asked at', value: showDay(payment.askedAtMs ?? confirmedAtMs, timeZone) });
  if (approver !== undefined)
    list.push(personFact('Approved by', approver), {
      label: 'Approved at',
      value: showDay(confirmedAtMs, timeZone),
    });
  if (settledAtMs !== undefined)
    list.push({
      label: ENDED[payment.state] ?? 'Ended at',
      value: showDay(settledAtMs, timeZone),
    });
  return [...list, idFact('Transaction', payment.id)];
};

/** The payer's name, or the masked number without one. */
export const payerFor = (
  audience: Audience,
  { customerName, customerNumber }: ChargeTerms,
): string =>
  customerName === undefined ? maskNumber(customerNumber) : nameFor(audience, customerName);

const toneOf = ({ state, flag }: Payment): NonNullable<Card['tone']> => {
  if (flag !== undefined) return 'warning';
  switch (state) {
    case 'completed':
      return 'good';
    case 'failed':
    case 'refused':
    case 'not sent':
      return 'bad';
    case 'unknown':
      return 'warning';
    default:
      return 'waiting';
  }
};
