import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import type { Dice } from '../storm/dice.ts';
import { Desk } from './desk.ts';
import { CrashGateway } from './gateway.ts';
import {
  type Death,
  firstDeathsFor,
  needsOf,
  phaseOf,
  type Round,
  type StoreKind,
} from './plan.ts';
import type { Point, PointName } from './points.ts';
import { type End, Program } from './program.ts';
import { type Sale, SalesBook } from './sales.ts';
import { owedForSms, type Sms, wrongWithSms } from './sms.ts';
import {
  type Finding,
  idOf,
  isSetAside,
  lateIn,
  owedIn,
  type Story,
  statusLie,
  wrongIn,
} from './verdict.ts';

/** In one round. */
const MOST_SALES = 3;
/** Whoever sends an SMS sells nothing. */
const FIRST_TEXTER = 900;
const LOOK_EVERY_MS = 15;
/** A process that has not come to its moment by then does not come to it any more. */
const DIES_WITHIN_MS = 4_000;
const DIES_IN_RECOVERY_WITHIN_MS = 900;
/** A question that has not come by then went down with a process: the command is typed again. */
const ASKED_WITHIN_MS = 1_500;
/** What has not ended by then ends later, while the shop goes on. */
const ROUND_IS_QUIET_WITHIN_MS = 2_500;
/** Longer than anybody who heard of it may take, and shorter than it takes to find out by schedule. */
const LATE_IS_TOLD_WITHIN_MS = 7_000;
/** The longest random moment: a charge takes about this long, and so does a start. */
const LATEST_RANDOM_MS = 700;
/** An unknown payment is told 30 s later; in a shared store a lease (45 s) and a lost request (32 s) come before. */
const QUIET_WITHIN_MS: Readonly<Record<StoreKind, number>> = {
  embedded: 50_000,
  postgres: 170_000,
};
/** Nothing more may come for this long before the verdict counts. */
const STILL_MS = 1_500;

export type ShopOptions = {
  readonly dice: Dice;
  readonly store: StoreKind;
  /** Of a database of this shop alone; for the shared store. */
  readonly databaseUrl?: string;
};

/** One Paythread on a folder or database of its own, its gateway, its people, and everything done to it. */
export class Shop {
  readonly dir: string;
  readonly store: StoreKind;
  readonly gateway: CrashGateway;
  readonly desk: Desk;
  readonly program: Program;
  /** How often a process died at each moment. */
  readonly deaths = new Map<PointName, number>();
  /** Points at which it should have died and never came to. */
  readonly missed: Point[] = [];
  readonly rounds: Round[] = [];
  readonly #dice: Dice;
  readonly #book: SalesBook;
  readonly #texts: Sms[] = [];
  #randomDeaths = 0;

  private constructor(
    parts: Pick<Shop, 'dir' | 'store' | 'gateway' | 'desk' | 'program'> & { dice: Dice },
  ) {
    this.dir = parts.dir;
    this.store = parts.store;
    this.gateway = parts.gateway;
    this.desk = parts.desk;
    this.program = parts.program;
    this.#dice = parts.dice;
    this.#book = new SalesBook(parts.dice.fork());
  }

  static async open({ dice, store, databaseUrl }: ShopOptions): Promise<Shop> {
    const dir = await mkdtemp(join(tmpdir(), 'paythread-crash-'));
    const dataDir = join(dir, 'data');
    const gateway = await CrashGateway.start();
    const desk = await Desk.open();
    const accessFile = join(dir, 'access.yml');
    await writeFile(accessFile, desk.accessFile);
    const port = await freePort();
    const env = {
      ...gateway.settings,
      ...desk.settings,
      PAYMENTS_RATE: '200',
      PAYMENTS_TIMEOUT: '2s',
      SMS_SENDER_ID: 'AmaVentures',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      STATUS_CHECK_SCHEDULE: '200ms,800ms,10s,10s,30s,5m',
      DATA_DIR: dataDir,
      ACCESS_FILE: accessFile,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    };
    const program = new Program(port, env, join(dir, 'log'));
    return new Shop({ dir, store, gateway, desk, program, dice });
  }

  get randomDeaths(): number {
    return this.#randomDeaths;
  }

  /** Everything every book says, sale by sale. */
  stories(): Story[] {
    return this.#book.sales.map((sale) => this.#storyOf(sale));
  }

