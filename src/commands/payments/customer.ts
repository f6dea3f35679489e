import { type Payment, SETTLED_STATES } from '../../core/records/payment.ts';
import { maskNumber, parseCustomerNumber, showNumber } from '../../core/values/customer-number.ts';
import { showNear } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, cardOf, joined, part, pressButton } from '../cards/card.ts';
import { reasonInChat, stateWord } from '../cards/payment-words.ts';
import { type Audience, audienceAround, nameFor } from '../cards/visibility.ts';
import { findNamed } from '../charge/charge-by-name.ts';
import { whichCustomerCard } from '../charge/pick-customer.ts';
import { type CommandRecord, type Context, inPlace, momentOf, type Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { merchantTotals, partialTotalsPart, totalsText } from '../figures/sums-text.ts';
import { sayMisunderstood, understoodAs } from '../forms/correct-it.ts';
import { inputCommand } from '../forms/input-command.ts';
import { ofMerchantAt } from '../merchants.ts';
import {
  type ListPlace,
  listButtons,
  PAGE_LENGTH,
  paymentRows,
  readPlace,
} from './payment-list.ts';
import { searchButton } from './payments.ts';
import { spendNumberSearch } from './reveal.ts';

const EARLIER = 'earlier';

/** `/customer`: what one customer was asked for and paid. */
export const customerCommand = (services: Services): CommandRecord => {
  const { country } = services.settings;
  const typed = inputCommand(services, {
    command: 'customer',
    title: 'A customer',
    submitLabel: 'Show',
    inputs: {
      number: {
        label: 'Customer number',
        hint: 'For example 0244123456',
        check: (answer) => parseCustomerNumber(answer, country),
      },
    },
    run: async ({ number }, context) =>
      context.surface.say(await customerCard(services, { words: number.e164 }, context)),
  });
  const showNamed = async (name: string, context: Context): Promise<void> => {
    const named = await findNamed(services, name, context);
    if ('number' in named) return typed.run(named.number.e164, context);
    const { message, several } = named;
    const choices = several?.choices.map(({ label, value }) => pressButton(label, EARLIER, value));
    if (choices !== undefined)
      return context.surface.say(whichCustomerCard(name, message, choices));
    const search = context.grants.may('payments') ? searchButton(name) : undefined;
    const { form } = typed;
    const understood = { problem: { message }, ...understoodAs(form, { number: name }) };
    await sayMisunderstood(services, context, form, understood, () => (search ? [search] : []));
  };
  return {
    summary: "See a customer's payments",
    deed: "see customers' payments",
    usage: '<number>',
    examples: ['0244123456'],
    ...typed,
    run: (words, context) =>
      /\p{L}{2}/u.test(words) ? showNamed(words, context) : typed.run(words, context),
    presses: {
      [EARLIER]: inPlace((id, context) => customerCard(services, readPlace(id), context)),
    },
  };
};

const customerCard = async (
  services: Services,
  { words, after }: ListPlace,
  context: Context,
): Promise<Card> => {
  const { store, settings } = services;
  const number = parseCustomerNumber(words, settings.country);
  if (!number.ok) return goneCard;
  const spent = await spendNumberSearch(services, context);
  if (spent !== undefined) return spent;
  const { e164 } = number.value;
  const filter = { customerNumber: e164, ...ofMerchantAt(settings, context.caller) };
  const place = { limit: PAGE_LENGTH, ...(after === undefined ? {} : { after }) };
  const [page, ended, totals] = await Promise.all([
    store.listPayments(filter, place),
    store.listPayments({ ...filter, states: SETTLED_STATES }, { limit: 1 }),
    store.totalPayments(filter),
  ]);
  const [newest] = page.payments;
  if (newest === undefined)
    return cardOf('Nothing found', [
      part.text(`I found no payment of ${showNumber(e164)}. Check the number, or search by name:`),
      part.example('/payments Adwoa'),
    ]);
  const audience = audienceAround(context.caller, services.platforms);
  return cardOf(
    titleOf(newest, audience),
    [
      part.text(totalsText(totals, settings.currency)),
      await merchantTotals(services, filter),
      part.text(lastOutcome(ended.payments[0], services)),
      paymentRows(page.payments, { moment: momentOf(services), audience }),
      partialTotalsPart(totals),
    ],
    {
      buttons: [
        ...listButtons(page, { verb: EARLIER, words: e164, isLater: after !== undefined }),
        context.grants.may('charge') && pressButton('Charge', 'again', newest.id),
      ],
    },
  );
};

const titleOf = ({ terms }: Payment, audience: Audience): string => {
  const { customerName, customerNumber } = terms;
  const number =
    audience === 'one person' ? showNumber(customerNumber) : maskNumber(customerNumber);
  return customerName === undefined ? number : `${nameFor(audience, customerName)} · ${number}`;
};

/** How the newest payment ended that has an outcome. */
const lastOutcome = (payment: Payment | undefined, services: Services): string => {
  if (payment === undefined) return 'There is no outcome yet.';
  const { terms, state, confirmedAtMs, settledAtMs = confirmedAtMs } = payment;
  const at = showNear(settledAtMs, momentOf(services));
  const why = state === 'completed' ? undefined : reasonInChat(payment);
  return joined(`Last outcome: ${formatMoney(terms.amount)} ${stateWord(state)}, ${at}.`, why);
};
