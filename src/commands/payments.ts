import { maskNumber, parseCustomerNumber } from '../core/customer-number.ts';
import { formatMoney } from '../core/money.ts';
import { OPEN_STATES, type Payment } from '../core/payments/payment.ts';
import { showTime, startOfDayMs } from '../core/shown-time.ts';
import type { PaymentFilter, PaymentPage } from '../core/store/store.ts';
import { problemCard } from './answer-cards.ts';
import { type Audience, audienceOf, nameFor } from './audience.ts';
import type { Button, Card } from './card.ts';
import type { Command, Context, Services } from './command.ts';
import { stateWord } from './payment-card.ts';

const PAGE_LENGTH = 8;
/** Between the filter and the place in a button's id. */
const SEPARATOR = '~';

/** `/payments`: what was asked of whom, newest first. */
export const paymentsCommand = ({ store, clock, settings }: Services): Command => {
  const filterOf = (which: string): PaymentFilter | undefined => {
    if (which === '') return {};
    if (which === 'today') return { sinceMs: startOfDayMs(clock.now(), settings.timeZone) };
    if (which === 'pending') return { states: OPEN_STATES };
    if (which === 'failed') return { states: ['failed', 'refused', 'not sent'] };
    const number = parseCustomerNumber(which, settings.country);
    return number.ok ? { customerNumber: number.value.e164 } : undefined;
  };

  const show = async (
    which: string,
    after: string | undefined,
    context: Context,
  ): Promise<Card> => {
    const filter = filterOf(which);
    if (filter === undefined)
      return problemCard(
        {
          message: `"${which.slice(0, 40)}" is not something to list.`,
          example: '/payments today',
        },
        '/payments [today|pending|failed|<number>]',
      );
    const page = await store.listPayments(filter, {
      limit: PAGE_LENGTH,
      ...(after === undefined ? {} : { after }),
    });
    return listCard(which, page, after !== undefined, context, settings.timeZone);
  };

  return {
    name: 'payments',
    summary: 'List recent payments',
    usage: '[today|pending|failed|<number>]',
    examples: ['', 'today', 'pending', '0244123456'],
    run: async (words, context) =>
      context.surface.say(await show(words.trim().toLowerCase(), undefined, context)),
    presses: {
      older: {
        run: async (id, context) => {
          const [which = '', after] = id.split(SEPARATOR);
          await context.surface.replace(await show(which, after, context));
        },
      },
    },
  };
};

const listCard = (
  which: string,
  page: PaymentPage,
  isLaterPage: boolean,
  { surface, caller }: Context,
  timeZone: string,
): Card => {
  const audience = audienceOf(caller.conversation, caller);
  const status = surface.spelling?.['status'] ?? 'status';
  const buttons: Button[] = [];
  if (page.next !== undefined)
    buttons.push({
      kind: 'press',
      label: 'Older',
      verb: 'older',
      id: `${buttonWord(which)}${SEPARATOR}${page.next}`,
    });
  if (isLaterPage)
    buttons.push({ kind: 'press', label: 'Newest', verb: 'older', id: buttonWord(which) });
  if (page.payments.length === 0)
    return { title: titleOf(which), parts: [{ kind: 'text', text: 'There are none.' }], buttons };
  return {
    title: titleOf(which),
    parts: [
      { kind: 'list', items: page.payments.map((payment) => lineOf(payment, timeZone, audience)) },
      { kind: 'note', text: `Look closer with /${status} and the transaction id.` },
    ],
    buttons,
  };
};

/** Spaces typed in a number would only cost room in the button. */
const buttonWord = (which: string): string => which.replace(/[\s-]/g, '');

const titleOf = (which: string): string => {
  if (which === '') return 'Recent payments';
  if (which === 'today') return "Today's payments";
  if (which === 'pending') return 'Payments without an outcome yet';
  if (which === 'failed') return 'Payments that did not succeed';
  return `Payments of ${which}`;
};

const lineOf = (
  { id, terms, state, flag, requester, confirmedAtMs }: Payment,
  timeZone: string,
  audience: Audience,
): string =>
  [
    showTime(confirmedAtMs, timeZone),
    `${formatMoney(terms.amount)} ${stateWord(state)}${flag === undefined ? '' : ` (${flag})`}`,
    `${maskNumber(terms.customerNumber)}${terms.customerName === undefined ? '' : ` ${nameFor(audience, terms.customerName)}`}`,
    `by ${requester.name}`,
    id,
  ].join(' · ');
