import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import { buildEngine, type Engine } from '../../src/app/engine.ts';
import { platforms } from '../../src/bots/all-platforms.ts';
import type { Chat, OutgoingMessage } from '../../src/bots/bot.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import { noLabel } from '../../src/commands/cards/sandbox-label.ts';
import type { DigestPlan } from '../../src/commands/digest/digests.ts';
import type { Surface } from '../../src/commands/inbound.ts';
import type { SmsSettings } from '../../src/commands/sms/text-buttons.ts';
import type { BalanceLimits } from '../../src/core/balances/low-balances.ts';
import type { Gateway } from '../../src/core/gateway/gateway.ts';
import type { Queue } from '../../src/core/records/due.ts';
import { NO_RULES, type ToldRules } from '../../src/core/records/notify-rules.ts';
import {
  FAILPOINT_CHANNEL,
  type Failpoint,
  type FailpointHit,
} from '../../src/core/runtime/failpoints.ts';
import type { Random } from '../../src/core/runtime/random.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { Delivery, Person } from '../../src/core/values/conversation.ts';
import { ama, shop } from './a-payment.ts';
import { allGrants } from './grants.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryMachine } from './memory-machine.ts';
import { openInstance, type TestPostgres } from './postgres.ts';
import { showingTo } from './shown-in-chat.ts';
import { silentLog } from './silent-log.ts';
import { StubGateway } from './stub-gateway.ts';

const QUEUES: readonly Queue[] = ['submit', 'check', 'notice', 'sms', 'tidy'];
const OPERATORS = { platform: 'slack', channel: 'C0OPS' };
/** What the contract has for STATUS_CHECK_SCHEDULE when nobody sets it. */
export const DEFAULT_SCHEDULE_MS = [10, 20, 20, 20, 20, 30, 60, 60, 60, 300, 900, 3_600].map(
  (seconds) => seconds * 1_000,
);

/** Where a store lives over the processes that open it. */
export type Premises = {
  readonly clock: ManualClock;
  readonly isShared: boolean;
  open(): Promise<Store>;
  /** The process dies. */
  died(): void;
};

export const embeddedPremises = (machine = new MemoryMachine()): Premises => ({
  clock: machine.clock,
  isShared: false,
  open: () => machine.start(),
  died: () => machine.kill(),
});

export const postgresPremises = async (postgres: TestPostgres): Promise<Premises> => {
  await postgres.emptyTables();
  const clock = new ManualClock();
  const open = async () => (await openInstance(postgres.url(), { clock, isTimeGiven: true })).store;
  // Its connections stay open, as those of a machine that lost its power do.
  return { clock, isShared: true, open, died: () => {} };
};

/** Each store by its name, for `describe.each`. */
export const premisesOn = (postgres: TestPostgres) =>
  [
    ['the embedded store', async () => embeddedPremises()],
    ['PostgreSQL', () => postgresPremises(postgres)],
  ] as const;

/** A message in the chat as it was posted. */
export type Posted = Pick<OutgoingMessage, 'conversation' | 'card' | 'key' | 'mayStand'> & {
  readonly atMs: number;
};

/** One process: once it is dead, nothing that it still asks for happens. */
class Life {
  /** Calls to the store that are not answered yet. */
  busy = 0;
  readonly #death = Promise.withResolvers<void>();
  #isDead = false;
  #answered = Promise.withResolvers<void>();

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Resolves when it dies. */
  get death(): Promise<void> {
    return this.#death.promise;
  }

  /** Resolves when a call to the store is answered, or it dies: turning round until then would take the database's core. */
  nextAnswer(): Promise<void> {
    return this.#answered.promise;
  }

  die(): void {
    this.#isDead = true;
    this.#death.resolve();
    this.#answered.resolve();
  }

  around<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => this.#call(() => value.apply(object, args));
      },
    });
  }

  #call(work: () => unknown): unknown {
    if (this.isDead) return new Promise(() => {});
    const result = work();
    if (!(result instanceof Promise)) return result;
    this.busy++;
    const alive = <T>(settle: (value: T) => void) => {
      return (value: T) => {
        this.busy--;
        this.#answered.resolve();
        this.#answered = Promise.withResolvers();
        if (!this.isDead) settle(value);
      };
    };
    return new Promise((resolve, reject) => result.then(alive(resolve), alive(reject)));
  }
}

