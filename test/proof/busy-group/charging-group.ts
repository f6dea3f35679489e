import type { SimPress } from '../../support/telegram/account-methods.ts';
import type { Chat } from '../../support/telegram/chat.ts';
import type { SimMessage } from '../../support/telegram/message.ts';
import type { Person } from '../../support/telegram/person.ts';

const PRESSED_AFTER_MS = 2_000;

type Plan = {
  readonly name: string;
  readonly charges: number;
  readonly everyMs: number;
  /** Of the first charge; the next ones ask for one more each, so that an amount names a charge. */
  readonly firstAmount: number;
  /** The last two digits, by which the sandbox answers. */
  readonly ending: string;
};

type Charge = {
  readonly amount: string;
  readonly seller: Person;
  readonly typedAtMs: number;
  question?: SimMessage;
  pressAtMs?: number;
  press?: SimPress;
  pressedAtMs?: number;
  pressAnsweredAtMs?: number;
};

/** What a charge cost and how long people waited, in ms; infinite where something never came. */
export type ChargeFigures = {
  readonly asked: number;
  readonly answered: number;
  readonly requested: number;
  readonly told: number;
  /** Messages and edits that the group took. */
  readonly writes: number;
  /** One question that became the card of the end, without its own buttons, and one outcome. */
  readonly isWhole: boolean;
};

/** Sellers who charge in a group of their own, at a steady pace, and press what they are asked. */
export class ChargingGroup {
  readonly plan: Plan;
  readonly group: Chat;
  readonly charges: Charge[] = [];
  readonly #sellers: readonly Person[];
  readonly #startedMs = Date.now();

  constructor(plan: Plan, group: Chat, sellers: readonly Person[]) {
    this.plan = plan;
    this.group = group;
    this.#sellers = sellers;
  }

  /** Types and presses what is due. */
  act(): void {
    const nowMs = Date.now();
    const { charges, everyMs } = this.plan;
    const typed = this.charges.length;
    if (typed < charges && nowMs - this.#startedMs >= typed * everyMs) this.#type(nowMs);
    for (const charge of this.charges) this.#follow(charge, nowMs);
  }

  /** `requestedAtMs`: when the payment service was asked for an amount. `settlesMs`: after which it has an end. */
  figures(requestedAtMs: (amount: string) => number, settlesMs: number): ChargeFigures[] {
    return this.charges.map(({ amount, question, typedAtMs, ...charge }) => {
      const { pressedAtMs = Number.NaN, pressAnsweredAtMs, press } = charge;
      const requestedMs = requestedAtMs(amount);
      const outcomes = this.outcomes.filter(({ text }) => text.includes(`GHS ${amount}`));
      const asked = this.questions.filter(({ versions }) => versions[0]?.text.includes(amount));
      const labels = question?.buttons.flat() ?? [];
      return {
        asked: (question?.dateMs ?? Number.POSITIVE_INFINITY) - typedAtMs,
        answered:
          press?.answer === ''
            ? Number.POSITIVE_INFINITY
            : (pressAnsweredAtMs ?? Number.NaN) - pressedAtMs,
        requested: requestedMs - pressedAtMs,
        told: (outcomes[0]?.dateMs ?? Number.POSITIVE_INFINITY) - requestedMs - settlesMs,
        writes: [...asked, ...outcomes].reduce((sum, { versions }) => sum + versions.length, 0),
        isWhole:
          asked.length === 1 &&
          outcomes.length === 1 &&
          question?.text.includes('completed') === true &&
          !labels.some((label) => label.startsWith('Charge GHS') || label === 'Cancel'),
      };
    });
  }

  get questions(): SimMessage[] {
    return this.group.fromBot.filter(({ versions }) =>
      /Charge GHS .*\?/.test(versions[0]?.text ?? ''),
    );
  }

  get outcomes(): SimMessage[] {
    return this.group.fromBot.filter(({ text }) => /: completed/.test(text));
  }

  /** Which charge each question, and each outcome, was about, in the order in which they came. */
  get orders(): readonly (readonly number[])[] {
    const first = this.questions.map(({ versions }) => versions[0]?.text ?? '');
    return [first, this.outcomes.map(({ text }) => text)].map((texts) =>
      texts.map((text) => this.charges.findIndex(({ amount }) => text.includes(`GHS ${amount}`))),
    );
  }

  #type(nowMs: number): void {
    const at = this.charges.length;
    const seller = this.#sellers[at % this.#sellers.length];
    if (seller === undefined) throw new Error('a group without sellers');
    const whole = this.plan.firstAmount + at;
    const amount = `${whole}.00`;
    this.charges.push({ amount, seller, typedAtMs: nowMs });
    seller.type(this.group, `/charge 024${41_000 + whole}${this.plan.ending} ${amount} GHS`);
  }

  #follow(charge: Charge, nowMs: number): void {
    const { amount, seller, question, press } = charge;
    if (question === undefined) {
      const found = this.questions.find(({ text }) => text.includes(`Charge GHS ${amount}?`));
      if (found === undefined) return;
      charge.question = found;
      charge.pressAtMs = nowMs + PRESSED_AFTER_MS;
    } else if (press === undefined) {
      if (nowMs < (charge.pressAtMs ?? 0)) return;
      charge.pressedAtMs = nowMs;
      charge.press = seller.press(question, `Charge GHS ${amount}`, { version: 0 });
    } else if (press.answer !== undefined) charge.pressAnsweredAtMs ??= nowMs;
  }
}
