import type { Engine } from '../../../src/app/engine.ts';
import { type Cluster, localCluster } from '../../../src/core/cluster/cluster.ts';
import type { Log } from '../../../src/core/runtime/log.ts';
import { observedStore } from '../../../src/core/telemetry/observer.ts';
import { silentLog } from '../../support/silent-log.ts';
import { Dice } from '../storm/dice.ts';
import { SimulatedChat } from './chat.ts';
import { SimulatedGateway } from './gateway.ts';
import type { Fate } from './gateway-fates.ts';
import type { Habits } from './habits.ts';
import type { Happening } from './happenings.ts';
import { Instance } from './instance.ts';
import { overheardLog } from './overheard-log.ts';
import { People } from './people.ts';
import type { Premises, Stored } from './premises.ts';
import { CHANNELS } from './seats.ts';
import { SECRETS, simulatedEngine, TIMEOUT_MS } from './simulated-engine.ts';
import { handOver, pressedMessage, simulatedSurface } from './simulated-surface.ts';
import { Timeline } from './timeline.ts';
import { Trace } from './trace.ts';
import type { Weather } from './weather.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After everything has healed: longer than a payment is asked about, and a settled one is watched. */
const AFTERMATH_MS = 98 * HOUR_MS;
const NAP_MS = 30_000;
/** Of one kind, however long it lasts. */
const MOST_TROUBLES = 12;

/** Most of what a process asks of its store is whether there is work; it dies there less often. */
const IDLE = /claim|next due|stat|open/;

/** A process that is up, with the engine in it once it has started. */
type Running = { readonly instance: Instance; engine?: Engine };

/** A stretch of time in which an instance may have failed to note what it had done. */
export type Trouble = { readonly fromMs: number; readonly toMs: number };

/** Paythread, and everything around it. One seed is one world. */
export class World {
  readonly timeline: Timeline;
  readonly trace: Trace;
  readonly gateway: SimulatedGateway;
  readonly chats: readonly SimulatedChat[];
  readonly people: People;
  /** The moments at which processes were started. */
  readonly startsAtMs: number[] = [];
  readonly troubles: Trouble[] = [];
  /** What broke while it ran, in words. */
  readonly broken: string[] = [];
  /** Log lines, as they come out; of some seeds only. */
  readonly overheard: string[] = [];
  readonly weather: Weather;
  readonly habits: Habits;
  readonly startMs: number;
  readonly seed: number;
  readonly #dice: Dice;
  readonly #premises: Premises;
  readonly #cluster: Cluster;
  readonly #seats: (Running | undefined)[];
  readonly #clockOffsetsMs: number[];
  #clockSetAtMs = Number.NEGATIVE_INFINITY;
  readonly #unanswered = new Map<Happening, Instance>();
  /** Asked at each call; systematic runs have their own. */
  readonly #fatality: (what: string) => boolean;
  readonly #log: Log;
  #isHealed = false;
  #instances = 0;