type ShopOptions = {
  readonly random?: Random;
  /** @default `ShopInHand.gateway`, which does what the test says. */
  readonly gateway?: Gateway;
  /** @default no SMS */
  readonly sms?: SmsSettings;
  /** @default no balance is too low */
  readonly alertBelow?: BalanceLimits;
  /** @default the day is summed up nowhere */
  readonly digest?: DigestPlan;
  /** @default no branches, and nothing is told elsewhere */
  readonly told?: ToldRules;
};

/** Everything between chats, service and store, with the time in the test's hand, over any number of processes. */
export class ShopInHand {
  readonly clock: ManualClock;
  readonly gateway = new StubGateway();
  readonly posted: Posted[] = [];
  /** What messages were changed into, oldest first. */
  readonly edited: Card[] = [];
  /** Everyone's rights. */
  grants = allGrants();
  /** What the chat answers. */
  chatSays: () => Delivery['kind'] = () => 'delivered';
  readonly #random: Random | undefined;
  /** What it has from its next start on. */
  sms: ShopOptions['sms'];
  /** Where people type and press. */
  where = shop;
  readonly #alertBelow: BalanceLimits;
  readonly #more: Pick<ShopOptions, 'digest'>;
  readonly #told: ToldRules;
  readonly #service: Gateway;
  readonly #premises: Premises;
  #life = new Life();
  #engine: Engine | undefined;
  #store: Store | undefined;
  #events = 0;

  private constructor(
    premises: Premises,
    { random, gateway, sms, alertBelow = {}, told = NO_RULES, digest }: ShopOptions,
  ) {
    this.sms = sms;
    this.#alertBelow = alertBelow;
    this.#told = told;
    this.#more = digest === undefined ? {} : { digest };
    this.#premises = premises;
    this.clock = premises.clock;
    this.#random = random;
    this.#service = gateway ?? this.gateway;
  }

  static async open(premises: Premises, options: ShopOptions = {}): Promise<ShopInHand> {
    const opened = new ShopInHand(premises, options);
    await opened.start();
    onTestFinished(() => opened.die());
    return opened;
  }

  /** Other processes may use the store as well. */
  get isShared(): boolean {
    return this.#premises.isShared;
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('it is not running');
    return this.#store;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('it is not running');
    return this.#engine;
  }

