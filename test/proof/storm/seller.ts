import { setTimeout as sleep } from 'node:timers/promises';
import { amountText, type Charge, type ChargeBook } from './charges.ts';
import type { Dice } from './dice.ts';

/** A person at a keyboard, on whatever platform. */
export interface Keyboard {
  readonly platform: string;
  /** The chat in which this person works. */
  readonly place: string;
  type(words: string): Promise<void>;
  /** The question about this amount as it reads now, or what took its place; undefined while there is none. */
  question(amount: string): string | undefined;
  press(amount: string): Promise<void>;
  /** Both presses under way at the same time. */
  pressTwice(amount: string): Promise<void>;
  /** The same for Charge and Cancel: whichever comes first counts. */
  pressBoth(amount: string): Promise<void>;
  /** The platform delivers something again that was delivered long ago. */
  redeliverSomething(): void;
}

const LOOK_EVERY_MS = 100;
/** After these a person tries again. */
const QUESTION_WITHIN_MS = 15_000;
const ANSWERED_WITHIN_MS = 12_000;
const MOST_PRESSES = 8;

/** Or the question has become the payment card. */
const ACCEPTED =
  /Already confirmed|GHS [\d,.]+ (being sent|pending|completed|failed|unknown)|was taken away/;
const CANCELLED = /Cancelled|Already cancelled/;
/** Until the answer to the second of two presses is there as well. */
const SECOND_ANSWER_MS = 1_000;

/** Types a charge, presses its button until it counts, rests, and begins anew; until `over` aborts. */
export const sell = async (
  keyboard: Keyboard,
  { book, dice, restMs, over }: { book: ChargeBook; dice: Dice; restMs: number; over: AbortSignal },
): Promise<void> => {
  const rest = (ms: number) => sleep(Math.max(0, ms), undefined, { signal: over }).catch(() => {});
  // Nobody in a shop waits for the others to begin.
  await rest(dice.between(0, restMs));
  while (!over.aborted) {
    const startedMs = Date.now();
    await chargeOnce(keyboard, book.open(keyboard), dice);
    if (dice.chance(0.08)) keyboard.redeliverSomething();
    await rest(restMs * dice.between(0.7, 1.3) - (Date.now() - startedMs));
  }
};

const chargeOnce = async (keyboard: Keyboard, charge: Charge, dice: Dice): Promise<void> => {
  const amount = amountText(charge.amountMinor);
  await keyboard.type(`/charge ${charge.customerNumber} ${amount}`);
  const isAsked = () => keyboard.question(amount) !== undefined;
  // Lost with the instance that had it: typed again, as another charge. Now and then somebody thinks better of it.
  if (!(await until(isAsked, QUESTION_WITHIN_MS)) || dice.chance(0.04)) return;
  while (charge.presses < MOST_PRESSES) {
    charge.presses += 1;
    charge.pressedAtMs ??= Date.now();
    await pressSomehow(keyboard, amount, dice);
    const isAnswered = () => note(charge, keyboard.question(amount) ?? '');
    if (!(await until(isAnswered, ANSWERED_WITHIN_MS))) continue;
    await sleep(SECOND_ANSWER_MS);
    isAnswered();
    return;
  }
};

const pressSomehow = (keyboard: Keyboard, amount: string, dice: Dice): Promise<void> => {
  if (dice.chance(0.12)) return keyboard.pressTwice(amount);
  return dice.chance(0.08) ? keyboard.pressBoth(amount) : keyboard.press(amount);
};

/** Whether the person sees what became of the press. */
const note = (charge: Charge, shown: string): boolean => {
  if (ACCEPTED.test(shown)) charge.acceptedAtMs ??= Date.now();
  if (CANCELLED.test(shown)) charge.cancelledAtMs ??= Date.now();
  return charge.acceptedAtMs !== undefined || charge.cancelledAtMs !== undefined;
};

const until = async (condition: () => boolean, withinMs: number): Promise<boolean> => {
  const deadlineMs = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > deadlineMs) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
};