  /** The first processes of all, which die while they make what all others find there. */
  async playFirst(): Promise<Finding[]> {
    for (const point of firstDeathsFor(this.store, this.#dice)) {
      await this.program.start(point);
      await this.#await(point, DIES_IN_RECOVERY_WITHIN_MS);
    }
    return this.wrong();
  }

  /** Makes some charges and dies as the round says; what is wrong by then. */
  async play(round: Round): Promise<Finding[]> {
    this.rounds.push(round);
    if (!this.program.isReady) await this.#startUntilReady();
    const { manner, sms } = needsOf(round.during);
    const selling = this.#sell(round.number, manner === undefined ? [] : [{ manner }]);
    if (sms === true) void this.#sendSms(round.number);
    await this.#dieDuring(round.during, selling.pressed);
    for (const death of round.recoveries) await this.#dieInRecovery(death);
    await this.#startUntilReady();
    const quietMs = manner === undefined ? ROUND_IS_QUIET_WITHIN_MS : LATE_IS_TOLD_WITHIN_MS;
    await Promise.race([selling.done, sleep(quietMs)]);
    selling.stop();
    return this.wrong();
  }

  /** One outcome kills whoever tells it, again and again; the others are told all the same. */
  async playPoison(number: number): Promise<Finding[]> {
    if (!this.program.isReady) await this.#startUntilReady();
    const poisoned = this.#book.open({ round: number, manner: '06' });
    poisoned.poisoned = true;
    const selling = this.#sell(number, [poisoned]);
    await this.#until(() => this.desk.told(poisoned).length > 0, ASKED_WITHIN_MS * 4);
    const id = this.desk.told(poisoned)[0]?.transactionId;
    const point: Point = { name: 'notice-begun', nth: 1, subject: `${id}.outcome` };
    this.program.arm(point);
    for (let lives = 0; lives < MOST_POISONED_LIVES; lives++) {
      const died = await this.#diesWithin(DIES_WITHIN_MS);
      if (!died) break;
      this.#count('at its moment', point);
      await this.program.start(point);
    }
    await Promise.race([selling.done, sleep(ROUND_IS_QUIET_WITHIN_MS)]);
    selling.stop();
    const story = this.#storyOf(poisoned);
    const isAlarmed = this.desk.alarms.some((text) => text.includes('three times'));
    const findings =
      this.program.isReady && isAlarmed
        ? []
        : [{ story, what: 'a notice that ends the process was not set aside, or nobody was told' }];
    return [...findings, ...this.wrong()];
  }

  wrong(): Finding[] {
    const { lives } = this.program;
    // In a shared store whatever a dead process had in hand waits for its lease, and what is set aside for an hour.
    const late = (story: Story) =>
      this.store === 'embedded' && !this.#isSetAside(story) ? lateIn(story, lives) : [];
    return [
      ...this.stories().flatMap((story) =>
        [...wrongIn(story, lives), ...late(story)].map((what): Finding => ({ story, what })),
      ),
      ...this.#texts.flatMap((sms) =>
        wrongWithSms(sms, this.gateway, this.#reportsOf(sms)).map((what) => ({ what })),
      ),
    ];
  }

  /** After the last round: until nothing is owed and nothing comes any more, then what is wrong or lost. */
  async settle(): Promise<Finding[]> {
    if (!this.program.isReady) await this.#startUntilReady();
    const deadlineMs = Date.now() + QUIET_WITHIN_MS[this.store];
    for (let stillSinceMs = Date.now(), words = -1; ; await sleep(100)) {
      const owed = this.#owed();
      if (this.desk.words !== words || owed.length > 0) stillSinceMs = Date.now();
      words = this.desk.words;
      if (Date.now() - stillSinceMs > STILL_MS) return [...this.wrong(), ...(await this.#audit())];
      if (Date.now() > deadlineMs) return [...this.wrong(), ...owed];
    }
  }

  /** Everything it started is stopped. */
  async close({ keep }: { keep: boolean }): Promise<void> {
    await this.program.terminate();
    await this.gateway.stop();
    await this.desk.stop();
    if (!keep) await rm(this.dir, { recursive: true, force: true });
  }

  #storyOf(sale: Sale): Story {
    const { postings, asked, callbacks } = this.gateway;
    const mine = postings.filter(({ customerNumber }) => customerNumber === sale.customerNumber);
    const told = this.desk.told(sale);
    const ids = new Set([
      ...mine.map(({ id }) => id),
      ...told.map(({ transactionId }) => transactionId),
    ]);
    const question = this.desk.question(sale);
    return {
      sale,
      postings: mine,
      cards: told.filter(({ kind }) => kind === 'card'),
      outcomes: told.filter(({ kind }) => kind === 'outcome'),
      ...(question === undefined ? {} : { question }),
      taken: callbacks.taken.filter(({ id }) => ids.has(id)),
      askedAtMs: asked.filter(({ id }) => ids.has(id)).map(({ atMs }) => atMs),
    };
  }

  /** Sales of which something was in hand at three deaths by chance: it waits an hour, and the operators know. */
  get setAside(): readonly Story[] {
    return this.stories().filter((story) => this.#isSetAside(story));
  }

  #isSetAside(story: Story): boolean {
    return isSetAside(story, this.desk.alarms, this.program.lives);
  }

  #owed(): Finding[] {
    return [
      ...this.stories()
        .filter((story) => !this.#isSetAside(story))
        .flatMap((story) => owedIn(story).map((what): Finding => ({ story, what }))),
      ...this.#texts.flatMap((sms) =>
        owedForSms(sms, this.#reportsOf(sms)).map((what) => ({ what })),
      ),
    ];
  }

  /** Whether `/status` tells the truth about every payment. */
  async #audit(): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const story of this.stories()) {
      const id = idOf(story);
      if (id === undefined) continue;
      const answer = await this.desk.status(id);
      const lies = statusLie(story, answer, this.gateway.statusOf(id));
      findings.push(...lies.map((what) => ({ story, what })));
    }
    return findings;
  }

