import type { LookupOutcome } from '../core/gateway/gateway.ts';
import { defined } from '../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../core/runtime/errors.ts';
import { maskPhones } from '../core/runtime/masking.ts';
import { hasCardNumber, neverTypeCards } from '../core/values/card-number.ts';
import { parseCustomerNumber, showNumber } from '../core/values/customer-number.ts';
import {
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  parseNetwork,
  WALLETS,
} from '../core/values/network.ts';
import { plainText, quoted } from '../core/values/normalise-input.ts';
import { type Card, cardOf, part, plainCard, pressButton } from './cards/card.ts';
import { noAnswerText, spendQuestion, whyText } from './cards/service-words.ts';
import type { CommandRecord, Services } from './command.ts';
import type { Answers, Understood } from './forms/form.ts';
import { inputCommand } from './forms/input-command.ts';
import { leadingNumbers, numberProblem, splitLikelyNumber } from './leading-number.ts';
import { ofMerchantAt } from './merchants.ts';

const NO_NETWORK = 'I cannot tell the network from this number. Add the network.';

/** `/lookup`: whose account it is, as the payment service says. */
export const lookupCommand = (services: Services): CommandRecord => {
  const { gateway, settings } = services;
  return {
    summary: 'See whose account a number is',
    deed: 'look up accounts',
    usage: '<number> [network]',
    examples: ['0244123456', '0201234567 telecel'],
    ...inputCommand(services, {
      command: 'lookup',
      title: 'Look up an account',
      submitLabel: 'Look up',
      understood: (words) => understoodLookup(words, settings),
      inputs: {
        number: {
          label: 'Customer number',
          takesContact: true,
          hint: 'For example 0244123456',
          check: (answer) => parseCustomerNumber(answer, settings.country),
        },
        network: {
          label: 'Network',
          hint: 'Leave empty to use the network of the number',
          optional: true,
          choices: WALLETS.map((code) => ({ value: code, label: networkLabel(code) })),
          check: (answer) => {
            const wallet = WALLETS.find((code) => code === answer);
            return wallet === undefined && answer !== ''
              ? wrong('Pick a network.')
              : parsed(wallet);
          },
        },
      },
      run: async ({ number: { e164 }, network = guessNetwork(e164) }, context, misread) => {
        const { surface, caller, grants } = context;
        if (network === undefined) return misread({ network: NO_NETWORK });
        const spent = spendQuestion(services, caller);
        if (spent !== undefined) return surface.say(spent);
        const of = ofMerchantAt(settings, caller);
        const outcome = await gateway.lookUpAccount({ number: e164, network, ...of });
        const card = lookupCard(e164, network, outcome);
        const buttons = [pressButton('Charge', 'charge-found', `${e164} ${network}`)];
        const mayCharge = outcome.kind === 'found' && grants.may('charge');
        await surface.whisper(mayCharge ? { ...card, buttons } : card);
      },
    }),
  };
};

/** Reads `<number> [network]`: the number, or what was meant to be one. A network alone is a beginning. */
export const understoodLookup = (typed: string, { country }: { country: string }): Understood => {
  const text = plainText(typed);
  if (text === '') return { answers: {}, problems: {} };
  if (hasCardNumber(text))
    return { answers: {}, problems: { number: neverTypeCards().problem.message } };
  const words = text.split(' ');
  const readings = leadingNumbers(words, country).map(({ number, rest }) =>
    withNetwork({ number: showNumber(number.e164) }, rest),
  );
  const reading = readings.find(({ problems }) => !('network' in problems)) ?? readings[0];
  if (reading !== undefined) return reading;
  const alone = withNetwork({}, words);
  if (!('network' in alone.problems)) return alone;
  const { typed: number, rest } = splitLikelyNumber(words);
  const { answers, problems } = withNetwork({ number }, rest);
  const { message } = numberProblem(words, country);
  return { answers, problems: { number: message, ...problems } };
};

const withNetwork = (answers: Answers, words: readonly string[]): Understood => {
  const network = readNetwork(words);
  return network.ok
    ? { answers: { ...answers, ...defined({ network: network.value }) }, problems: {} }
    : { answers, problems: { network: network.problem.message } };
};

const readNetwork = (words: readonly string[]): Parsed<NetworkCode | undefined> => {
  const text = words.join(' ');
  // `momo` means mobile money on any network.
  if (text === '' || text.toLowerCase() === 'momo') return parsed(undefined);
  const network = parseNetwork(text);
  if (network === undefined)
    return wrong(`I do not know the network ${quoted(text)}. Write MTN, Telecel or AT.`);
  if (isCard(network))
    return wrong(`${networkLabel(network)} accounts cannot be looked up, only mobile money.`);
  return parsed(network);
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
          part.text(whyText({ ...outcome, reason: 'There is no account for this number.' })),
          part.text('The customer may have moved to another network. Try:'),
          part.example(exampleOn(number, network === 'MTN' ? 'VOD' : 'MTN')),
        ],
        { tone: 'warning' },
      );
    default:
      return plainCard(title, noAnswerText(outcome), 'bad');
  }
};
