import type { InForce } from '../../core/notices/notify-rules.ts';
import type { Branch } from '../../core/records/branches.ts';
import {
  fits,
  LEVELS,
  type Level,
  type MirrorRule,
  type NotifyRule,
  placeKey,
  tells,
} from '../../core/records/notify-rules.ts';
import { hasEnd, type Payment } from '../../core/records/payment.ts';
import { everyPayment } from '../../core/store/store.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { formatMoney } from '../../core/values/money.ts';
import {
  type Card,
  type CardPart,
  cardOf,
  joined,
  part,
  pressButton,
  problemCard,
  sentenceCase,
} from '../cards/card.ts';
import { paymentLine } from '../cards/payment-line.ts';
import { type CommandRecord, type Context, inPlace, momentOf, type Services } from '../command.ts';
import { sayMisread } from '../forms/words-form.ts';
import type { Caller } from '../inbound.ts';
import { ofMerchantAt } from '../merchants.ts';

/** `/notify`: what this conversation is told, and setting it here. */
export const notifyCommand = (services: Services): CommandRecord => {
  const set = async (level: Level, { caller }: Context): Promise<Card> => {
    await services.notify.set(caller.conversation, level, caller);
    return inForceCard(services, caller);
  };
  return {
    summary: 'Choose which results are posted here',
    deed: 'choose the messages here',
    usage: '[all|problems|none|test]',
    examples: ['', 'problems', 'test'],
    run: async (words, context) => {
      const { surface, caller } = context;
      const word = words.trim().toLowerCase();
      if (word === '') return surface.say(await inForceCard(services, caller));
      if (word === 'test') return surface.say(await notifyTestCard(services, caller.conversation));
      const level = levelIn(word);
      await (level === undefined
        ? sayMisread(services, context, ['notify', words], WRONG_WORD)
        : surface.say(await set(level, context)));
    },
    presses: {
      notify: inPlace(async (word, context) => {
        const level = levelIn(word);
        return level === undefined ? problemCard(WRONG_WORD) : set(level, context);
      }),
    },
  };
};

const levelIn = (word: string): Level | undefined => LEVELS.find((level) => level === word);

const TOLD: Readonly<Record<Level, string>> = {
  all: 'I post every outcome under its card.',
  problems: 'I post outcomes under their cards, but not completed payments.',
  none: 'I post no outcomes. Look at the cards.',
};

const inForceCard = async (services: Services, { conversation }: Caller): Promise<Card> => {
  const inForce = await services.notify.inForce(conversation);
  const { level, mirrors } = inForce;
  return cardOf(
    `Messages here: ${level}`,
    [
      part.text(TOLD[level]),
      mirrors.length > 0 && part.text('Payments of other chats that I post here:'),
      part.list(mirrors.map(ruleText)),
      part.note(chosenText(inForce)),
    ],
    {
      buttons: LEVELS.filter((other) => other !== level).map((other) =>
        pressButton(sentenceCase(other), 'notify', other),
      ),
    },
  );
};

const chosenText = ({ by, isInFile }: InForce): string => {
  if (by === undefined) return isInFile ? 'From the access file.' : 'Default.';
  const instead = isInFile ? 'This replaces the access file.' : undefined;
  return joined(`${by.name} chose this here.`, instead);
};

const WRONG_WORD = {
  message: 'Choose all, problems or none. Or test to see what each posts.',
  example: '/notify problems',
};

const LOOK_BACK_MS = 7 * 24 * 3_600_000;
/** How many payments are looked at: a few seconds' work. */
const MOST_PAYMENTS = 20_000;
const EXAMPLES = 3;

/** `/notify test`: how many messages each rule would have made in the last seven days, with examples. */
const notifyTestCard = async (services: Services, here: Conversation): Promise<Card> => {
  const { notify, clock, store, settings } = services;
  const payments: Payment[] = [];
  const filter = {
    sinceMs: clock.now() - LOOK_BACK_MS,
    ...ofMerchantAt(settings, { conversation: here }),
  };
  for await (const payment of everyPayment(store, filter))
    if (payments.push(payment) >= MOST_PAYMENTS) break;
  const { level } = await notify.inForce(here);
  const ended = payments.filter((payment) => isIn(here, payment) && hasEnd(payment));
  const told = (each: Level) => ended.filter((payment) => tells(each, payment));
  return cardOf('Messages sent in 7 days', [
    part.text('Under the cards in this conversation:'),
    part.list(LEVELS.map((each) => `${each}: ${messages(told(each).length)}`)),
    told(level).length > 0 && part.text(`With ${level}, for example:`),
    examplesOf(services, told(level)),
    ...(await mirrorParts(services, payments, here)),
    payments.length >= MOST_PAYMENTS &&
      part.note(`These are the last ${MOST_PAYMENTS.toLocaleString('en-GB')} payments.`),
  ]);
};

/** Each rule of the access file that tells payments elsewhere, with its messages. */
const mirrorParts = async (
  services: Services,
  payments: readonly Payment[],
  here: Conversation,
): Promise<CardPart[]> => {
  const { notify } = services;
  const { notify: rules, branches } = notify.rules;
  const parts = rules.map(async ({ place, mirror }) => {
    if (mirror === undefined) return [];
    const { level } = await notify.inForce(place);
    const found = payments.filter(
      (payment) =>
        !isIn(place, payment) &&
        notify.concerns(place, payment) &&
        everFit(mirror, payment, branches) &&
        tells(level, payment),
    );
    const where = placeKey(place) === placeKey(here) ? 'Also posted here' : placeKey(place);
    const title = `${where}, ${ruleText(mirror)}: ${messages(found.length)}`;
    return [part.text(title), examplesOf(services, found)];
  });
  return (await Promise.all(parts)).flat();
};

const isIn = (place: NotifyRule['place'], { conversation }: Payment): boolean =>
  placeKey(conversation) === placeKey(place);

/** Whether a payment was told at some time: one that ended was pending before. */
const everFit = (rule: MirrorRule, payment: Payment, branches: readonly Branch[]): boolean =>
  fits(rule, payment, branches) ||
  (payment.submittedAtMs !== undefined && fits(rule, { ...payment, state: 'pending' }, branches));

const messages = (count: number): string => `${count} ${count === 1 ? 'message' : 'messages'}`;

const examplesOf = (services: Services, payments: readonly Payment[]): CardPart => {
  const view = { moment: momentOf(services), audience: 'others too' } as const;
  return part.list(payments.slice(0, EXAMPLES).map((payment) => paymentLine(payment, view)));
};

/** `completed: from GHS 500.00, failed: all, branch Osu` */
const ruleText = ({ states, branch, person }: MirrorRule): string =>
  [
    ...Object.entries(states).map(
      ([state, from]) => `${state}: ${from === 'all' ? from : `from ${formatMoney(from)}`}`,
    ),
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(person === undefined ? [] : [`person ${person}`]),
  ].join(', ');
