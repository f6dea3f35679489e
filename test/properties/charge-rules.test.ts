import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../src/bots/all-platforms.ts';
import type { Role } from '../../src/commands/access/access-file.ts';
import { readAccessFile } from '../../src/commands/access/access-file.ts';
import { grantsFrom } from '../../src/commands/access/grants.ts';
import { RIGHTS } from '../../src/commands/all-commands.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import type { Payment } from '../../src/core/records/payment.ts';
import type { Store } from '../../src/core/store/store.ts';
import { startOfDayMs } from '../../src/core/values/calendar-day.ts';
import type { Person } from '../../src/core/values/conversation.ts';
import { check } from '../support/check.ts';
import { type Desk, openDesk } from '../support/desk.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { MemoryMachine } from '../support/memory-machine.ts';

const PEOPLE: readonly Person[] = ['U0AMA', 'U0KOJO', 'U0EFUA'].map((id) => ({
  platform: 'slack',
  id,
  name: 'Ama',
}));
const ROLES = ['sales', 'branch', 'boss'];

const amount = fc.constantFrom(10, 40, 60, 100);
const role = fc.record(
  {
    commands: fc.constantFrom(['charge'], ['lookup'], '*'),
    maxCharge: amount,
    dailyLimit: amount,
    dailyTotal: amount,
    approve: fc.boolean(),
    admin: fc.boolean(),
  },
  { requiredKeys: ['commands'] },
);
const accessFile = fc.record({
  roles: fc.record({ sales: role, branch: role, boss: role }),
  members: fc.record(
    Object.fromEntries(
      ROLES.map((name) => [name, fc.subarray(PEOPLE.map(({ id }) => `slack:${id}`))]),
    ),
  ),
});
type AccessFile = typeof accessFile extends fc.Arbitrary<infer T> ? T : never;

