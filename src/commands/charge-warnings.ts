import { assertNever } from '../core/errors.ts';
import type { Gateway, LookupOutcome } from '../core/gateway/gateway.ts';
import { formatMoney, type Money, sameMoney } from '../core/money.ts';
import { guessNetwork, isCard, type NetworkCode, networkLabel } from '../core/network.ts';
import { OPEN_STATES, type Payment, type PaymentState } from '../core/payments/payment.ts';
import { showTime } from '../core/shown-time.ts';
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
  if (doubtfulNumber) warnings.push('This number is unusual. Check that it was typed right.');
  const guess = guessNetwork(customerNumber);
  if (option === 'MOM' && guess !== undefined && guess !== network)
    warnings.push(
      `The number looks like ${networkLabel(guess)}, not ${networkLabel(network)}. It may have been ported.`,
    );
  if (
    option === 'MOM' &&
    amount.currency === 'GHS' &&
    amount.amountMinor > LARGEST_WALLET_DAY_MINOR
  )
    warnings.push('This is more than a wallet may pay in a day.');
  return warnings;
};

const lookupWarnings = (outcome: LookupOutcome, network: NetworkCode): string[] => {
  switch (outcome.kind) {
    case 'found':
      return outcome.status === 'active'
        ? []
        : [
            `The account is ${outcome.status === '' ? 'not reported as active' : outcome.status}. The payment will probably fail.`,
          ];
    case 'notFound':
      return [
        [
          `No ${networkLabel(network)} account was found for this number, so its owner is not confirmed.`,
          saidText(outcome.answer),
          'Check the number and the network; it may have been ported.',
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

/** A charge of another amount to the same customer that nobody knows the end of. */
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
  `The same amount was asked of this number at ${showTime(payment.confirmedAtMs, timeZone)} by ${payment.requester.name} and is ${stateWord(payment.state)} (transaction ${payment.id}).${MAY_YET[payment.state] ?? ''} Charge again only if the customer owes it twice.`;

const MAY_YET: Partial<Record<PaymentState, string>> = {
  pending: ' It may yet be paid.',
  unknown: ' It may yet be paid.',
};

const undecidedText = (payment: Payment, timeZone: string): string =>
  `A charge of ${formatMoney(payment.terms.amount)} to this number of ${showTime(payment.confirmedAtMs, timeZone)} is still ${payment.state} (transaction ${payment.id}). It may yet be paid.`;
