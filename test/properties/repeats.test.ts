import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Button, Card } from '../../src/commands/cards/card.ts';
import type { Payment } from '../../src/core/records/payment.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { Person } from '../../src/core/values/conversation.ts';
import { cardText } from '../support/card-text.ts';
import { check } from '../support/check.ts';
import { type Desk, openDesk } from '../support/desk.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { MemoryMachine } from '../support/memory-machine.ts';
import { statusOf } from '../support/stub-gateway.ts';

const PEOPLE: readonly Person[] = ['ama', 'kofi'].map((name) => ({
  ...{ platform: 'slack', id: `U0${name.toUpperCase()}`, name },
}));
const CUSTOMERS = [0, 1, 2, 3, 4];
/** Its payments fail, so it may be asked again without a warning. */
const FAILING = 4;
const numberOf = (customer: number): string => `02441234${50 + customer}`;

const who = fc.nat(PEOPLE.length - 1);
/** Which of the cards shown so far, from the newest on. */
const at = fc.nat(5);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('file' as const),
      ...{ who, copy: fc.nat(3) },
      customers: fc.subarray(CUSTOMERS, { minLength: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      ...{ who, customer: fc.constantFrom(...CUSTOMERS) },
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({ kind: fc.constant('press' as const), at, button: fc.nat(3) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('together' as const), at, other: at }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('steer' as const),
      label: fc.constantFrom('Pause', 'Resume', 'Stop', 'Ask again'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, 2, 10),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Shown = { readonly card: Card; readonly person: Person };

/** What the card said that confirmed a draft, with its button. */
type Confirming = { readonly label: string; readonly text: string };

/** A shop on two instances, where files and typed charges are shown, pressed and asked again in any order. */
class Shop {
  readonly #machine = new MemoryMachine();
  readonly #clock: ManualClock = this.#machine.clock;
  readonly #shown: Shown[] = [];
  readonly #confirmedBy = new Map<string, Confirming>();
  #store!: Store;
  #desks!: readonly [Desk, Desk];

  async open(): Promise<void> {
    this.#store = await this.#machine.start();
    const desk = (): Desk => {
      const opened = openDesk(this.#store, this.#clock);
      opened.gateway.onStatus = async (id) => {
        const payment = await this.#store.get('payment', id);
        const fails = payment?.terms.customerNumber.endsWith(String(50 + FAILING));
        return statusOf(id, fails ? 'failed' : 'completed');
      };
      return opened;
    };
    this.#desks = [desk(), desk()];
    for (const each of this.#desks) await each.engine.start();
  }

  async close(): Promise<void> {
    for (const each of this.#desks) await each.engine.stop();
    await this.#store.close();
  }

  async take(next: Step): Promise<void> {
    const [desk, other] = this.#desks;
    switch (next.kind) {
      case 'file': {
        const person = PEOPLE[next.who] as Person;
        const rows = next.customers.map((customer) => `${numberOf(customer)},50`);
        const bytes = ['number,amount', ...rows, ...'\n'.repeat(next.copy)].join('\n');
        return this.#show(person, await desk.send(person, { name: 'dues.csv', bytes }));
      }
      case 'type': {
        const person = PEOPLE[next.who] as Person;
        const words = `${numberOf(next.customer)} 50`;
        return this.#show(person, await other.type(person, 'charge', words));
      }
      case 'press':
        return this.#press(desk, next.at, next.button);
      case 'together':
        await Promise.all([this.#press(desk, next.at, 0), this.#press(other, next.other, 0)]);
        return;
      case 'steer':
        return this.#steer(next.label);
      case 'wait':
        return this.pass(next.seconds);
    }
  }

  async pass(seconds: number): Promise<void> {
    for (let tick = 0; tick < seconds * 2; tick++) await this.#clock.advance(500);
  }

  #show(person: Person, cards: readonly Card[]): void {
    for (const card of cards) if (card.buttons?.length) this.#shown.push({ card, person });
  }

  async #press(desk: Desk, at: number, which: number): Promise<void> {
    const shown = this.#shown.at(-1 - (at % Math.max(1, this.#shown.length)));
    const buttons = (shown?.card.buttons ?? []).filter((button) => button.kind === 'press');
    const button = buttons[which % Math.max(1, buttons.length)];
    if (shown === undefined || button === undefined) return;
    await this.#pressOn(desk, shown, button);
  }

  async #pressOn(desk: Desk, { card, person }: Shown, button: Button): Promise<void> {
    if (button.kind !== 'press') return;
    this.#show(person, await desk.press(person, card, button.label));
    const [draftId = ''] = button.id.split('.');
    const draft = await this.#store.get('draft', draftId);
    // Of two presses at once on one draft either confirmed it; they carry the same question.
    if (draft?.status === 'done' && !this.#confirmedBy.has(draftId))
      this.#confirmedBy.set(draftId, { label: button.label, text: cardText(card) });
  }

  /** Presses a button of the newest run that has it. */
  async #steer(label: string): Promise<void> {
    for (const desk of this.#desks) {
      const cards = [...desk.posted.map(({ card }) => card), ...desk.edited].reverse();
      const card = cards.find(({ buttons = [] }) => buttons.some((each) => each.label === label));
      const button = card?.buttons?.find((each) => each.label === label);
      if (card === undefined || button === undefined) continue;
      return this.#pressOn(desk, { card, person: PEOPLE[0] as Person }, button);
    }
  }

  /** Customers who were asked a second time by a press whose card did not say so. */
  async wrong(): Promise<string[]> {
    const { payments } = await this.#store.listPayments({}, { limit: 500 });
    const sent = this.#desks.flatMap(({ gateway }) => gateway.sent);
    const unwarned: Payment[] = [];
    for (const payment of payments) if (!(await this.#wasWarned(payment))) unwarned.push(payment);
    const byCustomer = Map.groupBy(
      unwarned.filter(({ id }) => sent.some(({ transactionId }) => transactionId === id)),
      ({ terms }) => terms.customerNumber,
    );
    const twice = [...byCustomer]
      .filter(([number, same]) => !number.endsWith(String(50 + FAILING)) && same.length > 1)
      .map(([number, same]) => `${number} was asked ${same.length} times without a warning`);
    const ids = sent.map(({ transactionId }) => transactionId);
    return new Set(ids).size === ids.length ? twice : [...twice, 'one payment was sent twice'];
  }

  async #wasWarned({ id, bulk }: Payment): Promise<boolean> {
    if (bulk === undefined) {
      const audit = await this.#store.auditOf(id);
      const draftId = audit.find(({ kind }) => kind === 'draft')?.detail?.['draft'];
      return this.#confirmedBy.get(String(draftId))?.label.includes('again') === true;
    }
    const run = await this.#store.get('bulk', bulk.run);
    const confirming = this.#confirmedBy.get(run?.draftId ?? '');
    if (confirming?.label.includes('again') !== true) return false;
    return new RegExp(`Rows? [^:.]*\\b${bulk.row}\\b[^:.]*repeats? `).test(confirming.text);
  }
}

describe('two files, typed charges and Ask again in any order, on two instances', {
  tags: ['F63'],
}, () => {
  it('ask no customer twice for the same without a press that says so', () =>
    check(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 30 }), async (steps) => {
        const shop = new Shop();
        await shop.open();
        for (const each of steps) await shop.take(each);
        await shop.pass(40);
        expect(await shop.wrong()).toEqual([]);
        await shop.close();
      }),
      40,
    ));
});
