import { platforms } from '../../src/bots/all-platforms.ts';
import { type Role, readAccessFile } from '../../src/commands/access/access-file.ts';
import { givable, grantsFrom } from '../../src/commands/access/grants.ts';
import { RIGHTS } from '../../src/commands/all-commands.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import type { Templates } from '../../src/commands/sms/templates.ts';
import type { Gateway, PaymentRequest } from '../../src/core/gateway/gateway.ts';
import { balancesOf } from '../../src/core/records/balances.ts';
import type { Random } from '../../src/core/runtime/random.ts';
import type { Store } from '../../src/core/store/store.ts';
import { dayAt } from '../../src/core/values/calendar-day.ts';
import type { Person } from '../../src/core/values/conversation.ts';
import { type Desk, openDesk } from '../support/desk.ts';
import { MemoryMachine } from '../support/memory-machine.ts';
import { silentLog } from '../support/silent-log.ts';
import { StubGateway, statusOf } from '../support/stub-gateway.ts';

export const ama: Person = { platform: 'slack', id: 'U0AMA', name: 'Ama' };
export const kofi: Person = { platform: 'slack', id: 'U0KOFI', name: 'Kofi' };
/** A person without any right. */
export const yaw: Person = { platform: 'slack', id: 'U0YAW', name: 'Yaw' };
export const PEOPLE = [ama, kofi, yaw];

const RULES = `
roles:
  clerk: { commands: [charge, lookup, status, sms, payments, customer], maxCharge: 200 }
  owner: { commands: "*", approve: true, admin: true, reveal: true }
members:
  clerk: [slack:U0AMA]
  owner: [slack:U0KOFI]
`;

const TEMPLATES: Templates = new Map(
  [
    ['receipt', 'Thank you {name}. {shop} received {amount} on {date}.'],
    ['reminder', '{shop}: please approve the payment of {amount}.'],
    ['due', 'Dear {name}, please bring {amount} by Friday. {shop}'],
  ].map(([name = '', text = '']) => [name, { name, text }]),
);

const rolesIn = (text: string): readonly Role[] => {
  const read = readAccessFile(text, { currency: 'GHS', platforms, rights: RIGHTS });
  if (!read.ok) throw new Error(read.problems.join());
  return read.roles;
};

const ROLES = rolesIn(RULES);

const isHeld = ({ members }: Role, person: string): boolean =>
  members.some(({ id }) => id === person);

const NAMES = ['Adwoa Dogbe', 'Kwame Asante', 'Esi Lamptey', 'Yaa Boateng', 'Selorm Agbeko'];

/** How a payment ends, in this order: what the request is answered, and what the status check says. */
export type Ending = {
  readonly payment?: Awaited<ReturnType<Gateway['makePayment']>>;
  readonly status?: 'pending' | 'completed' | 'failed';
  /** The payment service's words about it. */
  readonly word?: string;
};

/** The same bytes each time, so that a picture changes only when what it shows does. */
const countedRandom = (): Random => {
  let count = 0;
  return {
    fraction: () => 0.5,
    bytes: (length) => {
      count += 1;
      return Uint8Array.from({ length }, (_, at) => (count * 37 + at * 11) % 256);
    },
  };
};

/** The whole program but chats, in memory, with a clock in the hand: what a picture shows has really happened here. */
export class Studio {
  readonly clock;
  readonly desk: Desk;
  readonly #store: Store;
  /** Payments without an answer to their request get none to the questions about them either. */
  readonly #unanswered = new Set<string>();
  #ending: Ending = {};
  #amount = '0.00';

