import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sentencesOf, type Words, wordCount, wordsIn } from './support/shown-sentences.ts';

/** Where the sentences are that people read in a chat. */
const CHATS = [
  'src/commands/**/*.ts',
  'src/bots/*.ts',
  'src/bots/*/!(doctor|settings).ts',
  'src/core/{gateway,payments,sms}/**/*.ts',
  'src/core/guards/suspensions.ts',
  'src/core/values/{card-number,customer-number,money,period}.ts',
];
/** And those of the shell's commands, read by operators. */
const SHELL = [
  'src/cli/**/*.ts',
  'src/app/{create-bots,program}.ts',
  'src/bots/*/{doctor,settings}.ts',
  'src/core/recovery/reconciliation.ts',
];

const MOST_WORDS = 12;

const RULES: readonly { readonly wanted: string; readonly broken: RegExp }[] = [
  { wanted: 'a name for the one who acts', broken: /\b(somebody|someone else|whoever|anybody)\b/i },
  { wanted: 'what is not clear, and what to do', broken: /\bno one knows\b/i },
  { wanted: 'ordinary words', broken: /\b(it stands|stands there|anew|ported)\b/i },
  {
    wanted: 'posted, sent, said or alerted; no one; no longer; works or is valid',
    broken:
      /\b(told|nobody|go(es|ing)? on|no more|stands)\b|\bcounts (here|there|no more|instead)\b|\b(it|this|role|access) counts\b/i,
  },
  { wanted: 'the payment service, or the name of the network', broken: /\bthe service\b/i },
];

const wordsOf = (patterns: readonly string[]): Words[] =>
  globSync([...patterns])
    .sort()
    .flatMap((path) => wordsIn(path));

const broken = (words: readonly Words[]): string[] =>
  RULES.flatMap((rule) =>
    words
      .filter(({ text }) => rule.broken.test(text))
      .map(({ path, text }) => `${path}: "${text}" wants ${rule.wanted}`),
  );

const tooLong = (words: readonly Words[]): string[] =>
  words
    .flatMap(({ path, text }) => sentencesOf(text).map((sentence) => ({ path, sentence })))
    .filter(({ sentence }) => wordCount(sentence) > MOST_WORDS)
    .map(({ path, sentence }) => `${path}: "${sentence}"`);

describe('every sentence that people read', () => {
  it.each([...CHATS, ...SHELL])('is looked for where there are files: %s', (pattern) => {
    expect(globSync(pattern).length).toBeGreaterThan(0);
  });

  it('names who acts, in ordinary words', () => {
    expect(broken(wordsOf([...CHATS, ...SHELL]))).toEqual([]);
  });

  it('has at most 12 words in a chat', () => {
    expect(tooLong(wordsOf(CHATS))).toEqual([]);
  });
});

describe('the rules notice', () => {
  const source = (text: string) => wordsIn('a.ts', `const card = plainCard(${text});`);

  it.each([
    "'Somebody who may approve has been asked.'",
    "'Ask whoever runs Paythread.'",
    "'Nobody knows yet.'",
    "'The service says no.'",
    "'It was refused by the service.'",
    `\`\${reason} Ask the service about \${id}.\``,
    "'The number may have been ported.'",
    "'The outcome is told under it.'",
    "'Nobody has chosen yet.'",
    "'Charges go on.'",
    "'Your access counts no more.'",
    "'It counts here.'",
  ])('%s', (text) => {
    expect(broken(source(text))).toHaveLength(1);
  });

  it('a sentence of 13 words, and count what is filled in as one', () => {
    const twelve = `\`You see how this goes on until it has \${number} words.\``;
    expect(tooLong(source(twelve))).toEqual([]);
    expect(tooLong(source(twelve.replace('words', 'good words')))).toEqual([]);
    expect(tooLong(source(twelve.replace('words', 'very good words')))).toHaveLength(1);
  });

  it('nothing in what the log or an exception says', () => {
    const text = "'somebody asked the service'";
    for (const code of [
      `this.#log.warn({}, ${text});`,
      `log.info(${text});`,
      `logRefusal(log, context, ${text});`,
      `throw new RangeError(${text});`,
      `type A = ${text};`,
    ])
      expect(broken(wordsIn('a.ts', code))).toEqual([]);
    expect(broken(wordsIn('a.ts', `say(${text});`))).not.toEqual([]);
  });
});
