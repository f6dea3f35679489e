import { quoted } from './reason-texts.ts';

/** Words for the person who pays and for what they pay with. */
const PAYER = '(?:payer|customer|subscriber|sender)';
const WALLET = `(?:${PAYER}|wallet|msisdn|(?:${PAYER}|wallet|momo|mobile money) account)`;
const NUMBER = '(?:^|; |the |this |mobile |phone |customer |wallet |subscriber |payer )number';
const IS = '(?: is| was| has been)?';

/** Where the service's words only repeat that it failed. */
export const NO_CAUSE = 'The payment service reported the payment as failed.';

const LATE = 'The customer did not approve in time.';

/**
 * Words by which networks name a cause on the customer's side, most telling first. Each names the customer,
 * the wallet or what only they do; a space matches any separator between words. Numbers are left out: they mean
 * something else at every service.
 */
const CAUSES: readonly (readonly [words: RegExp, sentence: string])[] = [
  [
    /(?:not enough|insufficient) (?:funds|money|balance)|low balance|balance (?:is )?too low|not have enough (?:funds|money|balance)/,
    "The customer's wallet does not have enough money. Ask them to top up, then ask again.",
  ],
  [
    new RegExp(
      `${WALLET}(?: \\w+){0,2} limit${IS} (?:reached|exceeded)|(?:exceeds|exceeded|reached|over|above) (?:the )?${WALLET}s?(?: \\w+){0,2} limit`,
    ),
    "The customer's wallet limit is reached. Ask for another number.",
  ],
  [
    new RegExp(
      `(?:${WALLET}|${NUMBER})${IS} not (?:found|registered)|no (?:such )?wallet|not a registered (?:wallet|subscriber|customer)`,
    ),
    'This number has no wallet on this network. The customer may have moved to another network.',
  ],
  [
    new RegExp(
      `${WALLET}${IS} (?:not active|inactive|blocked|barred|suspended|dormant|unreachable)|(?:inactive|blocked|barred|suspended|dormant) ${WALLET}|phone${IS} (?:switched )?off|(?:${PAYER}|phone)${IS} unreachable`,
    ),
    "The customer's wallet is blocked or the phone is off. Ask for another number.",
  ],
  [
    new RegExp(
      `(?:rejected|declined|cancelled|canceled|refused) by (?:the )?(?:${PAYER}|user)|(?:${PAYER}|user) (?:has )?(?:rejected|declined|cancelled|canceled|refused)|approval${IS} (?:rejected|declined|refused)|(?:wrong|invalid|incorrect) pin`,
    ),
    'The customer declined or typed a wrong PIN.',
  ],
  [
    new RegExp(
      `(?:approval|prompt|pin|ussd|confirmation)(?: session| request)?${IS} (?:expired|timed out|time ?out)`,
    ),
    LATE,
  ],
  [
    new RegExp(
      `(?:${PAYER}|user) (?:did not (?:approve|respond|confirm)|timed out|timeout)|not approved by (?:the )?${PAYER}|no pin`,
    ),
    LATE,
  ],
  // MTN's code for a prompt that ran out; as a part of a sentence it means anything.
  [/^could not perform transaction$/, LATE],
];

/** Who else a failure may be about. Then nothing is concluded about the customer. */
const OTHERS =
  /\b(?:merchant|shop|vendor|biller|payee|receiver|recipient|beneficiary|issuer|issuing|bank|cards?|acquirer|aggregator|partner|provider|operator|service|product|system|server|switch|gateway|float|sms|payout|collection|disbursement|settlement|api|permissions?|privileges?|credentials?|keys?|tokens?|duplicate)\b/;

/** The cause where the service's words name one on the customer's side, else its own words. For staff. */
export const failureReason = (message: string, word: string): string => {
  const said = [message, word].map(plain);
  const all = said.join(' ; ');
  const cause = OTHERS.test(all)
    ? undefined
    : CAUSES.find(([words]) => words.test(all) || said.some((text) => words.test(text)));
  return cause?.[1] ?? inItsWords(message, word);
};

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/'s\b/g, '')
    .replace(/[\s_-]+/g, ' ')
    .trim();

const inItsWords = (message: string, word: string): string => {
  // Callbacks name the same thing in several fields, which are read as one text.
  const parts = [...message.split(/: |; /), word].map((part) => part.trim());
  const news = parts.filter((part, at) => !isEcho(part) && !isSaidBefore(part, parts.slice(0, at)));
  return news.length === 0
    ? NO_CAUSE
    : `The payment service says: ${quoted({ message: news.join(': ') })}.`;
};

const isSaidBefore = (part: string, before: readonly string[]): boolean =>
  before.some((other) => ` ${wordsOf(other).join(' ')} `.includes(` ${wordsOf(part).join(' ')} `));

const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Words for the payment and for that it failed, or that the question about it was answered. */
const ECHO =
  /^(?:the|your|this|transaction|payment|request|status|query|record|was|is|has|been|have|not|success|successful|successfully|processed|completed|complete|retrieved|found|ok|okay|done|received|failed|failure|fail|unsuccessful|error)$/;

/** Says nothing about why. */
const isEcho = (text: string): boolean => {
  const words = wordsOf(text);
  return words.every((word) => ECHO.test(word)) && !words.join(' ').includes('not found');
};
