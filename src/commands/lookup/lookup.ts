import type { LookupOutcome } from '../../core/gateway/gateway.ts';
import { assertNever, parsed, wrong } from '../../core/runtime/errors.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { parseCustomerNumber, showNumber } from '../../core/values/customer-number.ts';
import { guessNetwork, type NetworkCode, networkLabel } from '../../core/values/network.ts';
import type { Card } from '../cards/card.ts';
import { noAnswerText, problemCard, saidText } from '../cards/reply-cards.ts';
import type { Command, Context, Services } from '../command.ts';
import type { Answers, Form } from '../forms/form.ts';
import { parseLookup } from './parse-lookup.ts';
import { spendQuestion } from './questions-left.ts';

const WALLETS: readonly NetworkCode[] = ['MTN', 'VOD', 'AIR'];

/** `/lookup`: whose account it is, as the payment service says. */
export const lookupCommand = (services: Services): Command => {
  const { gateway, settings } = services;
  const form: Form = {
    command: 'lookup',
    title: 'Look up an account',
    submitLabel: 'Look up',
    fields: [
      {
        name: 'number',
        label: 'Customer number',
        hint: 'For example 0244123456',
        check: (answer) => parseCustomerNumber(answer, settings.country),
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
  };

  const lookUp = async (
    number: string,
    network: NetworkCode | undefined,
    { surface, caller }: Context,
  ): Promise<void> => {
    const asked = network ?? guessNetwork(number);
    if (asked === undefined)
      return surface.say(
        problemCard({
          message: 'I cannot tell the network from this number. Add the network:',
          example: exampleOn(number, 'MTN'),
        }),
      );
    const spent = spendQuestion(services, caller);
    if (spent !== undefined) return surface.say(spent);
    const outcome = await gateway.lookUpAccount({ number, network: asked });
    await surface.whisper(lookupCard(number, asked, outcome));
  };

  const submit = async (answers: Answers, context: Context): Promise<void> => {
    const number = parseCustomerNumber(answers['number'] ?? '', settings.country);
    if (!number.ok) return context.surface.say(problemCard(number.problem));
    const network = WALLETS.find((code) => code === answers['network']);
    await lookUp(number.value.e164, network, context);
  };

  return {
    name: 'lookup',
    summary: 'See whose account a number is',
    deed: 'look up accounts',
    usage: '<number> [network]',
    examples: ['0244123456', '0201234567 telecel'],
    form,
    run: async (words, context) => {
      const typed = parseLookup(words, settings);
      if (!typed.ok)
        return context.surface.say(problemCard(typed.problem, '/lookup <number> [network]'));
      const { number, network } = typed.value;
      if (number !== undefined) return lookUp(number.e164, network, context);
      await context.surface.ask(form, network === undefined ? {} : { network });
    },
    submit,
  };
};

/** What to type to look on that network. */
const exampleOn = (number: string, network: NetworkCode): string => {
  const [brand = ''] = networkLabel(network).toLowerCase().split(' ');
  return `/lookup ${showNumber(number).replaceAll(' ', '')} ${brand}`;
};

const otherThan = (network: NetworkCode): NetworkCode => (network === 'MTN' ? 'VOD' : 'MTN');

const lookupCard = (number: string, network: NetworkCode, outcome: LookupOutcome): Card => {
  const title = `${showNumber(number)} on ${networkLabel(network)}`;
  switch (outcome.kind) {
    case 'found':
      return {
        title,
        tone: outcome.status === 'active' ? 'good' : 'warning',
        parts: [
          {
            kind: 'facts',
            facts: [
              { label: 'Name', value: outcome.name },
              { label: 'Status', value: maskPhones(outcome.status) || 'not available' },
              {
                label: 'Type',
                value: maskPhones(outcome.type.replaceAll('_', ' ')) || 'not available',
              },
            ],
          },
        ],
      };
    case 'notFound':
      return {
        title,
        tone: 'warning',
        parts: [
          {
            kind: 'text',
            text: ['There is no account for this number.', saidText(outcome.answer)]
              .filter((text) => text !== undefined)
              .join(' '),
          },
          { kind: 'text', text: 'The customer may have moved to another network. Try:' },
          { kind: 'example', text: exampleOn(number, otherThan(network)) },
        ],
      };
    case 'rateLimited':
    case 'refused':
    case 'noAnswer':
      return { title, tone: 'bad', parts: [{ kind: 'text', text: noAnswerText(outcome) }] };
    default:
      return assertNever(outcome);
  }
};
