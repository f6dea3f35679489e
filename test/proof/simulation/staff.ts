import type { GivableRole } from '../../../src/commands/access/access-request-cards.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import type { Merchant } from '../../../src/core/records/merchants.ts';
import { NO_RULES, type ToldRules } from '../../../src/core/records/notify-rules.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { cardText } from '../../support/card-text.ts';
import { allGrants } from '../../support/grants.ts';
import type { Dice } from '../storm/dice.ts';
import type { Habits } from './habits.ts';
import { draftIn } from './happenings.ts';
import { ADMINISTRATOR, CHANNELS, FORGERS, SEATS, STRANGERS } from './seats.ts';
import type { Timeline } from './timeline.ts';

const MINUTE_MS = 60_000;
const ADMINISTERED = new Set(['access', 'notify', 'close']);
const GRANTED = new Set(['charge', 'status', 'lookup', 'payments', 'help', 'sms']);

/** Whose chat it is, where there are merchants. */
const MERCHANTS = { slack: 'osu', telegram: 'tema' } as const;

export type Seller = {
  readonly caller: Caller;
  /** As the access file says; of a stranger: as an administrator said in the chat, seen from outside. */
  maySell: boolean;
  readonly approves: boolean;
  /** Whom the access file does not name: what they were given and has not been taken back, by the id of the request. */
  readonly given?: Set<string>;
};

/** Who sells and who approves, as the access file and an administrator say. */
export class Staff {
  readonly sellers: readonly Seller[];
  readonly strangers: readonly Seller[];
  readonly #timeline: Timeline;
  readonly #habits: Habits;
  readonly #startMs: number;
  readonly #maxChargeMinor: number | undefined;
  /** By the id of the request for access. */
  readonly #asked = new Map<string, Seller>();

  constructor(options: { timeline: Timeline; habits: Habits; dice: Dice }) {
    this.#timeline = options.timeline;
    this.#habits = options.habits;
    this.#startMs = options.timeline.nowMs;
    this.#maxChargeMinor = options.dice.chance(0.2) ? 50_000 : undefined;
    this.sellers = SEATS.map((caller, index) => ({
      caller,
      maySell: true,
      approves: index % 2 === 1,
    }));
    this.strangers = this.#habits.givesAccess
      ? STRANGERS.map((caller) => ({ caller, maySell: false, approves: false, given: new Set() }))
      : [];
  }

  /** The roles that can be given in the chat. */
  givableRoles(): readonly GivableRole[] {
    return this.#habits.givesAccess ? [{ name: 'sales', grants: 'charge' }] : [];
  }

  async approverIds(platform: string): Promise<readonly string[]> {
    return this.sellers
      .filter(({ caller, approves }) => approves && caller.platform === platform)
      .map(({ caller }) => caller.id);
  }

  /** As the file of the merchants says: that of each chat. */
  merchants(): readonly Merchant[] {
    if (this.#habits.hasMerchants !== true) return [];
    return (['slack', 'telegram'] as const).map((platform) => ({
      name: MERCHANTS[platform],
      nickname: MERCHANTS[platform],
      senderIds: ['SHOP'],
      conversations: [`${platform}:${CHANNELS[platform]}`],
      members: SEATS.filter((each) => each.platform === platform).map(
        ({ id }) => `${platform}:${id}`,
      ),
    }));
  }

  isForger({ platform, id }: Person): boolean {
    return FORGERS.some((each) => each.platform === platform && each.id === id);
  }

  /** As the access file says at this moment. */
  toldRules(): ToldRules {
    const { notify, notifyUntilMinutes = Number.POSITIVE_INFINITY } = this.#habits;
    const isOver = this.#timeline.nowMs >= this.#startMs + notifyUntilMinutes * MINUTE_MS;
    return isOver ? NO_RULES : { notify, branches: [] };
  }

  /** Decided by ids, as the access file says at this moment. */
  async grantsOf(caller: Caller, given: readonly string[] = []): Promise<Grants> {
    if (caller.id === ADMINISTRATOR.id)
      return allGrants({ may: (command) => ADMINISTERED.has(command) });
    const seller = this.find(caller);
    const sendsFiles = this.#habits.files !== undefined;
    const holds = seller?.given === undefined ? seller?.maySell === true : given.includes('sales');
    return {
      roles: holds ? ['sales'] : [],
      may: (command) =>
        holds &&
        (GRANTED.has(command) ||
          (command === 'bulk' && sendsFiles) ||
          (command === 'refund' && this.#habits.givesBack === true)),
      charging: holds ? [{ role: 'sales' }] : [],
      approve: seller?.approves === true,
      admin: false,
      reveal: false,
      ...(this.#maxChargeMinor === undefined
        ? {}
        : { maxCharge: { amountMinor: this.#maxChargeMinor, currency: 'GHS' } }),
    };
  }

  /** Undefined: neither a seller nor a stranger who asks for access. */
  find({ platform, id }: Caller): Seller | undefined {
    return [...this.sellers, ...this.strangers].find(
      ({ caller }) => caller.platform === platform && caller.id === id,
    );
  }

  /** Whose request it is. */
  note(buttonId: string, card: Card): void {
    const asker = this.strangers.find(({ caller }) => cardText(card).includes(caller.name));
    if (asker !== undefined) this.#asked.set(draftIn(buttonId), asker);
  }

  /** Somebody got a role by this request, or lost it. */
  hold(buttonId: string, change: (given: Set<string>, requestId: string) => void): void {
    const given = this.#asked.get(draftIn(buttonId))?.given;
    if (given !== undefined) change(given, draftIn(buttonId));
  }
}
