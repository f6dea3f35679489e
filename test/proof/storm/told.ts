import type { Said } from './shop.ts';

/** A payment card or an outcome, read from what stands in a chat. */
export type Told = {
  readonly kind: 'card' | 'outcome';
  readonly amountMinor: number;
  /** The state as people read it: `completed`, `being sent`, … */
  readonly word: string;
  /** Undefined: it has none, as an outcome of which nothing is wrong. */
  readonly transactionId: string | undefined;
  /** A person is asked to look into it. */
  readonly flagged: boolean;
  /** It says of itself that it may be there twice. */
  readonly apologises: boolean;
  readonly said: Said;
};

const CARD = /GHS (\d+\.\d\d) (being sent|pending|completed|failed|not sent|refused|unknown) · /;
/** `pending` is none, so it would be a mistake. */
const OUTCOME =
  /GHS (\d+\.\d\d) from .+: (?:unknown, then )?(pending|completed|failed|not sent|refused|unknown)/;
/** A card names its own first. */
const TRANSACTION = /\b([0-9A-HJKMNP-TV-Z]{16})\b/;
const FLAG = /A person should/;

/** Undefined: it is neither, such as a question or a hint. */
export const toldBy = (said: Said): Told | undefined => {
  const outcome = OUTCOME.exec(said.text);
  const [, cardAmount, cardWord] = CARD.exec(said.text) ?? [];
  const [, amount = cardAmount, word = cardWord] = outcome ?? [];
  if (amount === undefined || word === undefined) return undefined;
  return {
    kind: outcome === null ? 'card' : 'outcome',
    amountMinor: Math.round(Number(amount) * 100),
    word,
    transactionId: TRANSACTION.exec(said.text)?.[1] ?? said.details,
    flagged: FLAG.test(said.text),
    apologises: said.text.includes('Sent again'),
    said,
  };
};