  constructor(options: {
    seed: number;
    weather: Weather;
    habits: Habits;
    premises: (world: World) => Premises;
    fatality?: (what: string) => boolean;
    fates?: readonly Fate[];
  }) {
    const { seed, weather, habits } = options;
    this.seed = seed;
    this.weather = weather;
    this.habits = habits;
    this.#dice = new Dice(seed ^ 0x77_0a1d);
    // Some seeds see a month end. Automatic SMS wait for the end of the night.
    const [hour, minute] = habits.receipt === 'always' ? [6, 52] : [23, 40];
    this.startMs = Date.UTC(2026, 0, this.#dice.pick([15, 31]), hour, minute, 0);
    this.timeline = new Timeline(this.startMs);
    this.trace = new Trace(this.timeline);
    const common = { timeline: this.timeline, trace: this.trace, weather };
    this.gateway = new SimulatedGateway({
      ...common,
      seed,
      timeoutMs: TIMEOUT_MS,
      fates: options.fates ?? [],
      send: (callback, heard) => this.#callBack(callback, heard),
    });
    this.chats = [
      { platform: 'slack', isSearchable: true, questionsBecomeCards: false },
      { platform: 'telegram', isSearchable: false, questionsBecomeCards: true },
    ].map((chat) => new SimulatedChat({ ...common, ...chat, dice: this.#dice.fork() }));
    this.people = new People({
      ...common,
      seed,
      habits,
      dice: this.#dice.fork(),
      bring: (happening) => this.#bring(happening),
    });
    for (const chat of this.chats) {
      chat.onPosted = (message, card) => this.people.seePosted(chat.platform, message, card);
      chat.onEdited = (card) => this.people.seeEdited(chat.platform, card);
    }
    this.#fatality =
      options.fatality ??
      ((what) => this.#dice.chance(this.weather.dies * (IDLE.test(what) ? 0.02 : 1)));
    this.#cluster = localCluster({
      now: () => this.timeline.nowMs,
      monotonic: () => this.timeline.nowMs,
      sleep: async () => {},
    });
    const seats = weather.isShared ? 2 : 1;
    this.#seats = Array.from({ length: seats }, () => undefined);
    this.#clockOffsetsMs = Array.from({ length: seats }, () => 0);
    this.#log = seed % 8 === 0 ? overheardLog(this.overheard, SECRETS) : silentLog;
    this.#premises = options.premises(this);
  }

  get isHealed(): boolean {
    return this.#isHealed;
  }

  /** From the first start to the day when everything must be in order. */
  async live(): Promise<void> {
    for (const seat of this.#seats.keys()) this.#start(seat);
    this.people.plan();
    this.#planTroubles();
    await this.timeline.run(this.startMs + this.weather.minutes * MINUTE_MS, () =>
      this.#nextDueMs(),
    );
    this.#heal();
    const endMs = this.timeline.nowMs + AFTERMATH_MS;
    await this.timeline.run(endMs, () => this.#nextDueMs());
  }

  /** Something happens to an instance or to its store that may swallow what it was told. */
  readonly trouble = (ms = 0): void => {
    const { nowMs } = this.timeline;
    this.troubles.push({ fromMs: nowMs, toMs: nowMs + ms });
  };

  /** Events that nobody has answered. */
  get unanswered(): number {
    return this.#unanswered.size;
  }

  /** Everything that was stored, read when all is over. */
  stored(): Promise<Stored> {
    return this.#premises.stored();
  }

  demolish(): void {
    this.#premises.demolish();
  }

  /** After a clock was set, stored times are those of another one: whoever naps looks for himself. */
  async #nextDueMs(): Promise<number> {
    const { nowMs } = this.timeline;
    if (nowMs <= this.#clockSetAtMs + 2 * NAP_MS) return nowMs;
    return this.#premises.nextDueMs(nowMs + NAP_MS);
  }

  #heal(): void {
    this.#isHealed = true;
    this.trace.note('everything heals');
    this.gateway.heal();
    this.people.heal();
    this.#premises.heal();
    for (const chat of this.chats) chat.heal();
    this.#clockOffsetsMs.fill(0);
    this.#clockSetAtMs = this.timeline.nowMs;
    for (const [seat, running] of this.#seats.entries()) {
      if (running === undefined) this.#start(seat);
      else if (running.instance.isPaused) running.instance.resume();
    }
  }

  /** At moments of their own, beside what happens in the middle of calls. */
  #planTroubles(): void {
    const { weather } = this;
    const plan = (perHour: number, act: () => void) => {
      const times = Math.min(MOST_TROUBLES, (perHour * weather.minutes) / 60);
      const number = Math.floor(times) + (this.#dice.chance(times % 1) ? 1 : 0);
      for (let index = 0; index < number; index++)
        this.timeline.after(this.#dice.whole(0, weather.minutes * MINUTE_MS), () => {
          if (!this.#isHealed) act();
        });
    };
    plan(weather.kills, () => this.#kill(this.#pickSeat(), 'killed'));
    plan(weather.stops, () => this.#stopCleanly(this.#pickSeat()));
    plan(weather.pauses, () => this.#pause(this.#pickSeat()));
    plan(weather.clockJumps, () => this.#setClock(this.#pickSeat()));
    plan(weather.gatewayDown, () =>
      this.gateway.goDown(this.#dice.whole(10_000, this.#longestMs())),
    );
    plan(weather.chatDown, () =>
      this.#dice
        .pick([...this.chats] as [SimulatedChat, ...SimulatedChat[]])
        .goDown(this.#dice.whole(10_000, this.#longestMs())),
    );
    const [slack, telegram] = this.chats;
    if (this.#dice.chance(weather.placeGone)) plan(1, () => slack?.lose(CHANNELS.slack));
    if (this.#dice.chance(weather.placeMoved))
      plan(1, () => telegram?.move(CHANNELS.telegram, `${CHANNELS.telegram}999`));
  }

  /** The longest that a service stays away. */
  #longestMs(): number {
    return (this.weather.minutes * MINUTE_MS) / 2;
  }

  #pickSeat(): number {
    return this.#dice.whole(0, this.#seats.length - 1);
  }

  #start(seat: number): void {
    const instance = new Instance({
      name: `i${++this.#instances}`,
      timeline: this.timeline,
      fatality: (mine, what) => this.#mayDie(seat, mine, what),
      offsetMs: () => this.#clockOffsetsMs[seat] ?? 0,
      napMs: () =>
        this.#isHealed || this.weather.minutes > 60 ? NAP_MS : Number.POSITIVE_INFINITY,
    });
    const running: Running = { instance };
    this.#seats[seat] = running;
    this.startsAtMs.push(this.timeline.nowMs);
    this.trace.note(`${instance.name} starts`);
    this.#boot(seat, running).catch((error: unknown) => {
      if (!instance.isAlive) return;
      this.trace.note(`${instance.name} cannot start: ${String(error)}`);
      if (!this.#premises.mayRefuse(error)) this.broken.push(`does not start: ${String(error)}`);
      this.#kill(seat, 'did not start');
    });
  }

  async #boot(seat: number, running: Running): Promise<void> {
    const { instance } = running;
    const opened = await this.#premises.open(instance, () => {
      if (this.#seats[seat] === running) this.#kill(seat, 'gave up');
    });
    const store = observedStore(opened, (change) => (result) => {
      // A stale draft has the id of the one that another instance stored.
      if (result !== 'stale') this.people.seeStored(change, result);
    });
    const engine = simulatedEngine({
      world: this,
      instance,
      store,
      cluster: this.#cluster,
      dice: this.#dice,
      log: this.#log,
    });
    await engine.start();
    this.trace.note(`${instance.name} is ready`);
    instance.isUp = true;
    running.engine = engine;
  }

  #mayDie(seat: number, instance: Instance, what: string): boolean {
    if (this.#isHealed) return false;
    if (!IDLE.test(what) && this.#dice.chance(this.weather.stalls)) this.#pause(seat);
    if (!this.#fatality(what)) return false;
    if (this.#seats[seat]?.instance === instance) this.#kill(seat, `died at ${what}`);
    return true;
  }

  #kill(seat: number, why: string): void {
    const running = this.#seats[seat];
    if (running === undefined) return;
    const { instance } = running;
    this.trace.note(`${instance.name} ${why}`);
    instance.kill();
    this.#premises.died(instance);
    this.trouble();
    this.#seats[seat] = undefined;
    this.timeline.after(this.#dice.whole(50, 4_000), () => {
      // A world that is broken already is not tried to death.
      if (this.#seats[seat] === undefined && this.broken.length === 0) this.#start(seat);
    });
    for (const [happening, by] of this.#unanswered)
      if (by === instance) this.#bringAgain(happening);
  }

  #stopCleanly(seat: number): void {
    const running = this.#seats[seat];
    if (running?.engine === undefined || running.instance.isPaused) return;
    const { instance, engine } = running;
    this.trace.note(`${instance.name} is asked to stop`);
    delete running.engine;
    const finish = async () => {
      await engine.stop();
      await this.#premises.close(instance);
      if (instance.isAlive) this.#kill(seat, 'has stopped');
    };
    finish().catch((error: unknown) => {
      if (!this.#premises.mayRefuse(error)) this.broken.push(`does not stop: ${String(error)}`);
      if (instance.isAlive) this.#kill(seat, 'could not stop');
    });
    this.timeline.after(20_000, () => {
      if (instance.isAlive) this.#kill(seat, 'took too long to stop');
    });
  }

  #pause(seat: number): void {
    const instance = this.#seats[seat]?.instance;
    if (instance === undefined || instance.isPaused) return;
    const ms = this.#dice.pick([2_000, 50_000, 100_000, 600_000]);
    this.trace.note(`${instance.name} stands still for ${ms}`);
    instance.pause();
    this.trouble(ms);
    this.timeline.after(ms, () => instance.resume());
  }

  #setClock(seat: number): void {
    // Not longer than what is edited later is kept: months and years are tried in test/faults/wrong-clock.test.ts.
    const hours = this.#dice.pick([0, 1 / 6, -1 / 6, 24, -24, 20 * 24]);
    const offset = hours * HOUR_MS;
    this.#clockOffsetsMs[seat] = offset;
    this.#clockSetAtMs = this.timeline.nowMs;
    this.trace.note(`the clock of ${seat} is wrong by ${offset}`);
  }

  /** A chat brings an event to some instance, and again when it was not acknowledged. */
  #bring(happening: Happening): void {
    const ready = this.#seats.filter((each) => each?.engine !== undefined);
    const running = ready[this.#dice.whole(0, Math.max(0, ready.length - 1))];
    if (running?.engine === undefined) {
      this.#bringAgain(happening);
      return;
    }
    const { instance, engine } = running;
    this.#unanswered.set(happening, instance);
    instance.hear(() => {
      this.people.reached(happening);
      const { what } = happening;
      const inbound = {
        caller: happening.caller,
        eventId: happening.eventId,
        surface: simulatedSurface(this, instance, happening),
        ...(what.kind === 'press'
          ? { pressed: pressedMessage(this, happening.caller, what.id) }
          : {}),
      };
      const handled = handOver(engine.router, inbound, what);
      handled.then(
        () => {
          if (!instance.isAlive) return;
          this.timeline.stir();
          this.trace.note(`${happening.eventId} handled`);
          this.#unanswered.delete(happening);
        },
        (error: unknown) => this.broken.push(`an event was not handled: ${String(error)}`),
      );
    });
  }

  #bringAgain(happening: Happening): void {
    this.#unanswered.delete(happening);
    this.timeline.after(this.#dice.whole(1_000, 30_000), () => this.#bring(happening));
  }

  #callBack(callback: { url: string; body: string }, heard: (status: number) => void): void {
    const running = this.#seats.find((each) => each?.engine !== undefined);
    const [, id = '', token = ''] = /\/callbacks\/([^/]+)\/([^/]+)$/.exec(callback.url) ?? [];
    if (running?.engine === undefined) return;
    const { instance, engine } = running;
    instance.hear(() => {
      if (!engine.callbacks.issued(id, token)) return heard(404);
      void engine.callbacks.receive(id, callback.body, 'application/json').then((status) => {
        if (!instance.isAlive) return;
        this.timeline.stir();
        heard(status);
      });
    });
  }
}
