import { assertNever } from '../core/errors.ts';
import type { Gateway, LookupOutcome } from '../core/gateway/gateway.ts';
import { formatMoney, type Money, sameMoney } from '../core/money.ts';
import { guessNetwork, isCard, type NetworkCode, networkLabel } from '../core/network.ts';
import { OPEN_STATES, type Payment, type PaymentState } from '../core/payments/payment.ts';
import { showDay } from '../core/shown-time.ts';
import { noAnswerText, saidText } from './answer-cards.ts';
import type { ChargeRequest } from './charge-form.ts';
import type { Services } from './command.ts';
import { stateWord } from './payment-card.ts';

const RECENT_MS = 600_000;
/** The central bank's highest daily limit of a wallet since 1 March 2024; a larger charge can hardly succeed. */
const LARGEST_WALLET_DAY_MINOR = 25_000_00;

/** Whose account it is, as far as the service confirms it, and what is odd about it. */
export const lookUpCustomer = async (
  gateway: Gateway,
  request: ChargeRequest,
): Promise<{ name?: string; warnings: string[] }> => {
  const network = walletNetwork(request);
  const outcome = await gateway.lookUpAccount({ number: request.customerNumber, network });
  const warnings = [...oddities(request), ...lookupWarnings(outcome, network)];
  return outcome.kind === 'found' ? { name: outcome.name, warnings } : { warnings };
};

/** A card says nothing about a phone number's owner; the number's own wallet does. */
const walletNetwork = ({ network, customerNumber }: ChargeRequest): NetworkCode =>
  isCard(network) ? (guessNetwork(customerNumber) ?? 'MTN') : network;

const oddities = ({
  doubtfulNumber,
  network,
  customerNumber,
  option,
  amount,
}: ChargeRequest): string[] => {
  const warnings: string[] = [];
  if (doubtfulNumber) warnings.push('This number is unusual. Check it with the customer.');
  const guess = guessNetwork(customerNumber);
  if (option === 'MOM' && guess !== undefined && guess !== network)
    warnings.push(
      `The number looks like ${networkLabel(guess)}, not ${networkLabel(network)}. The customer may have moved to another network.`,
    );
  if (
    option === 'MOM' &&
    amount.currency === 'GHS' &&
    amount.amountMinor > LARGEST_WALLET_DAY_MINOR
  )
    warnings.push('This is more than a wallet can pay in a day.');
  return warnings;
};

const lookupWarnings = (outcome: LookupOutcome, network: NetworkCode): string[] => {
  switch (outcome.kind) {
    case 'found':
      return outcome.status === 'active'
        ? []
        : [
            outcome.status === ''
              ? 'The payment service does not say whether this wallet is active.'
              : 'This wallet is not active. Ask for another number.',
          ];
    case 'notFound':
      return [
        [
          `This number has no ${networkLabel(network)} account. Check it with the customer.`,
          'They may have moved to another network.',
          saidText(outcome.answer),
        ]
          .filter((text) => text !== undefined)
          .join(' '),
      ];
    case 'rateLimited':
    case 'refused':
    case 'noAnswer':
      return [
        `The account could not be looked up, so its owner is not confirmed. ${noAnswerText(outcome)}`,
      ];
    default:
      return assertNever(outcome);
  }
};

/** A charge as far as it can repeat another one. */
type Asked = { readonly customerNumber: string; readonly amount: Money };

/** Earlier charges that this one may be a repetition of, newest first: the same amount, open or of a few minutes ago. */
export const repeatedBy = async (
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  { customerNumber, amount }: Asked,
): Promise<Payment[]> => {
  const limit = { limit: 20 };
  const [open, completed] = await Promise.all([
    store.listPayments({ customerNumber, states: OPEN_STATES }, limit),
    store.listPayments(
      { customerNumber, states: ['completed'], sinceMs: clock.now() - RECENT_MS },
      limit,
    ),
  ]);
  return [...open.payments, ...completed.payments]
    .filter(({ terms }) => sameMoney(terms.amount, amount))
    .sort((one, other) => (one.id < other.id ? 1 : -1));
};

/** A charge of another amount to the same customer that has no outcome yet. */
export const undecidedWarning = async (
  { store, settings }: Pick<Services, 'store' | 'settings'>,
  { customerNumber, amount }: Asked,
): Promise<string[]> => {
  const open = await store.listPayments(
    { customerNumber, states: ['unknown', 'pending'] },
    { limit: 20 },
  );
  const other = open.payments.find(({ terms }) => !sameMoney(terms.amount, amount));
  return other === undefined ? [] : [undecidedText(other, settings.timeZone)];
};

export const repetitionWarning = (payment: Payment, timeZone: string): string =>
  `${payment.requester.name} asked this number for the same amount (${showDay(payment.confirmedAtMs, timeZone)}): ${stateWord(payment.state)}.${MAY_YET[payment.state] ?? ''} ${SAME_SALE[payment.state] ?? 'Same sale? Then wait for the first one.'} Ask again only for a second sale. Transaction ${payment.id}`;

const SAME_SALE: Partial<Record<PaymentState, string>> = {
  completed: 'Same sale? Then it is paid.',
};

const MAY_YET: Partial<Record<PaymentState, string>> = {
  pending: ' It may still be paid.',
  unknown: ' It may still be paid.',
};

const undecidedText = (payment: Payment, timeZone: string): string =>
  `An earlier charge of ${formatMoney(payment.terms.amount)} to this number is still ${payment.state} (${showDay(payment.confirmedAtMs, timeZone)}). It may still be paid. Transaction ${payment.id}`;
