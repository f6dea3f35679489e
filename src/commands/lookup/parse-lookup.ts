import { type Parsed, type Problem, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { isCard, type NetworkCode, networkLabel, parseNetwork } from '../../core/values/network.ts';
import { plainText, quoted } from '../../core/values/normalise-input.ts';
import { leadingNumbers, numberProblem, writeWithoutSpaces } from '../leading-number.ts';

/** What was typed after `/lookup`. */
export type LookupParts = {
  readonly number?: CustomerNumber;
  readonly network?: NetworkCode;
};

/** Reads `<number> [network]`. */
export const parseLookup = (
  words: string,
  { country }: { country: string },
): Parsed<LookupParts> => {
  const result = readLookup(plainText(words), country);
  return result.ok ? result : { ok: false, problem: withExample(result.problem) };
};

const withExample = (problem: Problem): Problem => ({
  example: '/lookup 0244123456 mtn',
  ...problem,
});

const readLookup = (text: string, country: string): Parsed<LookupParts> => {
  if (text === '') return parsed({});
  if (hasCardNumber(text)) return neverTypeCards();
  const words = text.split(' ');
  const readings = leadingNumbers(words, country).map(({ number, rest }) => {
    const network = readNetwork(rest);
    return network.ok ? parsed({ number, ...network.value }) : network;
  });
  const good = readings.filter((reading) => reading.ok);
  if (good.length > 1) return writeWithoutSpaces();
  const [reading = readWithoutNumber(words, country)] = [...good, ...readings];
  return reading;
};

/** A network alone is a beginning; a form asks for the number. */
const readWithoutNumber = (words: readonly string[], country: string): Parsed<LookupParts> => {
  const network = readNetwork(words);
  return network.ok ? network : { ok: false, problem: numberProblem(words, country) };
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
