import type { BulkRun } from '../../core/records/bulk.ts';
import { givenBackOf } from '../../core/records/given-back.ts';
import type { PaymentFilter, PaymentPage, PaymentTotals } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { parsed } from '../../core/runtime/errors.ts';
import type { CalendarDay } from '../../core/values/calendar-day.ts';
import { showNumber } from '../../core/values/customer-number.ts';
import type { Moment } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { showPeriodNear } from '../../core/values/period.ts';
import { remindButton } from '../bulk/run-card.ts';
import { type Button, type Card, type CardPart, cardOf, part, problemCard } from '../cards/card.ts';
import { fittingButton, timeButtons } from '../cards/time-buttons.ts';
import { audienceAround } from '../cards/visibility.ts';
import { type CommandRecord, type Context, inPlace, momentOf, type Services } from '../command.ts';
import { merchantTotals, partialTotalsPart, totalsText } from '../figures/sums-text.ts';
import { inputCommand } from '../forms/input-command.ts';
import { sayMisread } from '../forms/words-form.ts';
import type { Caller } from '../inbound.ts';
import { merchantRefusal, ofMerchantAt } from '../merchants.ts';
import { sharePresses } from '../share/share-presses.ts';
import { givenBack } from './given-back.ts';
import {
  inQuotes,
  narrowedBy,
  type PaymentsQuery,
  parsePayments,
  queryWords,
} from './parse-payments.ts';
import { detailsPress } from './payment-details.ts';
import {
  type ListPlace,
  listButtons,
  PAGE_LENGTH,
  paymentRows,
  readPlace,
  tooLongPart,
} from './payment-list.ts';
import { paymentNote } from './payment-note.ts';
import { paymentsOfMessage } from './payments-of-message.ts';
import { spendNumberSearch } from './reveal.ts';

const OLDER = 'older';

/** `/payments`: the payments that match what was typed, their totals first, newest first. */
export const paymentsCommand = (services: Services): CommandRecord => {
  const list = async (words: string, context: Context): Promise<void> => {
    const { settings } = services;
    const query = parsePayments(words, momentOf(services), settings);
    return query.ok
      ? context.surface.say(await pageCard(services, { words }, context))
      : sayMisread(services, context, ['payments', words], query.problem, timeButtons(OLDER));
  };
  const find = inputCommand(services, {
    command: 'find',
    title: 'Find payments',
    submitLabel: 'Find',
    inputs: {
      words: {
        label: 'What to find',
        hint: 'A number, name, amount, reference, day or state',
        check: parsed<string>,
      },
    },
    run: ({ words }, context) => list(words, context),
  });
  const [back, note] = [givenBack(services), paymentNote(services)];
  return {
    summary: 'Find payments and their totals',
    deed: 'see payments',
    usage: '[when] [state] [number|name|amount|reference|last four digits]',
    examples: ['today', 'last week failed', 'waiting', '28 Oct to 3 Nov', 'Adwoa', '4567'],
    run: list,
    messageShortcuts: { 'payments-of-number': paymentsOfMessage(services, list) },
    forms: [find, back.form, note.form],
    presses: {
      find: { run: (_id, context) => find.run('', context) },
      [OLDER]: inPlace((id, context) => pageCard(services, readPlace(id), context)),
      details: detailsPress(services),
      'given-back': back.press,
      note: note.press,
      ...sharePresses(services),
    },
  };
};

const pageCard = async (
  services: Services,
  { words, after }: ListPlace,
  context: Context,
): Promise<Card> => {
  const { store, settings } = services;
  const { caller } = context;
  const moment = momentOf(services);
  const query = parsePayments(words, moment, settings);
  if (!query.ok) return problemCard(query.problem);
  const spent =
    query.value.customerNumber === undefined
      ? undefined
      : await spendNumberSearch(services, context);
  if (spent !== undefined) return spent;
  const runs = await fileSought(services, query.value, caller);
  const newest = runs.at(-1);
  const found = await findPayments(services, query.value, caller, { after, runs });
  const { page } = found;
  const totals = found.totals ?? (await store.totalPayments(found.filter));
  if (page.payments.length === 0) return nothingCard(query.value, words, moment, totals);
  const audience = audienceAround(caller, services.platforms);
  const place = { verb: OLDER, words: queryWords(query.value), isLater: after !== undefined };
  return cardOf(
    titleOf(query.value, moment, found.isId),
    [
      part.text(totalsText(totals, settings.currency, found.filter.states)),
      found.isId ? undefined : await merchantTotals(services, found.filter),
      paymentRows(page.payments, { moment, audience, day: onlyDay(query.value) }),
      found.isId || newest !== undefined ? undefined : searchedPart(query.value),
      partialTotalsPart(totals),
      tooLongPart(page, place),
    ],
    {
      buttons: [
        ...listButtons(page, place),
        newest && remindButton(newest, settings),
        query.value.isName && searchButton(words),
      ],
    },
  );
};

/** The one day that a list is of; its title names it. */
const onlyDay = ({ period }: PaymentsQuery): CalendarDay | undefined =>
  period?.firstDay === period?.lastDay ? period?.firstDay : undefined;

type Found = {
  readonly page: PaymentPage;
  readonly filter: PaymentFilter;
  readonly totals?: PaymentTotals;
  /** What was typed is the id of the one payment. */
  readonly isId: boolean;
};

