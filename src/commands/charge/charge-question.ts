import { type Asked, isLike } from '../../core/bulk/earlier-charges.ts';
import type { Gateway, LookupOutcome } from '../../core/gateway/gateway.ts';
import { buttonId, type ChargeDraft } from '../../core/records/draft.ts';
import { isContradicted, isOpen, type Payment } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { formatMoney, type Money } from '../../core/values/money.ts';
import {
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  type PaymentOption,
} from '../../core/values/network.ts';
import type { Grants } from '../access/grants.ts';
import { type Card, cardOf, joined, linkButton, part, pressButton } from '../cards/card.ts';
import { stateWord } from '../cards/payment-words.ts';
import { noAnswerText, whyText } from '../cards/service-words.ts';
import { chargeFacts } from '../cards/visibility.ts';
import type { Services } from '../command.ts';
import { type Approvers, approvalNote } from './approvers.ts';
import { neededApproval } from './charge-limits.ts';
import type { ChargeRequest } from './parse-charge-options.ts';

const RECENT_MS = 600_000;
/** The central bank's highest daily limit of a wallet since 1 March 2024; a larger charge can hardly succeed. */
const LARGEST_WALLET_DAY_MINOR = 25_000_00;
const GHANA = '+233';

/** The question to the person who has to press next: the requester, or an approver. `known`: who has to approve it. */
export const questionCard = async (
  services: Pick<Services, 'payments' | 'linkTo' | 'approvalQuestion' | 'approversFor'>,
  draft: ChargeDraft,
  grants: Grants,
  known?: Approvers,
): Promise<Card> => {
  const { payments, linkTo, approvalQuestion } = services;
  if (draft.status === 'awaiting approval') return approvalQuestion(draft);
  const { terms, warnings, repeats: [last] = [] } = draft;
  // The newest earlier charge that the question warns of, to look at before pressing.
  const earlier = last === undefined ? undefined : await payments.get(last);
  const amount = `${formatMoney(terms.amount)}${last === undefined ? '' : ' again'}`;
  const id = buttonId(draft);
  const approvers = known ?? (await approversAbove(services, draft, terms.amount, grants));
  if (approvers?.ok === false) return approvers.why;
  const audience = draft.maskedFrom === undefined ? 'one person' : 'others too';
  return cardOf(
    `Charge ${amount}?`,
    [
      part.facts(...chargeFacts(terms, draft.paymentId, audience)),
      ...warnings.map(part.warning),
      approvers && part.note(approvalNote(approvers, grants.maxCharge)),
    ],
    {
      tone: warnings.length === 0 ? undefined : 'warning',
      buttons: [
        pressButton(`Charge ${amount}`, 'charge', id, { style: 'primary' }),
        pressButton('Change', 'change', id),
        pressButton('Cancel', 'cancel', id),
        linkButton('See the earlier charge', earlier && (await linkTo(earlier))),
      ],
    },
  );
};

/** Who has to approve an amount; undefined: it is not above the limit. */
export const approversAbove = async (
  { approversFor }: Pick<Services, 'approversFor'>,
  asked: Pick<ChargeDraft, 'requester' | 'conversation'>,
  amount: Money,
  grants: Grants,
): Promise<Approvers | undefined> =>
  neededApproval(grants, amount) ? approversFor(asked, grants, amount) : undefined;

/** The account's name, if the service confirms it, and warnings about number, network and amount. */
export const lookUpCustomer = async (
  gateway: Gateway,
  request: ChargeRequest,
  merchant: string | undefined,
): Promise<{ name?: string; warnings: string[] }> => {
  const network = walletNetwork(request);
  const outcome = await gateway.lookUpAccount({ number: request.number.e164, network, merchant });
  const warnings = [
    request.number.doubtful ? 'This number is unusual. Check it with the customer.' : undefined,
    networkOddity(request),
    amountOddity(request),
    lookupOddity(outcome, network),
  ].filter((each) => each !== undefined);
  return outcome.kind === 'found' ? { name: outcome.name, warnings } : { warnings };
};