  /** A new process. */
  async start(): Promise<void> {
    const life = new Life();
    this.#life = life;
    this.#store = life.around(await this.#premises.open());
    this.#engine = buildEngine({
      platforms,
      store: this.#store,
      isShared: this.#premises.isShared,
      gateway: life.around(this.#service),
      access: {
        grantsOf: async () => this.grants,
        approverIds: async () => ['U0EFUA'],
        toldRules: () => this.#told,
      },
      chats: new Map([[shop.platform, life.around(this.#chat())]]),
      clock: this.clock,
      log: silentLog,
      mark: noLabel,
      settings: {
        ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: [] },
        ...this.sms,
      },
      checks: { scheduleMs: DEFAULT_SCHEDULE_MS, giveUpMs: 72 * 3_600_000 },
      confirmWithinMs: 600_000,
      requestTimeoutMs: 30_000,
      sealSecret: 'the seal of the shop',
      callbacks: { secrets: ['a secret of the shop'], publicUrl: 'http://127.0.0.1' },
      operators: [OPERATORS],
      alertBelow: this.#alertBelow,
      ...this.#more,
      ...(this.#random === undefined ? {} : { random: this.#random }),
    });
    await this.#engine.start();
  }

  /** As by SIGTERM. */
  async stop(): Promise<void> {
    await this.engine.stop();
    await this.store.close();
  }

  /** As by kill -9: whatever it was about to do does not happen. */
  die(): void {
    this.#life.die();
    this.#premises.died();
  }

  /** It dies when it next comes to this moment. */
  dieAt(wanted: Failpoint): void {
    const listener = (message: unknown) => {
      if ((message as FailpointHit).name !== wanted) return;
      unsubscribe(FAILPOINT_CHANNEL, listener);
      this.die();
    };
    subscribe(FAILPOINT_CHANNEL, listener);
    onTestFinished(() => void unsubscribe(FAILPOINT_CHANNEL, listener));
  }

  /** Resolves with what was shown, also when the process died before it had shown everything. */
  async type(words: string, options: { who?: Person; eventId?: string } = {}): Promise<Card[]> {
    const { who = ama, eventId = `event ${this.#events++}` } = options;
    const [, command = '', rest = ''] = /^\/(\S+) ?(.*)$/.exec(words) ?? [];
    return this.#event(who, eventId, (inbound) =>
      this.engine.router.command(inbound, command, rest),
    );
  }

  /** Presses the button that begins with `label`. */
  async press(card: Card | undefined, label: string, who = ama): Promise<Card[]> {
    const button = card?.buttons?.find((each) => each.label.startsWith(label));
    if (button?.kind !== 'press') throw new Error(`no button ${label} on ${card?.title}`);
    return this.#event(who, `event ${this.#events++}`, (inbound) =>
      // A private question, as in Slack.
      this.engine.router.press(
        {
          ...inbound,
          pressed: { ref: { conversation: this.where, message: 'q' }, canBecomeCard: false },
        },
        button.verb,
        button.id,
      ),
    );
  }

  /** Typed, confirmed, and on its way. */
  async charge(words = '0244123456 50'): Promise<void> {
    const [question] = await this.type(`/charge ${words}`);
    await this.press(question, 'Charge');
  }

  /** Lets virtual time pass, from one piece of due work to the next. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.clock.now() + ms;
    await this.quiet();
    for (let next = await this.#nextDueMs(); next <= untilMs; next = await this.#nextDueMs()) {
      // What is due and not taken waits for a worker that looks again in a moment.
      this.clock.jump(Math.max(next - this.clock.now(), next > this.clock.now() ? 1 : 250));
      await this.clock.advance(0);
      await this.quiet();
      if (this.clock.now() >= untilMs) return;
    }
    this.clock.jump(Math.max(0, untilMs - this.clock.now()));
    await this.clock.advance(0);
    await this.quiet();
  }

  /** Until nobody has anything to do at this moment. */
  async quiet(): Promise<void> {
    for (let idle = 0; idle < 6; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#life.busy === 0 || this.#life.isDead) continue;
      await this.#life.nextAnswer();
      idle = 0;
    }
  }

  /** What was told about outcomes, oldest first, without when it was. */
  outcomes(): string[] {
    return this.posted
      .filter(({ key }) => key.includes('.outcome.'))
      .map(({ card }) => card.title.replace(/^.*: | · .*$/g, ''));
  }

  /** The titles of what the operators were told. */
  alerts(): string[] {
    return this.posted
      .filter(({ conversation }) => conversation.channel === OPERATORS.channel)
      .map(({ card }) => card.title);
  }

  async #nextDueMs(): Promise<number> {
    if (this.#life.isDead) return Number.POSITIVE_INFINITY;
    const times = await Promise.all(QUEUES.map((queue) => this.store.nextDueMs(queue)));
    return Math.min(...times.map((ms) => ms ?? Number.POSITIVE_INFINITY));
  }

  async #event(
    who: Person,
    eventId: string,
    handle: (inbound: {
      caller: Person & { conversation: typeof shop };
      eventId: string;
      surface: Surface;
    }) => Promise<void>,
  ): Promise<Card[]> {
    const shown: Card[] = [];
    const life = this.#life;
    const surface = showingTo((card) => void (life.isDead || shown.push(card)));
    const caller = { ...who, conversation: this.where };
    await Promise.race([handle({ caller, eventId, surface }), life.death]);
    return shown;
  }

  #chat(): Chat {
    const answer = (): Delivery | undefined => {
      const kind = this.chatSays();
      if (kind === 'not sent' || kind === 'unclear' || kind === 'gone')
        return { kind, reason: 'as the test says' };
      return undefined;
    };
    return {
      post: async ({ conversation, card, key, mayStand }) => {
        const refused = answer();
        if (refused !== undefined) return refused;
        this.posted.push({ conversation, card, key, mayStand, atMs: this.clock.now() });
        const ref = { conversation, message: `1.${this.posted.length}` };
        return { kind: 'delivered', ref };
      },
      edit: async (ref, card) => {
        const refused = answer();
        if (refused !== undefined) return refused;
        this.edited.push(card);
        return { kind: 'delivered', ref };
      },
      linkTo: async () => 'https://x/1',
    };
  }
}
