import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { plainText } from '../../core/values/normalise-input.ts';

const LONGEST = 200;

/** What a person wrote in their own words, such as a reason: on one line, 200 characters at most. */
export const ownWords = (typed: string): Parsed<string> => {
  const words = plainText(typed);
  if (words === '') return wrong('Please fill this in.');
  return words.length > LONGEST ? wrong(`Use ${LONGEST} characters at most.`) : parsed(words);
};
