import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { phoneForms } from '../../src/core/runtime/phone-forms.ts';
import { ourPatterns, type Pattern } from '../support/our-patterns.ts';

/** Of CPU time, which other programs do not use. A cubic pattern takes five times as long, a quadratic one a tenth. */
const MOST_MS = 1_000;
const LONG = 2_000;
/** Ends a search that would never end. */
const GIVE_UP_MS = 60_000;
/** Every text is tried in small; the slowest of a pattern are tried in full length. */
const SMALL = 24;
const SLOWEST = 5;
const OTHERS = [' ', '0', 'a', '/'];
const MOST_CHARS = 9;

it('no pattern of ours takes long over a long hostile text', {
  tags: ['T85'],
}, () => {
  const ofNumbers = ['GH', 'NG', 'US', 'BR'].flatMap(phoneForms).map(({ source, flags }) => ({
    path: 'phone-forms.ts',
    ...{ source, flags },
  }));
  const patterns = [...ourPatterns(), ...ofNumbers];
  expect(patterns.length).toBeGreaterThan(300);
  expect(patterns.flatMap(whySlow)).toEqual([]);
});

const whySlow = ({ path, source, flags }: Pattern): string[] => {
  const pattern = new RegExp(source, flags);
  const hangs = `${path}: /${source}/ does not come to an end`;
  try {
    const search = () => slowestOf(pattern).find((text) => cpuMsOf(pattern, text(LONG)) > MOST_MS);
    const text = runInNewContext('search()', { search }, { timeout: GIVE_UP_MS });
    return text === undefined ? [] : [`${path}: /${source}/ on ${JSON.stringify(text(3))}`];
  } catch {
    return [hangs];
  }
};

/** A text with two runs of one character in the place of what matches there. */
type Text = (length: number) => string;

const slowestOf = (pattern: RegExp): readonly Text[] =>
  textsFor(pattern)
    .map((text) => ({ text, ms: msOf(pattern, text(SMALL)) }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST)
    .map(({ text }) => text);

const textsFor = (pattern: RegExp): readonly Text[] => {
  const chars = charsOf(pattern);
  const pairs = chars.flatMap((one) => chars.map((other) => [one, other] as const));
  return beginningsFor(pattern).flatMap((before) =>
    pairs.map(
      ([one, other]) =>
        (length: number) =>
          `${before}${one.repeat(length)}${other.repeat(length)}\n\0`,
    ),
  );
};

/** Those that the pattern itself names are the ones that it stops at. */
const charsOf = ({ source }: RegExp): readonly string[] => {
  const named = source.replace(/\\[a-zA-Z](\{\w+\})?|[\\^$*+?()[\]{}|]/g, '');
  return [...new Set([...OTHERS, ...named.slice(-80)])].slice(0, MOST_CHARS);
};

/** What leads into each part of the pattern: the beginnings of texts that match. */
const beginningsFor = (pattern: RegExp): readonly string[] => {
  const matching = fc.sample(samplesOf(pattern), { numRuns: 3, seed: 1 });
  const cuts = [0, 1, 2, 3, 4, 5, 6, 8, 10, 14];
  return [...new Set(matching.flatMap((text) => cuts.map((cut) => text.slice(0, cut))))];
};

const samplesOf = (pattern: RegExp): fc.Arbitrary<string> => {
  // What repeats nothing takes no longer for what stands before it.
  if (!/[*+{]/.test(pattern.source)) return fc.constant('');
  try {
    return fc.stringMatching(pattern, { size: 'xsmall' });
  } catch {
    return fc.constant('');
  }
};

const msOf = (pattern: RegExp, text: string): number => {
  pattern.lastIndex = 0;
  const before = performance.now();
  pattern.test(text);
  return performance.now() - before;
};

const cpuMsOf = (pattern: RegExp, text: string): number => {
  const before = process.threadCpuUsage();
  msOf(pattern, text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};
