import type { PaymentFilter, PaymentPage } from '../../core/records/payment.ts';
import { OPEN_STATES, type Payment } from '../../core/records/payment.ts';
import { maskNumber, parseCustomerNumber } from '../../core/values/customer-number.ts';
import { type Moment, showNear, startOfDayMs } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import {
  type Button,
  type Card,
  type CardPart,
  cardOf,
  type ListItem,
  part,
  pressButton,
} from '../cards/card.ts';
import { stateWord } from '../cards/payment-words.ts';
import { type Audience, audienceAround, nameFor } from '../cards/visibility.ts';
import { type CommandRecord, type Context, momentOf, type Services } from '../command.ts';
import { findForm } from './find-form.ts';
import { detailsPress } from './payment-details.ts';
import { paymentsOfMessage } from './payments-of-message.ts';

const PAGE_LENGTH = 8;
/** Between the filter and the place in a button's id. */
const SEPARATOR = '~';

/** `/payments`: the payments that match a filter, newest first. */
export const paymentsCommand = (services: Services): CommandRecord => {
  const list = async (words: string, context: Context): Promise<void> =>
    context.surface.say(await pageCard(services, words.trim(), undefined, context));
  return {
    summary: 'List recent payments',
    deed: 'see payments',
    usage: '[today|pending|failed|<number>]',
    examples: ['', 'today', 'pending', '0244123456'],
    run: list,
    messageShortcuts: { 'payments-of-number': paymentsOfMessage(services, list) },
    forms: [findForm(list)],
    presses: {
      find: { run: (_id, { surface }) => surface.ask(findForm(list).form, {}) },
      older: {
        run: async (id, context) => {
          const [which = '', after] = id.split(SEPARATOR);
          await context.surface.replace(await pageCard(services, which, after, context));
        },
      },
      details: detailsPress(services),
    },
  };
};

const pageCard = async (
  services: Services,
  which: string,
  after: string | undefined,
  { caller }: Context,
): Promise<Card> => {
  const filter = filterOf(which, services);
  if (filter === undefined)
    return cardOf('Nothing found', [
      part.text(
        `I found no payment for "${which.slice(0, 40)}". Search by number, or by today, pending or failed.`,
      ),
      part.example('/payments today'),
    ]);
  const place = after === undefined ? {} : { after };
  const page = await services.store.listPayments(filter, { limit: PAGE_LENGTH, ...place });
  const audience = audienceAround(caller, services.platforms);
  const shown = listPart(which, page, momentOf(services), audience);
  return cardOf(titleOf(which), [shown], { buttons: buttonsOf(which, page, after !== undefined) });
};

const filterOf = (
  typed: string,
  { clock, settings: { timeZone, country } }: Services,
): PaymentFilter | undefined => {
  const which = typed.toLowerCase();
  if (which === '') return {};
  if (which === 'today') return { sinceMs: startOfDayMs(clock.now(), timeZone) };
  if (which === 'pending') return { states: OPEN_STATES };
  if (which === 'failed') return { states: ['failed', 'refused', 'not sent'] };
  const number = parseCustomerNumber(which, country);
  return number.ok ? { customerNumber: number.value.e164 } : undefined;
};

const buttonsOf = (which: string, { payments, next }: PaymentPage, isLater: boolean): Button[] => {
  // Without the spaces of a number, because the button's data is limited to 64 bytes.
  const word = which.replace(/[\s-]/g, '').toLowerCase();
  return [
    ...payments.map(({ id }, index) => pressButton(`Details ${index + 1}`, 'details', id)),
    ...(next === undefined ? [] : [pressButton('Older', 'older', `${word}${SEPARATOR}${next}`)]),
    ...(isLater ? [pressButton('Newest', 'older', word)] : []),
  ];
};

const TITLES: Readonly<Record<string, string>> = {
  '': 'Recent payments',
  today: "Today's payments",
  pending: 'Payments without an outcome yet',
  failed: 'Payments that did not succeed',
};

const titleOf = (which: string): string => TITLES[which.toLowerCase()] ?? `Payments of ${which}`;

const EMPTY_TEXTS: Readonly<Record<string, string>> = {
  '': 'There are no payments yet.',
  today: 'There are no payments today.',
  pending: 'Every payment has an outcome.',
  failed: 'No payment has failed.',
};

const listPart = (
  which: string,
  { payments }: PaymentPage,
  moment: Moment,
  audience: Audience,
): CardPart =>
  payments.length === 0
    ? part.text(EMPTY_TEXTS[which.toLowerCase()] ?? `I found no payment for "${which}".`)
    : {
        kind: 'list',
        items: payments.map((payment) => lineOf(payment, moment, audience)),
        numbered: true,
      };

const lineOf = (
  { id, terms, state, flag, requester, confirmedAtMs }: Payment,
  moment: Moment,
  audience: Audience,
): ListItem => ({
  text: `${[
    `${formatMoney(terms.amount)} ${stateWord(state)}${flag === undefined ? '' : ` (${flag})`}`,
    `${maskNumber(terms.customerNumber)}${terms.customerName === undefined ? '' : ` ${nameFor(audience, terms.customerName)}`}`,
    showNear(confirmedAtMs, moment),
    `by ${requester.name}`,
  ].join(' · ')} ·`,
  code: id,
});
