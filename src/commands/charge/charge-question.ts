import type { Gateway, LookupOutcome } from '../../core/gateway/gateway.ts';
import { buttonId, type ChargeDraft } from '../../core/records/draft.ts';
import {
  isSettled,
  OPEN_STATES,
  type Payment,
  SETTLED_STATES,
} from '../../core/records/payment.ts';
import { everyPayment } from '../../core/store/store.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { formatMoney, type Money, sameMoney } from '../../core/values/money.ts';
import {
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  type PaymentOption,
} from '../../core/values/network.ts';
import type { Grants } from '../access/access.ts';
import { type Card, cardOf, joined, linkButton, part, pressButton } from '../cards/card.ts';
import { stateWord } from '../cards/payment-words.ts';
import { noAnswerText, saidText } from '../cards/service-words.ts';
import { chargeFacts } from '../cards/visibility.ts';
import { momentOf, type Services } from '../command.ts';
import { neededApproval } from './charge-limits.ts';
import type { ChargeRequest } from './parse-charge-options.ts';

const RECENT_MS = 600_000;
/** The central bank's highest daily limit of a wallet since 1 March 2024; a larger charge can hardly succeed. */
const LARGEST_WALLET_DAY_MINOR = 25_000_00;
const GHANA = '+233';

/** The question to the person who has to press next: the requester, or an approver. */
export const questionCard = async (
  {
    payments,
    linkTo,
    approvalQuestion,
  }: Pick<Services, 'payments' | 'linkTo' | 'approvalQuestion'>,
  draft: ChargeDraft,
  grants: Grants,
): Promise<Card> => {
  if (draft.status === 'awaiting approval') return approvalQuestion(draft);
  const { terms, warnings, repeats: [last] = [] } = draft;
  // The newest earlier charge that the question warns of, to look at before pressing.
  const earlier = last === undefined ? undefined : await payments.get(last);
  const amount = `${formatMoney(terms.amount)}${last === undefined ? '' : ' again'}`;
  const id = buttonId(draft);
  return cardOf(
    `Charge ${amount}?`,
    [
      part.facts(
        ...chargeFacts(terms, draft.maskedFrom === undefined ? 'one person' : 'others too'),
      ),
      ...warnings.map(part.warning),
      neededApproval(grants, terms.amount)
        ? part.note('This is above your limit. After you, an approver has to press as well.')
        : undefined,
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

/** The account's name, if the service confirms it, and warnings about number, network and amount. */
export const lookUpCustomer = async (
  gateway: Gateway,
  request: ChargeRequest,
  merchant: string | undefined,
): Promise<{ name?: string; warnings: string[] }> => {
  const network = walletNetwork(request);
  const outcome = await gateway.lookUpAccount({ number: request.number.e164, network, merchant });
  const warnings = [...oddities(request), ...lookupWarnings(outcome, network)];
  return outcome.kind === 'found' ? { name: outcome.name, warnings } : { warnings };
};

/** A card says nothing about a phone number's owner; the number's own wallet does. */
const walletNetwork = ({ network, number }: ChargeRequest): NetworkCode =>
  isCard(network) ? (guessNetwork(number.e164) ?? 'MTN') : network;

const oddities = (request: ChargeRequest): string[] => {
  const { number, network, option } = request;
  const warnings: string[] = [];
  if (number.doubtful) warnings.push('This number is unusual. Check it with the customer.');
  const guess = guessNetwork(number.e164);
  if (option === 'MOM' && guess !== undefined && guess !== network)
    warnings.push(
      `The number looks like ${networkLabel(guess)}, not ${networkLabel(network)}. The customer may have moved to another network.`,
    );
  return [...warnings, ...amountOddities(request)];
};

/** A person who is paid by card can pay what a wallet cannot; a slip of the finger looks the same. */
const amountOddities = ({ option, amount, number }: ChargeRequest): string[] => {
  const { currency, amountMinor } = amount;
  if (currency === 'GHS')
    return amountMinor <= LARGEST_WALLET_DAY_MINOR ? [] : [LARGE_AMOUNT[option]];
  return option !== 'CRD' && number.e164.startsWith(GHANA)
    ? [`Wallets in Ghana pay in GHS only. This asks for ${currency}.`]
    : [];
};

const LARGE_AMOUNT: Readonly<Record<PaymentOption, string>> = {
  MOM: 'This is more than a wallet can pay in a day: GHS 25,000.00.',
  CRM: 'This is more than a wallet can pay in a day: GHS 25,000.00. Only a card can pay it.',
  CRD: 'This is more than GHS 25,000.00. Check the amount with the customer.',
};

const lookupWarnings = (outcome: LookupOutcome, network: NetworkCode): string[] => {
  switch (outcome.kind) {
    case 'found':
      if (outcome.status === 'active') return [];
      return [
        outcome.status === ''
          ? 'The payment service does not say whether this wallet is active.'
          : 'This wallet is not active. Ask for another number.',
      ];
    case 'notFound':
      return [
        joined(
          `This number has no ${networkLabel(network)} account.`,
          'The customer may have moved to another network.',
          saidText(outcome.answer),
        ),
      ];
    default:
      return [`I could not check the name of this wallet. ${noAnswerText(outcome)}`];
  }
};

/** What makes two charges alike. */
type Asked = { readonly customerNumber: string; readonly amount: Money };

/**
 * Earlier charges that this one may be a repetition of, newest first: the same amount, and open, completed
 * some minutes ago, or in conflict with what the service says.
 */
export const repeatedBy = async (
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  { customerNumber, amount }: Asked,
): Promise<Payment[]> => {
  const pages = await Promise.all(
    [
      { states: OPEN_STATES },
      { states: ['completed'] as const, endedSinceMs: clock.now() - RECENT_MS },
      { states: SETTLED_STATES, flag: 'conflict' as const },
    ].map((filter) =>
      store.listPayments({ customerNumber, amount, ...filter }, { limit: MOST_REPEATS }),
    ),
  );
  const found = pages.flatMap(({ payments }) => payments.map((each) => [each.id, each] as const));
  return [...new Map(found).values()].sort((one, other) => (one.id < other.id ? 1 : -1));
};

/** Of each kind; the newest ones, of which one is shown. */
const MOST_REPEATS = 20;

/** A charge of another amount to the same customer that has no outcome yet, or a contradicted one. */
export const undecidedWarning = async (
  services: Pick<Services, 'store' | 'clock' | 'settings'>,
  { customerNumber, amount }: Asked,
): Promise<string[]> => {
  const filters = [
    { states: ['unknown', 'pending'] as const },
    { states: SETTLED_STATES, flag: 'conflict' as const },
  ];
  for (const filter of filters)
    for await (const other of everyPayment(
      services.store,
      { customerNumber, ...filter },
      MOST_REPEATS,
    ))
      if (!sameMoney(other.terms.amount, amount)) return [undecidedText(other, momentOf(services))];
  return [];
};

export const repetitionWarning = (payment: Payment, moment: Moment): string =>
  `${payment.requester.name} asked this number for the same amount ${showNear(payment.confirmedAtMs, moment)}: ${standing(payment)} unless this is a second sale. Transaction ${payment.id}`;

/** Its state, and what to do when it is the same sale. */
const standing = (payment: Payment): string => {
  const { state } = payment;
  if (isContradicted(payment))
    return `${state}, but the payment service contradicts that. Ask the payment service first,`;
  if (state === 'completed') return 'completed. Do not charge again,';
  return state === 'unknown'
    ? 'unknown. It may still be paid: wait,'
    : `${stateWord(state)}. Wait for the first one,`;
};

const isContradicted = (payment: Payment): boolean =>
  isSettled(payment) && payment.flag === 'conflict';

const undecidedText = (payment: Payment, moment: Moment): string => {
  const charge = `An earlier charge of ${formatMoney(payment.terms.amount)} to this number is`;
  const when = showNear(payment.confirmedAtMs, moment);
  return isContradicted(payment)
    ? `${charge} ${payment.state} (${when}), but the payment service contradicts that. Transaction ${payment.id}`
    : `${charge} still ${payment.state} (${when}). It may still be paid. Transaction ${payment.id}`;
};
