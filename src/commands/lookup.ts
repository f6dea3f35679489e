import type { LookupOutcome } from '../core/gateway/gateway.ts';
import { merchantOf } from '../core/records/merchants.ts';
import { defined } from '../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../core/runtime/errors.ts';
import { maskPhones } from '../core/runtime/masking.ts';
import { hasCardNumber, neverTypeCards } from '../core/values/card-number.ts';
import {
  type CustomerNumber,
  parseCustomerNumber,
  showNumber,
} from '../core/values/customer-number.ts';
import {
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  parseNetwork,
} from '../core/values/network.ts';
import { plainText, quoted } from '../core/values/normalise-input.ts';
import {
  type Card,
  cardOf,
  joined,
  part,
  plainCard,
  pressButton,
  problemCard,
} from './cards/card.ts';
import { noAnswerText, saidText, spendQuestion } from './cards/service-words.ts';
import type { CommandRecord, CommandSettings, Context, Services } from './command.ts';
import { sayMisunderstood, sayWrongAnswers } from './forms/correct-it.ts';
import type { Form, Understood } from './forms/form.ts';
import {
  leadingNumbers,
  numberProblem,
  splitLikelyNumber,
  theOnlyReading,
  withExample,
} from './leading-number.ts';

const WALLETS: readonly NetworkCode[] = ['MTN', 'VOD', 'AIR'];
const USAGE = '<number> [network]';

/** `/lookup`: whose account it is, as the payment service says. */
export const lookupCommand = (services: Services): CommandRecord => {
  const { gateway, settings } = services;
  const form = lookupForm(settings);
  const understood = (words: string) => understoodLookup(words, settings);

  const lookUp = async (
    number: string,
    network: NetworkCode | undefined,
    { surface, caller, grants }: Context,
  ): Promise<void> => {
    const asked = network ?? guessNetwork(number);
    if (asked === undefined) {
      const message = 'I cannot tell the network from this number. Add the network:';
      return surface.say(problemCard({ message, example: exampleOn(number, 'MTN') }));
    }
    const spent = spendQuestion(services, caller);
    if (spent !== undefined) return surface.say(spent);
    const outcome = await gateway.lookUpAccount({
      number,
      network: asked,
      merchant: merchantOf(settings.merchants, caller.conversation)?.name,
    });
    const card = lookupCard(number, asked, outcome);
    const buttons = [pressButton('Charge', 'charge-found', `${number} ${asked}`)];
    const mayCharge = outcome.kind === 'found' && grants.may('charge');
    await surface.whisper(mayCharge ? { ...card, buttons } : card);
  };

  return {
    summary: 'See whose account a number is',
    deed: 'look up accounts',
    usage: USAGE,
    examples: ['0244123456', '0201234567 telecel'],
    form,
    understood: async (words) => understood(words),
    run: async (words, context) => {
      const typed = parseLookup(words, settings);
      if (!typed.ok)
        return sayMisunderstood(services, context, form, { ...typed, ...understood(words) });
      const { number, network } = typed.value;
      if (number !== undefined) return lookUp(number.e164, network, context);
      await context.surface.ask(form, network === undefined ? {} : { network });
    },
    submit: async (answers, context) => {
      const number = parseCustomerNumber(answers['number'] ?? '', settings.country);
      if (!number.ok) return sayWrongAnswers(services, context, form, { ...number, answers });
      const network = WALLETS.find((code) => code === answers['network']);
      await lookUp(number.value.e164, network, context);
    },
  };
};

const lookupForm = ({ country }: CommandSettings): Form => ({
  command: 'lookup',
  title: 'Look up an account',
  submitLabel: 'Look up',
  fields: [
    {
      name: 'number',
      label: 'Customer number',
      takesContact: true,
      hint: 'For example 0244123456',
      check: (answer) => parseCustomerNumber(answer, country),
    },
    {
      name: 'network',
      label: 'Network',
      hint: 'Leave empty to use the network of the number',
      optional: true,
      choices: WALLETS.map((code) => ({ value: code, label: networkLabel(code) })),
      check: (answer) =>
        WALLETS.some((code) => code === answer) ? parsed(answer) : wrong('Pick a network.'),
    },
  ],
});

type LookupParts = { readonly number?: CustomerNumber; readonly network?: NetworkCode };

/** Reads `<number> [network]`. */
export const parseLookup = (words: string, { country }: { country: string }): Parsed<LookupParts> =>
  withExample(readLookup(plainText(words), country), '/lookup 0244123456 mtn');

const readLookup = (text: string, country: string): Parsed<LookupParts> => {
  if (text === '') return parsed({});
  if (hasCardNumber(text)) return neverTypeCards();
  const words = text.split(' ');
  const readings = leadingNumbers(words, country).map(({ number, rest }) => {
    const network = readNetwork(rest);
    return network.ok ? parsed({ number, ...network.value }) : network;
  });
  if (readings.length > 0) return theOnlyReading<LookupParts>(readings);
  // A network alone is a beginning; a form asks for the number.
  const network = readNetwork(words);
  return network.ok ? network : { ok: false, problem: numberProblem(words, country) };
};

/** The same words as far as they are understood: a number, or what was meant to be one, and a network. */
const understoodLookup = (typed: string, { country }: { country: string }): Understood => {
  const words = plainText(typed).split(' ');
  const [reading] = leadingNumbers(words, country);
  const { typed: unread, rest } =
    reading === undefined ? splitLikelyNumber(words) : { typed: '', rest: reading.rest };
  const network = readNetwork(rest);
  const problem = reading === undefined ? numberProblem(words, country).message : undefined;
  return {
    answers: defined({
      number: reading === undefined ? unread : showNumber(reading.number.e164),
      network: network.ok ? network.value.network : undefined,
    }),
    problems: defined({
      number: problem,
      network: network.ok ? undefined : network.problem.message,
    }),
  };
};

const readNetwork = (words: readonly string[]): Parsed<{ network?: NetworkCode }> => {
  const text = words.join(' ');
  // `momo` means mobile money on any network.
  if (text === '' || text.toLowerCase() === 'momo') return parsed({});
  const network = parseNetwork(text);
  if (network === undefined)
    return wrong(`I do not know the network ${quoted(text)}. Known are MTN, Telecel and AT.`);
  if (isCard(network))
    return wrong(`${networkLabel(network)} accounts cannot be looked up, only mobile money.`);
  return parsed({ network });
};

const exampleOn = (number: string, network: NetworkCode): string => {
  const [brand = ''] = networkLabel(network).toLowerCase().split(' ');
  return `/lookup ${showNumber(number).replaceAll(' ', '')} ${brand}`;
};

const lookupCard = (number: string, network: NetworkCode, outcome: LookupOutcome): Card => {
  const title = `${showNumber(number)} on ${networkLabel(network)}`;
  switch (outcome.kind) {
    case 'found': {
      const { name, status, type } = outcome;
      const facts = part.facts(
        { label: 'Name', value: name },
        { label: 'Status', value: maskPhones(status) || 'not available' },
        { label: 'Type', value: maskPhones(type.replaceAll('_', ' ')) || 'not available' },
      );
      return cardOf(title, [facts], { tone: status === 'active' ? 'good' : 'warning' });
    }
    case 'notFound':
      return cardOf(
        title,
        [
          part.text(joined('There is no account for this number.', saidText(outcome.answer))),
          part.text('The customer may have moved to another network. Try:'),
          part.example(exampleOn(number, network === 'MTN' ? 'VOD' : 'MTN')),
        ],
        { tone: 'warning' },
      );
    default:
      return plainCard(title, noAnswerText(outcome), 'bad');
  }
};