const findPayments = async (
  { store, settings }: Pick<Services, 'store' | 'settings'>,
  query: PaymentsQuery,
  caller: Caller,
  { after, runs }: { readonly after: string | undefined; readonly runs: readonly BulkRun[] },
): Promise<Found> => {
  const { id } = query;
  const sought =
    runs.length === 0
      ? filterOf(query, caller)
      : { ...narrowedBy(query), bulk: runs.map((run) => run.id) };
  const filter = { ...sought, ...ofMerchantAt(settings, caller) };
  const one = id === undefined ? undefined : await store.get('payment', id);
  if (one !== undefined && merchantRefusal(settings, caller, one) === undefined) {
    const { state, terms } = one;
    const { amountMinor: givenBackMinor } = givenBackOf(one);
    const total = { state, count: 1, ...terms.amount, givenBackMinor };
    const totals = { totals: [total], isWhole: true };
    return { page: { payments: [one] }, filter: { states: [state] }, totals, isId: true };
  }
  // Signs alone name nothing.
  if (query.sought !== '' && !isSought(filter))
    return { page: { payments: [] }, filter, isId: false };
  const page = await store.listPayments(filter, { limit: PAGE_LENGTH, ...defined({ after }) });
  return { page, filter, isId: false };
};

const isSought = ({ customerNumber, requester, search, bulk }: PaymentFilter): boolean =>
  [customerNumber, requester, search, bulk].some((part) => part !== undefined);

/** As files are named. */
const FILE_NAME = /\.\w{1,5}$/;

/** The runs of a file whose name was typed. */
const fileSought = async (
  { bulkRuns, settings }: Pick<Services, 'bulkRuns' | 'settings'>,
  { sought }: PaymentsQuery,
  caller: Caller,
): Promise<readonly BulkRun[]> =>
  FILE_NAME.test(sought) ? bulkRuns.ofFile(sought, ofMerchantAt(settings, caller).merchant) : [];

const filterOf = (query: PaymentsQuery, { platform, id }: Caller): PaymentFilter => ({
  ...narrowedBy(query),
  ...(query.customerNumber === undefined ? {} : { customerNumber: query.customerNumber }),
  ...(query.isOwn === true ? { requester: `${platform}:${id}` } : {}),
  ...(query.search.length === 0 ? {} : { search: query.search }),
});

/** `Recent payments`, `Payments of 024 412 3456, 15 Nov`, `Payments, today`, `Payments by Ama, failed` */
const titleOf = (query: PaymentsQuery, moment: Moment, isId = false): string => {
  const subject = isId ? '' : subjectOf(query);
  const words = narrowedTo(query, moment);
  if (subject === '' && words.length === 0) return isId ? 'Payment' : 'Recent payments';
  return [`Payments${subject}`, ...words].join(', ');
};

const narrowedTo = ({ period, states }: PaymentsQuery, moment: Moment): string[] => [
  ...(period === undefined ? [] : [showPeriodNear(period, moment)]),
  ...(states.length === 0 ? [] : [states.join(' or ')]),
];

const subjectOf = ({ customerNumber, isOwn, search, sought }: PaymentsQuery): string => {
  if (customerNumber !== undefined) return ` of ${showNumber(customerNumber)}`;
  if (sought === '') return '';
  const isPerson = isOwn === true || search.some(({ person }) => person !== undefined);
  return isPerson ? ` ${echo(sought)}` : ` for "${echo(sought)}"`;
};

/** What digits were taken for, and where words were looked for. */
const searchedPart = ({ search }: PaymentsQuery): CardPart | undefined => {
  if (search.length === 0) return undefined;
  const unclear = search.flatMap(({ word, lastDigits, amount }) => {
    if (word === undefined || !/^\d+$/.test(word)) return [];
    return [
      ...(lastDigits === undefined ? [] : [`numbers ending in ${word}`]),
      ...(amount === undefined ? [] : [`amount ${formatMoney(amount)}`]),
      `references with ${word}`,
    ];
  });
  const hasWords = search.some(({ word }) => word !== undefined && !/^\d+$/.test(word));
  const searched = [...(hasWords ? ['names and references'] : []), ...unclear];
  return searched.length === 0 ? undefined : part.note(`Searched: ${searched.join(', ')}.`);
};

/** Looks for what was typed as a name or reference, whatever else it may mean. */
export const searchButton = (typed: string): Button | undefined =>
  fittingButton(`Search ${echo(inQuotes(typed))}`, OLDER, inQuotes(typed));

const nothingCard = (
  query: PaymentsQuery,
  typed: string,
  moment: Moment,
  totals: PaymentTotals,
): Card => {
  const { period, sought, isName } = query;
  const narrowed = narrowedTo(query, moment);
  const text = `I found no payment for "${echo(sought)}". Search by number, name, amount, reference or date.`;
  const found = sought === '' ? noneOf(query, moment) : ['Nothing found', ...narrowed].join(', ');
  const others = { ...query, period: undefined, ...(period === undefined ? { sought: '' } : {}) };
  return cardOf(
    found,
    [
      sought === '' ? undefined : part.text(text),
      totals.isWhole ? undefined : part.note('I looked at the newest ones. Name a day or a month.'),
    ],
    {
      buttons: [...timeButtons(OLDER, queryWords(others)), isName && searchButton(typed)],
    },
  );
};

/** `No failed payments yesterday`, `No payments, 16 to 22 Nov`, `No payments yet` */
const noneOf = ({ period, states }: PaymentsQuery, moment: Moment): string => {
  const when = period === undefined ? 'yet' : showPeriodNear(period, moment);
  const words = ['No', states.join(' or '), 'payments', when].filter((word) => word !== '');
  return words.join(' ').replace(/ (?=\d)/, ', ');
};

const ECHO_LENGTH = 40;

const echo = (typed: string): string => {
  const characters = [...typed];
  return characters.length > ECHO_LENGTH ? `${characters.slice(0, ECHO_LENGTH).join('')}…` : typed;
};
