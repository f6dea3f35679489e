import type { PaymentFilter, PaymentPage } from '../../core/records/payment.ts';
import { showNumber } from '../../core/values/customer-number.ts';
import { formatMoney } from '../../core/values/money.ts';
import { showPeriod } from '../../core/values/period.ts';
import { type Card, type CardPart, cardOf, part, plainCard, problemCard } from '../cards/card.ts';
import { audienceAround } from '../cards/visibility.ts';
import { type CommandRecord, type Context, momentOf, type Services } from '../command.ts';
import { findForm } from './find-form.ts';
import { type PaymentsQuery, parsePayments, queryWords, statesOf } from './parse-payments.ts';
import { detailsPress } from './payment-details.ts';
import {
  type ListPlace,
  listButtons,
  PAGE_LENGTH,
  partialTotalsPart,
  paymentRows,
  readPlace,
  tooLongPart,
  totalsText,
} from './payment-list.ts';
import { paymentsOfMessage } from './payments-of-message.ts';

const OLDER = 'older';

/** `/payments`: the payments that match what was typed, their totals first, newest first. */
export const paymentsCommand = (services: Services): CommandRecord => {
  const list = async (words: string, context: Context): Promise<void> =>
    context.surface.say(await pageCard(services, { words }, context));
  return {
    summary: 'Find payments and their totals',
    deed: 'see payments',
    usage: '[when] [state] [number|name|amount|reference|last four digits]',
    examples: ['', 'today', 'week failed', '1-15 Nov', 'Adwoa', '4567'],
    run: list,
    messageShortcuts: { 'payments-of-number': paymentsOfMessage(services, list) },
    forms: [findForm(list)],
    presses: {
      find: { run: (_id, { surface }) => surface.ask(findForm(list).form, {}) },
      [OLDER]: {
        run: async (id, context) =>
          context.surface.replace(await pageCard(services, readPlace(id), context)),
      },
      details: detailsPress(services),
    },
  };
};

const pageCard = async (
  services: Services,
  { words, after }: ListPlace,
  { caller }: Context,
): Promise<Card> => {
  const { store, settings } = services;
  const moment = momentOf(services);
  const query = parsePayments(words, moment, settings);
  if (!query.ok) return problemCard(query.problem);
  const found = await findPayments(services, query.value, after);
  const { page } = found;
  if (page.payments.length === 0) return nothingCard(query.value, words);
  const totals = found.totals ?? (await store.totalPayments(found.filter));
  const place = { verb: OLDER, words: queryWords(query.value), isLater: after !== undefined };
  return cardOf(
    titleOf(query.value, found.isId),
    [
      part.text(totalsText(totals, settings.currency, found.filter.states)),
      paymentRows(page.payments, moment, audienceAround(caller, services.platforms)),
      found.isId ? undefined : searchedPart(query.value),
      partialTotalsPart(totals),
      tooLongPart(page, place),
    ],
    { buttons: listButtons(page, place) },
  );
};

type Found = {
  readonly page: PaymentPage;
  readonly filter: PaymentFilter;
  readonly totals?: Awaited<ReturnType<Services['store']['totalPayments']>>;
  /** What was typed is the id of the one payment. */
  readonly isId: boolean;
};

const findPayments = async (
  { store }: Pick<Services, 'store'>,
  query: PaymentsQuery,
  after: string | undefined,
): Promise<Found> => {
  const { id } = query;
  const filter = filterOf(query);
  const one = id === undefined ? undefined : await store.get('payment', id);
  if (one !== undefined) {
    const { state, terms } = one;
    const totals = { totals: [{ state, count: 1, ...terms.amount }], isWhole: true };
    return { page: { payments: [one] }, filter: { states: [state] }, totals, isId: true };
  }
  // Signs alone name nothing.
  if (query.sought !== '' && query.customerNumber === undefined && query.search.length === 0)
    return { page: { payments: [] }, filter, isId: false };
  const place = after === undefined ? {} : { after };
  const page = await store.listPayments(filter, { limit: PAGE_LENGTH, ...place });
  return { page, filter, isId: false };
};

const filterOf = ({ period, state, customerNumber, search }: PaymentsQuery): PaymentFilter => ({
  ...(period === undefined ? {} : { sinceMs: period.fromMs, untilMs: period.untilMs }),
  ...(state === undefined ? {} : { states: statesOf(state) }),
  ...(customerNumber === undefined ? {} : { customerNumber }),
  ...(search.length === 0 ? {} : { search }),
});

/** `Recent payments`, `Payments of 024 412 3456, 15 Nov 2026`, `Payments, failed` */
const titleOf = (
  { period, state, customerNumber, sought }: PaymentsQuery,
  isId: boolean,
): string => {
  const subject =
    customerNumber === undefined
      ? sought === '' || isId
        ? ''
        : ` for "${echo(sought)}"`
      : ` of ${showNumber(customerNumber)}`;
  const more = [period === undefined ? undefined : showPeriod(period), state];
  const words = more.filter((word) => word !== undefined);
  if (subject === '' && words.length === 0) return isId ? 'Payment' : 'Recent payments';
  return [`Payments${subject}`, ...words].join(', ');
};

/** What digits were taken for, and where words were looked for. */
const searchedPart = ({ search }: PaymentsQuery): CardPart | undefined => {
  if (search.length === 0) return undefined;
  const unclear = search.flatMap(({ word, lastDigits, amount }) => {
    if (word === undefined || !/^\d+$/.test(word)) return [];
    const readings = [
      ...(lastDigits === undefined ? [] : ['last four digits']),
      ...(amount === undefined ? [] : [formatMoney(amount)]),
      'reference',
    ];
    return [`I searched ${word} as ${readings.join(', ')}.`];
  });
  const hasWords = search.some(({ word }) => word !== undefined && !/^\d+$/.test(word));
  const sentences = [...(hasWords ? ['I searched names and references.'] : []), ...unclear];
  return sentences.length === 0 ? undefined : part.note(sentences.join(' '));
};

const EMPTY_TEXTS: Readonly<Record<string, string>> = {
  '': 'There are no payments yet.',
  today: 'There are no payments today.',
  pending: 'Every payment has an outcome.',
  failed: 'No payment has failed.',
};

const nothingCard = (query: PaymentsQuery, typed: string): Card => {
  const words = typed.trim();
  const known = EMPTY_TEXTS[words.toLowerCase()];
  if (known !== undefined) return plainCard(titleOf(query, false), known);
  const { customerNumber } = query;
  return cardOf(customerNumber === undefined ? 'Nothing found' : titleOf(query, false), [
    part.text(
      `I found no payment for "${echo(words)}". Search by number, name, amount, reference or date.`,
    ),
    part.example('/payments today'),
  ]);
};

const ECHO_LENGTH = 40;

const echo = (typed: string): string => {
  const characters = [...typed];
  return characters.length > ECHO_LENGTH ? `${characters.slice(0, ECHO_LENGTH).join('')}…` : typed;
};
