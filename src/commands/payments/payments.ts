import type { PaymentFilter, PaymentPage } from '../../core/records/payment.ts';
import { OPEN_STATES, type Payment } from '../../core/records/payment.ts';
import { maskNumber, parseCustomerNumber } from '../../core/values/customer-number.ts';
import { type Moment, showNear, startOfDayMs } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { denial } from '../access/denial.ts';
import type { Button, Card, ListItem } from '../cards/card.ts';
import { paymentCard, stateWord } from '../cards/payment-card.ts';
import { plainCard } from '../cards/reply-cards.ts';
import { type Audience, audienceAround, nameFor } from '../cards/visibility.ts';
import type { Command, Context, Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import type { Caller } from '../inbound.ts';

const PAGE_LENGTH = 8;
const SEE_DETAILS = { what: 'details of a payment', deed: 'see payments' } as const;
/** Between the filter and the place in a button's id. */
const SEPARATOR = '~';

/** `/payments`: the payments that match a filter, newest first. */
export const paymentsCommand = (services: Services): Command => {
  const { store, clock, settings, platforms } = services;
  const { timeZone } = settings;

  const filterOf = (typed: string): PaymentFilter | undefined => {
    const which = typed.toLowerCase();
    if (which === '') return {};
    if (which === 'today') return { sinceMs: startOfDayMs(clock.now(), timeZone) };
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
      return {
        title: 'Nothing found',
        parts: [
          {
            kind: 'text',
            text: `I found no payment for "${which.slice(0, 40)}". Search by number, or by today, pending or failed.`,
          },
          { kind: 'example', text: '/payments today' },
        ],
      };
    const page = await store.listPayments(filter, {
      limit: PAGE_LENGTH,
      ...(after === undefined ? {} : { after }),
    });
    const moment = { timeZone, nowMs: clock.now() };
    const audience = audienceAround(context.caller, platforms);
    return listCard(which, page, { isLaterPage: after !== undefined, audience, moment });
  };

  return {
    name: 'payments',
    summary: 'List recent payments',
    deed: 'see payments',
    usage: '[today|pending|failed|<number>]',
    examples: ['', 'today', 'pending', '0244123456'],
    run: async (words, context) =>
      context.surface.say(await show(words.trim(), undefined, context)),
    presses: {
      older: {
        run: async (id, context) => {
          const [which = '', after] = id.split(SEPARATOR);
          await context.surface.replace(await show(which, after, context));
        },
      },
      details: {
        checksAccessItself: true,
        run: async (id, context) => {
          const { surface, caller, grants } = context;
          const payment = await store.get('payment', id);
          if (payment === undefined) return surface.refusePress(goneCard);
          if (!grants.may('payments') && !isRequester(payment, caller))
            return surface.refusePress(denial(services, context, SEE_DETAILS));
          await surface.say(paymentCard(payment, timeZone, audienceAround(caller, platforms)));
        },
      },
    },
  };
};

const listCard = (
  which: string,
  page: PaymentPage,
  { isLaterPage, audience, moment }: { isLaterPage: boolean; audience: Audience; moment: Moment },
): Card => {
  const buttons: Button[] = page.payments.map(detailsButton);
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
    return { ...plainCard(titleOf(which), emptyText(which)), buttons };
  const items = page.payments.map((payment) => lineOf(payment, moment, audience));
  return { title: titleOf(which), parts: [{ kind: 'list', items, numbered: true }], buttons };
};

const detailsButton = ({ id }: Payment, index: number): Button => ({
  kind: 'press',
  label: `Details ${index + 1}`,
  verb: 'details',
  id,
});

const isRequester = ({ requester }: Payment, { platform, id }: Caller): boolean =>
  requester.platform === platform && requester.id === id;

/** Without the spaces of a number, because the button's data is limited to 64 bytes. */
const buttonWord = (which: string): string => which.replace(/[\s-]/g, '').toLowerCase();

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

const emptyText = (which: string): string =>
  EMPTY_TEXTS[which.toLowerCase()] ?? `I found no payment for "${which}".`;

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