const who = fc.nat(PEOPLE.length - 1);
/** `at`: which of the cards shown so far. */
const at = fc.nat(7);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), who, amount, number: fc.nat(2) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('press' as const), who, at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('crowd' as const),
      at,
      size: fc.integer({ min: 2, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('file' as const), file: accessFile }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('suspend' as const), who, whom: who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reinstate' as const), who, whom: who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 11, 1_440),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A shop on two instances, and what its rules are at the moment, read off the file and not off the program. */
class Shop {
  readonly #clock: ManualClock;
  readonly #cards: Card[] = [];
  readonly #known = new Set<string>();
  #file: AccessFile;
  #roles: readonly Role[] = [];
  readonly #suspended = new Set<string>();
  readonly #store: Store;
  readonly #desks: readonly [Desk, Desk];

  private constructor(file: AccessFile, clock: ManualClock, store: Store) {
    this.#file = file;
    this.#clock = clock;
    this.#store = store;
    const desk = () => openDesk(store, clock, ({ id }) => this.#grantsOf(id));
    this.#desks = [desk(), desk()];
  }

  static async open(file: AccessFile): Promise<Shop> {
    const machine = new MemoryMachine();
    const shop = new Shop(file, machine.clock, await machine.start());
    shop.#takeFile(file);
    return shop;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** What happens, and what is wrong with the charges that came of it. */
  async take(next: Step): Promise<string[]> {
    await this.#happen(next);
    const { payments } = await this.#store.listPayments({}, { limit: 200 });
    const fresh = payments.filter(({ id }) => !this.#known.has(id));
    for (const { id } of fresh) this.#known.add(id);
    return fresh.flatMap((payment) => this.#wrongWith(payment, payments));
  }

  async #happen(next: Step): Promise<void> {
    const [desk, other] = this.#desks;
    switch (next.kind) {
      case 'ask': {
        const words = `024412345${next.number} ${next.amount}`;
        this.#show(await desk.type(PEOPLE[next.who] as Person, 'charge', words));
        return;
      }
      case 'press':
        return this.#press(desk, next.at, PEOPLE[next.who] as Person);
      case 'crowd': {
        const crowd = Array.from({ length: next.size }, (_, index) => index);
        await Promise.all(
          crowd.flatMap((index) =>
            PEOPLE.map((person) =>
              this.#press(index % 2 === 0 ? desk : other, next.at + index, person),
            ),
          ),
        );
        return;
      }
      case 'file':
        return this.#takeFile(next.file);
      case 'suspend':
      case 'reinstate': {
        const [by, whom] = [PEOPLE[next.who] as Person, PEOPLE[next.whom] as Person];
        const may = this.#isAdmin(by.id) && (by !== whom || next.kind === 'reinstate');
        await other.type(by, next.kind, whom.id);
        if (may && next.kind === 'suspend') this.#suspended.add(whom.id);
        if (may && next.kind === 'reinstate') this.#suspended.delete(whom.id);
        return;
      }
      case 'wait':
        this.#clock.jump(next.minutes * 60_000);
    }
  }

  #show(cards: readonly Card[]): void {
    this.#cards.push(...cards.filter(({ buttons }) => buttons !== undefined));
  }

  async #press(desk: Desk, index: number, person: Person): Promise<void> {
    const card = this.#cards.at(-1 - (index % Math.max(1, this.#cards.length)));
    const [button] = card?.buttons ?? [];
    if (button?.kind !== 'press') return;
    this.#show(await desk.press(person, card, button.label));
    // What approvers are asked stands in a conversation of its own; they press what it carries.
    const approve = { ...button, verb: 'approve', label: `Approve ${button.label}` };
    if (card !== undefined && button.verb === 'charge')
      this.#show([{ ...card, buttons: [approve] }]);
  }

  #takeFile(file: AccessFile): void {
    const read = readAccessFile(JSON.stringify(file), {
      currency: 'GHS',
      platforms,
      rights: RIGHTS,
    });
    if (!read.ok) throw new Error(read.problems.join('; '));
    this.#file = file;
    this.#roles = read.roles;
  }

  #grantsOf(id: string) {
    const held = this.#roles.filter(({ members }) => members.some((member) => member.id === id));
    return grantsFrom(held, 'slack', RIGHTS);
  }

  #held(id: string) {
    return ROLES.filter((name) => this.#file.members[name]?.includes(`slack:${id}`)).map(
      (name) => ({
        name,
        ...this.#file.roles[name as keyof AccessFile['roles']],
      }),
    );
  }

  #isAdmin(id: string): boolean {
    return !this.#suspended.has(id) && this.#held(id).some(({ admin }) => admin === true);
  }

  #wrongWith(payment: Payment, all: readonly Payment[]): string[] {
    const { requester, approver, terms, countedFor } = payment;
    const cedis = terms.amount.amountMinor / 100;
    const charging = this.#held(requester.id).filter(
      ({ commands }) => commands === '*' || commands.includes('charge'),
    );
    const wrong: string[] = [];
    if (charging.length === 0) wrong.push(`${requester.id} may not charge`);
    if (this.#suspended.has(requester.id)) wrong.push(`${requester.id} is suspended`);
    const needs = charging.every(({ maxCharge }) => maxCharge !== undefined && maxCharge < cedis);
    if (needs && !this.#mayApprove(approver, requester)) wrong.push(`nobody approved ${cedis}`);
    const today = all.filter(
      ({ confirmedAtMs }) => confirmedAtMs >= startOfDayMs(this.#clock.now(), 'Africa/Accra'),
    );
    const sum = (which: (one: Payment) => boolean) =>
      today.filter(which).reduce((total, one) => total + one.terms.amount.amountMinor / 100, 0);
    const own = sum((one) => one.requester.id === requester.id);
    if (charging.every(({ dailyLimit }) => dailyLimit !== undefined && dailyLimit < own))
      wrong.push(`${requester.id} charged ${own} today`);
    if (charging.every(({ dailyTotal }) => dailyTotal !== undefined)) {
      const counted = charging.find(({ name }) => name === countedFor);
      const total = sum((one) => one.countedFor === countedFor);
      if (counted?.dailyTotal === undefined || counted.dailyTotal < total)
        wrong.push(`${countedFor} charged ${total} today`);
    }
    return wrong;
  }

  #mayApprove(approver: Person | undefined, requester: Person): boolean {
    return (
      approver !== undefined &&
      approver.id !== requester.id &&
      !this.#suspended.has(approver.id) &&
      this.#held(approver.id).some(({ approve }) => approve === true)
    );
  }
}

describe('whatever people type and press, and however the rules change meanwhile', () => {
  it('nothing is charged that the rules of that moment forbid', () =>
    check(
      fc.asyncProperty(
        accessFile,
        fc.array(step, { minLength: 5, maxLength: 40 }),
        async (file, steps) => {
          const shop = await Shop.open(file);
          for (const each of steps) expect(await shop.take(each)).toEqual([]);
          await shop.close();
        },
      ),
      300,
    ));
});