  #reportsOf({ seller, text }: Sms): string[] {
    return this.desk.smsReports(seller, text);
  }

  async #sendSms(round: number): Promise<void> {
    const text = `Your order ${1000 + this.#texts.length} is ready`;
    const sms: Sms = {
      text,
      seller: FIRST_TEXTER + this.#texts.length,
      round,
      typedAtMs: Date.now(),
    };
    this.#texts.push(sms);
    this.desk.typeSms(sms.seller, text);
    await this.#until(() => {
      if (!this.desk.pressSms(sms.seller, text)) return false;
      sms.pressedAtMs = Date.now();
      return true;
    }, DIES_WITHIN_MS);
  }

  /** People at their keyboards, until all is told or `stop`. `pressed` resolves with the first press. */
  #sell(round: number, wanted: readonly (Sale | { readonly manner: string })[] = []) {
    const stopping = new AbortController();
    const pressed = Promise.withResolvers<void>();
    const sales = wanted.map((one) =>
      'amount' in one ? one : this.#book.open({ round, manner: one.manner }),
    );
    // What is wanted for its manner is wanted alone; else one at least whose callback comes soon.
    if (wanted.every((one) => 'amount' in one)) {
      sales.push(this.#book.open({ round, manner: '00' }));
      for (let more = this.#dice.whole(0, MOST_SALES - 1); more > 0; more--)
        sales.push(this.#book.open({ round }));
    }
    const done = Promise.all(
      sales.map((sale) => this.#sellOne(sale, pressed.resolve, stopping.signal)),
    );
    return { done, pressed: pressed.promise, stop: () => stopping.abort() };
  }

  async #sellOne(first: Sale, onPress: () => void, stop: AbortSignal): Promise<void> {
    let sale = first;
    this.desk.type(sale);
    while (this.desk.question(sale) === undefined && !stop.aborted) {
      await sleep(LOOK_EVERY_MS);
      if (!this.#isLost(sale)) continue;
      const { round, customerNumber } = sale;
      sale = this.#book.open({ round, manner: customerNumber.slice(-2) });
      this.desk.type(sale);
    }
    if (stop.aborted) return;
    sale.pressedAtMs = Date.now();
    this.desk.press(sale);
    onPress();
    while (!stop.aborted && owedIn(this.#storyOf(sale)).length > 0) await sleep(LOOK_EVERY_MS);
  }

  /** A command may go down with the process that had it; whoever sees nothing for so long types it again. */
  #isLost({ typedAtMs }: Sale): boolean {
    const readyAtMs = this.program.lives.at(-1)?.readyAtMs;
    if (!this.program.isReady || readyAtMs === undefined) return false;
    return Date.now() - Math.max(typedAtMs, readyAtMs) > ASKED_WITHIN_MS;
  }

  async #dieDuring(death: Death, pressed: Promise<void>): Promise<void> {
    if (death === 'at random') {
      await sleep(this.#dice.between(0, LATEST_RANDOM_MS));
      this.#randomDeaths += 1;
      await this.program.kill();
      return;
    }
    this.program.arm(death);
    if (phaseOf(death.name) !== 'stop') return this.#await(death, DIES_WITHIN_MS);
    await Promise.race([pressed, sleep(ASKED_WITHIN_MS)]);
    await sleep(this.#dice.between(0, 200));
    this.#count(await this.program.terminate(), death);
  }

  async #dieInRecovery(death: Death): Promise<void> {
    if (death !== 'at random') {
      await this.program.start(death);
      return this.#await(death, DIES_IN_RECOVERY_WITHIN_MS);
    }
    const started = this.program.start();
    await sleep(this.#dice.between(50, LATEST_RANDOM_MS));
    this.#randomDeaths += 1;
    await this.program.kill();
    await started;
  }

  /** Until it has died at its moment; if it does not come to it, it dies all the same. */
  async #await(point: Point, withinMs: number): Promise<void> {
    const died = await this.#diesWithin(withinMs);
    this.#count(died ? await this.program.ended : await this.program.kill(), point);
  }

  async #diesWithin(ms: number): Promise<boolean> {
    const over = new AbortController();
    const late = sleep(ms, false, { signal: over.signal }).catch(() => false);
    const died = await Promise.race([this.program.ended.then(() => true), late]);
    over.abort();
    return died;
  }

  #count(end: End, point: Point): void {
    if (end === 'at its moment')
      this.deaths.set(point.name, (this.deaths.get(point.name) ?? 0) + 1);
    else this.missed.push(point);
  }

  async #startUntilReady(): Promise<void> {
    if (!(await this.program.start())) throw new Error('it does not start any more');
  }

  async #until(condition: () => boolean, withinMs: number): Promise<void> {
    const deadlineMs = Date.now() + withinMs;
    while (!condition() && Date.now() < deadlineMs) await sleep(LOOK_EVERY_MS);
  }
}

/** The first one that dies does not count, then three that do; one more lives. */
const MOST_POISONED_LIVES = 6;