/** A card says nothing about a phone number's owner; the number's own wallet does. */
const walletNetwork = ({ network, number }: ChargeRequest): NetworkCode =>
  isCard(network) ? (guessNetwork(number.e164) ?? 'MTN') : network;

const networkOddity = ({ number, network, option }: ChargeRequest): string | undefined => {
  const guess = guessNetwork(number.e164);
  if (option !== 'MOM' || guess === undefined || guess === network) return undefined;
  return `The number looks like ${networkLabel(guess)}, not ${networkLabel(network)}. The customer may have moved to another network.`;
};

/** A person who is paid by card can pay what a wallet cannot; a slip of the finger looks the same. */
const amountOddity = ({ option, amount, number }: ChargeRequest): string | undefined => {
  const { currency, amountMinor } = amount;
  if (currency === 'GHS')
    return amountMinor <= LARGEST_WALLET_DAY_MINOR ? undefined : LARGE_AMOUNT[option];
  return option !== 'CRD' && number.e164.startsWith(GHANA)
    ? `Wallets in Ghana pay in GHS only. This asks for ${currency}.`
    : undefined;
};

const LARGE_AMOUNT: Readonly<Record<PaymentOption, string>> = {
  MOM: 'This is more than a wallet can pay in a day: GHS 25,000.00.',
  CRM: 'This is more than a wallet can pay in a day: GHS 25,000.00. Only a card can pay it.',
  CRD: 'This is more than GHS 25,000.00. Check the amount with the customer.',
};

const lookupOddity = (outcome: LookupOutcome, network: NetworkCode): string | undefined => {
  switch (outcome.kind) {
    case 'found':
      if (outcome.status === 'active') return undefined;
      return outcome.status === ''
        ? 'The payment service does not say whether this wallet is active.'
        : 'This wallet is not active. Ask for another number.';
    case 'notFound': {
      const reason = `This number has no ${networkLabel(network)} account. The customer may have moved to another network.`;
      return whyText({ ...outcome, reason });
    }
    default:
      return `I could not check the name of this wallet. ${noAnswerText(outcome)}`;
  }
};

type Earlier = {
  /** Those that this one may be a repetition of, newest first. */
  readonly repeats: readonly Payment[];
  /** The newest of another amount that has no outcome yet, or a contradicted one. */
  readonly undecided?: Payment;
};

export const earlierTo = async (
  { earlier, clock }: Pick<Services, 'earlier' | 'clock'>,
  asked: Asked,
): Promise<Earlier> => {
  const all = await earlier.of([asked.customerNumber], clock.now() - RECENT_MS, asked.merchant);
  const undecided = all.find(
    (each) => !isLike(each, asked) && (isOpen(each) || isContradicted(each)),
  );
  return { repeats: all.filter((each) => isLike(each, asked)), ...defined({ undecided }) };
};

/** `Already paid: GHS 40.00 today 22:16. Charge again only for a second sale.` */
export const repetitionWarning = (payment: Payment, moment: Moment): string => {
  const [standing, next] = standingOf(payment);
  const asked = `${formatMoney(payment.terms.amount)} ${showNear(payment.confirmedAtMs, moment)}`;
  return joined(`${standing}: ${asked}.`, next, 'Charge again only for a second sale.');
};

/** How far it is, and what to do when it is the same sale. */
const standingOf = (payment: Payment): readonly [standing: string, next?: string] => {
  const { state } = payment;
  if (isContradicted(payment)) return ['In conflict', 'Ask the payment service about it first.'];
  if (state === 'completed') return ['Already paid'];
  if (state === 'unknown') return ['Still unknown', 'It may still be paid.'];
  return state === 'confirmed' && payment.bulk !== undefined
    ? ['Waiting in a file', 'It is not sent yet.']
    : ['Already asked', `It is ${stateWord(state)}.`];
};

export const undecidedWarning = (payment: Payment, moment: Moment): string => {
  const charge = `An earlier charge of ${formatMoney(payment.terms.amount)} to this number is`;
  const when = showNear(payment.confirmedAtMs, moment);
  return isContradicted(payment)
    ? `${charge} ${payment.state} (${when}), but the payment service contradicts that.`
    : `${charge} still ${stateWord(payment.state)} (${when}). It may still be paid.`;
};
