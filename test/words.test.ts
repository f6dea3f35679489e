import { globSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Card, cardOf, itemText, part } from '../src/commands/cards/card.ts';
import { outcomeCard, paymentCard } from '../src/commands/cards/payment-card.ts';
import { paymentLine } from '../src/commands/cards/payment-line.ts';
import { OPEN_STATES, type Payment, SETTLED_STATES } from '../src/core/records/payment.ts';
import { playScenes } from './pictures/scenes.ts';
import { aPayment } from './support/a-payment.ts';
import { isTooWide, linesWithoutSign, saidTwice } from './support/card-rules.ts';
import {
  sentencesOf,
  startErrorsIn,
  type Words,
  wordCount,
  wordsIn,
} from './support/shown-sentences.ts';

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
  'src/core/store/**/*.ts',
];

const MOST_WORDS = 12;

const RULES: readonly { readonly wanted: string; readonly broken: RegExp }[] = [
  { wanted: 'a name for the one who acts', broken: /\b(somebody|someone else|whoever|anybody)\b/i },
  { wanted: 'what is not clear, and what to do', broken: /\bno one knows\b/i },
  { wanted: 'ordinary words', broken: /\b(it stands|stands there|anew|ported)\b/i },
  {
    wanted: 'posted, sent, said or alerted; no one; no longer; works or is valid',
    broken:
      /\b(told|nobody|go(es|ing)? on|no more|stands)\b|\bcounts (as|here|there|no more|instead)\b|\b(it|this|role|access) counts\b/i,
  },
  { wanted: 'immediately, or at the same time', broken: /\bat once\b/i },
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
    const printed = globSync('src/**/*.ts').flatMap((path) => startErrorsIn(path));
    expect(printed.length).toBeGreaterThan(30);
    expect(broken([...wordsOf([...CHATS, ...SHELL]), ...printed])).toEqual([]);
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
    "'An empty value counts as unset.'",
    "'Stop a person at once.'",
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

  it('what a start that cannot be says', () => {
    const code = "throw new StartError('Drop it if nobody needs it.', EX_CONFIG);";
    expect(broken(wordsIn('a.ts', code))).toEqual([]);
    expect(broken(startErrorsIn('a.ts', code))).toHaveLength(1);
  });
});

/** A payment in each state, with each flag, of a customer whose name is shown in 14 letters. */
const inEachState: readonly Payment[] = [...OPEN_STATES, ...SETTLED_STATES].flatMap((state) =>
  ([undefined, 'needs a person', 'conflict'] as const).map((flag) =>
    aPayment({
      ...{ state, terms: { ...aPayment().terms, customerName: 'THEODORA-ELSIE BOATENG' } },
      ...(flag === undefined ? {} : { flag }),
    }),
  ),
);

describe('every card', () => {
  let cards: readonly Card[];

  beforeAll(async () => {
    const pictures = await playScenes();
    cards = pictures.flatMap((picture) => {
      if ('home' in picture) return picture.home;
      return 'messages' in picture
        ? picture.messages.flatMap(({ said }) => ('by' in said ? [] : [said]))
        : [];
    });
  }, 60_000);

  it('has a sign in front of each state in its lists', () => {
    expect(cards.length).toBeGreaterThan(30);
    expect(cards.flatMap(linesWithoutSign)).toEqual([]);
  });

  it('says no sentence twice', () => {
    const payments = inEachState.flatMap((payment) => [
      paymentCard(payment, 'UTC'),
      outcomeCard(payment, 'UTC'),
    ]);
    expect([...cards, ...payments].flatMap(saidTwice)).toEqual([]);
  });

  it('of a payment has a first line that fits a phone of 360 px, with a name of 14 letters', () => {
    expect(cardFor('completed').title).toBe('GHS 50.00 completed · Theodora-elsie B.');
    const tooWide = inEachState.map((payment) => paymentCard(payment, 'UTC')).filter(isTooWide);
    expect(tooWide.map(({ title }) => title)).toEqual([]);
  });

  it('of a payment has the sign of its state, and so has its line in a list', () => {
    const moment = { timeZone: 'UTC', nowMs: 0 };
    for (const payment of inEachState) {
      const line = itemText(paymentLine(payment, { moment, audience: 'others too' }));
      expect(line).toMatch(signFor(payment));
      expect(line).not.toMatch(/244|3456|01JD2M4X/);
    }
  });

  it('breaks a rule that is noticed', () => {
    const list = (...lines: string[]) => cardOf('Payments', [part.list(lines)]);
    expect(linesWithoutSign(list('GHS 50.00 failed · Ama'))).toHaveLength(1);
    expect(linesWithoutSign(list('❌ GHS 50.00 failed · Ama', '2 failed', '✅ GHS 5.00'))).toEqual(
      [],
    );
    const twice = cardOf('Refused', [
      part.text('Nothing was charged.'),
      part.note('Nothing was charged.'),
    ]);
    expect(saidTwice(twice)).toEqual(['Nothing was charged.']);
    const title = cardFor('completed').title;
    expect(isTooWide(cardOf(`${title} · by Ama`, [], { tone: 'good' }))).toBe(true);
  });
});

const cardFor = (state: Payment['state']): Card => {
  const payment = inEachState.find((each) => each.state === state && each.flag === undefined);
  if (payment === undefined) throw new Error(`no payment is ${state}`);
  return paymentCard(payment, 'UTC');
};

/** As the contract has them. */
const signFor = ({ state, flag }: Payment): RegExp => {
  if (flag === 'conflict') return /^⚠️ /;
  if (state === 'unknown') return /^❓ /;
  if (flag === 'needs a person') return /^⚠️ /;
  if (state === 'completed') return /^✅ /;
  return OPEN_STATES.includes(state) ? /^⏳ / : /^❌ /;
};