  private constructor(machine: MemoryMachine, store: Store) {
    this.clock = machine.clock;
    this.#store = store;
    const gateway = Object.assign(new StubGateway(), {
      onPayment: ({ transactionId }: PaymentRequest) => {
        const { payment } = this.#ending;
        if (payment?.kind === 'unknown') this.#unanswered.add(transactionId);
        return payment ?? { kind: 'accepted', answer: { code: '202', message: 'received' } };
      },
      onStatus: (id: string) => {
        if (this.#unanswered.has(id))
          return { kind: 'noAnswer', answer: {}, reason: 'The payment service did not answer.' };
        const { status = 'pending', word = status } = this.#ending;
        const outcome = statusOf(id, status, { word: status, amount: this.#amount });
        return { ...outcome, answer: { code: '000', message: word } };
      },
      onSms: () => ({ kind: 'sent', messageId: 'SMS-1', status: 'sent', answer: { code: '000' } }),
      lookUpAccount: async ({ number }: { number: string }) => ({
        kind: 'found',
        name: NAMES[Number(number.slice(-1)) % NAMES.length] ?? '',
        status: 'active',
        type: 'mobile_money',
        answer: { code: '000' },
      }),
      checkBalance: async () => ({
        kind: 'balances',
        sms: '812',
        payout: '2500.00',
        collection: '10240.00',
        answer: { code: '000' },
      }),
    } as unknown as Partial<StubGateway>);
    const access = {
      grantsOf: async ({ id }: Person, given: readonly string[] = []) =>
        grantsFrom(
          ROLES.filter((role) => given.includes(role.name) || isHeld(role, id)),
          'slack',
          RIGHTS,
        ),
      approvers: () => [{ platform: 'slack', kind: 'person', id: kofi.id }] as const,
      approverIds: async () => [kofi.id],
      givableRoles: () => givable(ROLES, RIGHTS),
    };
    this.desk = openDesk(store, machine.clock, undefined, silentLog, undefined, {
      gateway,
      access,
      random: countedRandom(),
      operators: [{ platform: 'slack', channel: 'C0OPS' }],
      digest: { places: [{ platform: 'slack', channel: 'C0FINANCE' }], atMinutes: 18 * 60 },
      settings: {
        ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: ['Shop'] },
        texts: { templates: TEMPLATES, receipt: 'ask', shop: 'Osu Electronics' },
      },
    });
  }

  static async open(): Promise<Studio> {
    const machine = new MemoryMachine();
    const studio = new Studio(machine, await machine.start());
    await studio.desk.engine.start();
    return studio;
  }

  /** What the payment service held for the shop at the end of the day before. */
  async heldYesterday(collection: string): Promise<void> {
    const atMs = this.clock.now() - 10 * 3_600_000;
    const day = balancesOf(dayAt(atMs, 'Africa/Accra'));
    await this.#store.commit({
      put: [day.put({ collection, atMs, answeredAtMs: atMs }, undefined)],
    });
  }

  /** The first answer to what is typed. */
  async type(person: Person, command: string, words = ''): Promise<Card> {
    return first(await this.desk.type(person, command, words), `/${command} ${words}`);
  }

  async press(person: Person, card: Card, label: string): Promise<Card[]> {
    return this.desk.press(person, card, label);
  }

  /** The form that the last command or press opened. */
  get form() {
    const form = this.desk.asked.at(-1);
    if (form === undefined) throw new Error('no form was shown');
    return form;
  }

  /** Lets time pass, a second at a time, so that work settles in between. */
  async wait(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) await this.clock.advance(1_000);
  }

  /** How payments of this amount end from now on. */
  paymentsEnd(ending: Ending, amount: number): void {
    this.#ending = ending;
    this.#amount = amount.toFixed(2);
  }

  /** A charge that was confirmed and has ended so: its question, what its card was one after the other, its outcome. */
  async charge(
    words: string,
    ending: Ending,
  ): Promise<{ question: Card; cards: Card[]; told: Card[] }> {
    this.paymentsEnd({ ...ending, status: 'pending' }, Number(words.split(' ')[1]));
    const posted = this.desk.posted.length;
    const edited = this.desk.edits.length;
    const question = await this.type(ama, 'charge', words);
    await this.press(ama, question, 'Charge');
    await this.wait(3);
    this.#ending = ending;
    await this.wait(20);
    const messages = this.desk.posted.slice(posted);
    return {
      question,
      cards: [
        ...messages.slice(0, 1).map(({ card }) => card),
        ...this.desk.edits.slice(edited).map(({ card }) => card),
      ],
      told: messages.slice(1).map(({ card }) => card),
    };
  }

  stop(): Promise<void> {
    return this.desk.engine.stop();
  }
}

export const first = (cards: readonly Card[], what: string): Card => {
  const [card] = cards;
  if (card === undefined) throw new Error(`nothing was shown for ${what}`);
  return card;
};
