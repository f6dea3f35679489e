import type { Card } from '../../../src/commands/cards/card.ts';
import { cardText } from '../../support/card-text.ts';
import type { Message, SimulatedChat } from './chat.ts';
import { isMirror } from './habits.ts';

/** What a chat was told about one payment, at one moment, in one message. */
export type Told = {
  readonly transactionId: string;
  /** `mirror`: the card in a conversation that a rule names. */
  readonly kind: 'card' | 'outcome' | 'alert' | 'mirror';
  readonly word: string;
  /** A person is called. */
  readonly flagged: boolean;
  readonly atMs: number;
  readonly text: string;
  readonly message: Message;
  readonly platform: string;
  /** The first or only version of its message. */
  readonly isPost: boolean;
};

const STATE = '(being sent|pending|completed|failed|not sent|refused|unknown)';
const ALERT = new RegExp(`^(?:In conflict|Needs a person): GHS [\\d,.]+ ${STATE}$`);
const CARD = new RegExp(`^GHS [\\d,.]+ ${STATE} · `);
const OUTCOME = new RegExp(`^GHS [\\d,.]+ from .+: (?:[a-z ]+, then )?${STATE}(?: · .+)?$`);
const TRANSACTION = /\b[0-9A-HJKMNP-TV-Z]{16}\b/;
const FLAG = /person (must|should)/i;

/** Everything told about payments, in the order of time. */
export const allTold = (chats: readonly SimulatedChat[]): Told[] =>
  chats
    .flatMap(({ platform, messages }) =>
      messages.flatMap((message) =>
        message.said.flatMap(({ atMs, card }, index) => {
          const read = readCard(card, message.key);
          return read === undefined
            ? []
            : [
                {
                  ...read,
                  ...mirrored(platform, message),
                  atMs,
                  message,
                  platform,
                  isPost: index === 0,
                },
              ];
        }),
      ),
    )
    .sort((a, b) => a.atMs - b.atMs);

const mirrored = (platform: string, { channel }: Message): { kind: 'mirror' } | object =>
  isMirror(platform, channel) ? { kind: 'mirror' as const } : {};

type Read = Pick<Told, 'transactionId' | 'kind' | 'word' | 'flagged' | 'text'>;

/** Undefined: it is about something else. */
const readCard = (card: Card, key: string): Read | undefined => {
  const text = cardText(card);
  const transactionId = transactionOf(card, text, key);
  if (transactionId === undefined) return undefined;
  const flagged = FLAG.test(text);
  for (const [kind, title] of [
    ['card', CARD],
    ['outcome', OUTCOME],
    ['alert', ALERT],
  ] as const) {
    const word = title.exec(card.title)?.[1];
    if (word !== undefined) return { transactionId, kind, word, flagged, text };
  }
  return undefined;
};

/** A card's button has the id, an alert names it, an outcome is posted under it. */
const transactionOf = ({ buttons = [] }: Card, text: string, key: string): string | undefined => {
  const details = buttons.find((button) => button.kind === 'press' && button.verb === 'details');
  const id = details?.kind === 'press' ? details.id : undefined;
  return id ?? (TRANSACTION.exec(text) ?? TRANSACTION.exec(key))?.[0];
};
