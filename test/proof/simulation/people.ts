import type { Card } from '../../../src/commands/cards/card.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import type { Change } from '../../../src/core/records/records.ts';
import type { SmsBatch } from '../../../src/core/records/sms-batch.ts';
import { cardText, factOf } from '../../support/card-text.ts';
import { Dice } from '../storm/dice.ts';
import type { Message } from './chat.ts';
import { Forgers } from './forgers.ts';
import { Givers } from './givers.ts';
import type { Habits, LevelChange } from './habits.ts';
import {
  draftIn,
  FILE_VERBS,
  type FiledRow,
  type Happening,
  isRun,
  type LevelSet,
  levelIn,
  type Order,
  PRESSED_ON_CARDS,
  PRESSED_ON_RUNS,
  type Press,
  pressesOf,
  type Question,
  type Shown,
  wordsOf,
} from './happenings.ts';
import { ADMINISTRATOR, CHANNELS, FORGERS, SEATS } from './seats.ts';
import { type Seller, Staff } from './staff.ts';
import type { Timeline } from './timeline.ts';
import type { Trace } from './trace.ts';
import { calmWeather, type Weather } from './weather.ts';

const MINUTE_MS = 60_000;
/** People press what an answer shows. Where deaths have each answer shown again, that would never end. */
const MOST_EVENTS = 2_000;
/** Sales people of two chats: they type charges, and press what they are shown, as people do. */
export class People {
  readonly staff: Staff;
  readonly orders: Order[] = [];
  readonly shown: Shown[] = [];
  readonly presses: Press[] = [];
  /** Events whose answer is a message that follows. */
  readonly followed = new Set<string>();
  /** SMS about payments, as they were stored before they went out. */
  readonly texted: SmsBatch[] = [];
  readonly questions: Question[] = [];
  readonly levelsSet: LevelSet[] = [];
  readonly filed: FiledRow[] = [];
  /** The questions that showed a file. */
  readonly fileQuestions = new Set<string>();
  /** What the planned orders ask for. */
  readonly #planned: Pick<FiledRow, 'number' | 'amountMinor'>[] = [];
  readonly #timeline: Timeline;
  readonly #trace: Trace;
  readonly #dice: Dice;
  readonly #bring: (happening: Happening) => void;
  readonly #forgers: Forgers;
  readonly #habits: Habits;
  readonly #givers: Givers;
  #weather: Weather;
  #events = 0;

  /** What the charge of each draft will be called: no question says it. */
  readonly #transactionIds = new Map<string, string>();

  constructor(options: {
    timeline: Timeline;
    trace: Trace;
    weather: Weather;
    habits: Habits;
    seed: number;
    dice: Dice;
    bring: (happening: Happening) => void;
  }) {
    this.#timeline = options.timeline;
    this.#trace = options.trace;
    this.#weather = options.weather;
    this.#habits = options.habits;
    this.#dice = options.dice;
    this.#bring = options.bring;
    this.#forgers = new Forgers(
      new Dice(options.seed ^ 0xf026),
      this.#habits.hasMerchants === true ? [...FORGERS, ...SEATS] : FORGERS,
    );
    this.#givers = new Givers(new Dice(options.seed ^ 0x9be));
    this.staff = new Staff(options);
  }

  heal(): void {
    this.#weather = calmWeather(this.#weather);
  }

  /** Plans what is typed while there is weather. */
  plan(): void {
    const { minutes, orders } = this.#weather;
    for (let index = 0; index < orders; index++) {
      const inMs = this.#dice.whole(0, (minutes - 5) * MINUTE_MS);
      const seller = this.#pickSeller();
      const amountMinor = 1_000 + 100 * index + this.#dice.whole(0, 99) * 1_000;
      const number = `024${String(4_000_000 + this.#dice.whole(0, 999_999))}`;
      this.#planned.push({ number, amountMinor });
      this.#timeline.after(inMs, () => this.#order(seller, number, amountMinor, false));
      if (!this.#dice.chance(this.#weather.repeatsOrder)) continue;
      const again = this.#dice.chance(0.7) ? seller : this.#pickSeller();
      const laterMs = inMs + this.#dice.whole(0, this.#dice.chance(0.5) ? 5_000 : 4 * MINUTE_MS);
      this.#timeline.after(laterMs, () => this.#order(again, number, amountMinor, true));
    }
    for (const seller of this.staff.sellers)
      if (this.#dice.chance(this.#weather.revokes))
        this.#timeline.after(this.#dice.whole(0, minutes * MINUTE_MS), () => {
          seller.maySell = false;
          this.#trace.note(`${seller.caller.id} may not sell any more`);
        });
    this.#planAccess();
    if (this.#habits.receipt !== undefined) this.#planTexts();
    for (let file = 0; file < (this.#habits.files ?? 0); file++) this.#planFile(file);
    for (let time = 0; time < (this.#habits.closes ?? 0); time++)
      this.#timeline.after(this.#dice.whole(0, minutes * MINUTE_MS), () => {
        const words = this.#dice.pick(['', 'today', 'yesterday']);
        this.#act(ADMINISTRATOR, { kind: 'command', name: 'close', words });
      });
    for (let time = 0; time < (this.#habits.forgeries ?? 0); time++)
      this.#timeline.after(time * (minutes - 2) * 1_000, () => this.#forge());
    for (const change of this.#habits.levelsSet ?? [])
      this.#timeline.after(change.atMinutes * MINUTE_MS, () => this.#setLevel(change));
  }

  /** Strangers charge before they may, while they may, and after it was taken back. */
  #planAccess(): void {
    const { minutes } = this.#weather;
    const within = (act: () => void) =>
      this.#timeline.after(this.#dice.whole(0, (minutes - 2) * MINUTE_MS), act);
    for (const [index, stranger] of this.staff.strangers.entries()) {
      for (let order = 0; order < 3; order++) {
        const number = `0245${index}0000${order}`;
        within(() => this.#order(stranger, number, 700_000 + 10 * index + order, false));
      }
      within(() => this.#act(ADMINISTRATOR, { kind: 'command', name: 'access', words: '' }));
    }
  }

  /** SMS that are typed; receipts and reminders are pressed for where a card offers them. */
  #planTexts(): void {
    const { minutes } = this.#weather;
    for (let index = 0; index < 2; index++)
      this.#timeline.after(this.#dice.whole(0, (minutes - 2) * MINUTE_MS), () => {
        const words = `024700000${index},024700001${index} Order ${index} is ready`;
        this.#act(this.#pickSeller().caller, { kind: 'command', name: 'sms', words });
      });
  }

  /** Some files are sent a second time, by anyone. */
  #planFile(file: number): void {
    const dice = this.#dice;
    const { minutes } = this.#weather;
    const seller = this.#pickSeller();
    const kind = this.#habits.receipt !== undefined && dice.chance(0.4) ? 'sms' : 'charge';
    const rows = Array.from({ length: dice.whole(1, 14) }, (_, row): FiledRow => {
      const wanted = {
        number: `024${String(5_000_000 + 1_000 * file + row)}`,
        amountMinor: 100 * (file + 1) + row + (dice.chance(0.05) ? 100_000 : 0),
      };
      const { number, amountMinor } = this.#wantedAlready(kind) ?? wanted;
      const reference = `${kind} file ${file} row ${row}`;
      return { kind, seller: seller.caller, number, amountMinor, reference };
    });
    this.filed.push(...rows);
    this.#orderLike(kind === 'charge' ? rows : []);
    const text = [
      'number,amount,reference',
      ...rows.map((row) => `${row.number},${(row.amountMinor / 100).toFixed(2)},${row.reference}`),
    ].join('\n');
    const what = { kind: 'file', words: kind === 'sms' ? 'sms @filed' : '', text } as const;
    const inMs = dice.whole(0, (minutes - 5) * MINUTE_MS);
    this.#timeline.after(inMs, () => this.#act(seller.caller, what));
    if (!dice.chance(0.4)) return;
    const again = dice.chance(0.5) ? seller : this.#pickSeller();
    const laterMs = inMs + dice.whole(0, dice.pick([3_000, 120_000, 6 * MINUTE_MS]));
    this.#timeline.after(laterMs, () => this.#act(again.caller, what));
  }

  /** What a row of an earlier file asks for, or a typed charge. */
  #wantedAlready(kind: FiledRow['kind']): Pick<FiledRow, 'number' | 'amountMinor'> | undefined {
    const { repeats } = this.#habits;
    if (repeats === undefined || !this.#dice.chance(repeats)) return undefined;
    const known = [...this.filed.filter((row) => row.kind === kind), ...this.#planned];
    return known[this.#dice.whole(0, known.length - 1)];
  }

  /** Some of the customers of a file are asked by typed charges as well, before it, while it goes on, or after it. */
  #orderLike(rows: readonly FiledRow[]): void {
    const { repeats } = this.#habits;
    if (repeats === undefined) return;
    for (const { number, amountMinor } of rows)
      if (this.#dice.chance(repeats / 4))
        this.#timeline.after(this.#dice.whole(0, (this.#weather.minutes - 5) * MINUTE_MS), () =>
          this.#order(this.#pickSeller(), number, amountMinor, true),
        );
  }

  #setLevel({ platform, level, by, how }: LevelChange): void {
    const conversation = { platform, channel: CHANNELS[platform] };
    const caller =
      by === 'seller' ? this.#pickSeller().caller : { ...ADMINISTRATOR, platform, conversation };
    const what =
      how === 'press'
        ? ({ kind: 'press', verb: 'notify', id: level } as const)
        : ({ kind: 'command', name: 'notify', words: level } as const);
    this.#act(caller, what);
  }

  /** Whoever acted sees a card; `replace` and `say` are the same to the eye. */
  see(happening: Happening, card: Card): void {
    this.#trace.note(`${happening.caller.id} sees ${cardText(card)}`);
    this.#forgers.overhear(card);
    this.shown.push({ atMs: this.#timeline.nowMs, happening, card });
    const { what, caller } = happening;
    // Another answer says that it could not be taken back.
    const isTaken = /^(?:Access given|No access was given) in the chat$/.test(card.title);
    if (
      what.kind === 'press' &&
      what.verb === 'take-back' &&
      isTaken &&
      caller.id === ADMINISTRATOR.id
    )
      this.staff.hold(what.id, (given, requestId) => given.delete(requestId));
    this.#consider(happening.caller, card);
  }

  /** A message that everybody in a conversation sees; only questions call for something. */
  seePosted(platform: string, { channel }: Message, card: Card): void {
    this.#forgers.overhear(card);
    // A question; the buttons of a payment card ask nothing of anybody.
    if (!card.buttons?.some((button) => button.kind === 'press' && button.aside !== true)) return;
    if (isRun(card)) {
      this.#seeRun(platform, card);
      return;
    }
    if (channel === CHANNELS.operators) {
      this.#consider(ADMINISTRATOR, card);
      return;
    }
    const approver = this.staff.sellers.find(
      ({ caller, approves }) =>
        approves && caller.platform === platform && caller.conversation.channel === channel,
    );
    if (approver !== undefined) this.#consider(approver.caller, card);
  }

  /** A payment card: some ask again or have an SMS sent, at once or later, and press twice as with any button. */
  seeEdited(platform: string, card: Card): void {
    this.#forgers.overhear(card);
    for (const { verb, id } of pressesOf(card))
      if (PRESSED_ON_CARDS.has(verb) && this.#dice.chance(0.5))
        this.#pressOnCard(platform, verb, id);
    if (this.#habits.givesBack) this.#giveBack(platform, card);
    this.#seeRun(platform, card);
  }

  /** Of what is paid some give back a part or all of it, perhaps too much, two at once, or write a note. */
  #giveBack(platform: string, card: Card): void {
    const colleagues = this.staff.sellers.filter(({ caller }) => caller.platform === platform);
    for (const answers of this.#givers.answersTo(card)) {
      const { caller } =
        colleagues[this.#givers.whole(0, colleagues.length - 1)] ?? this.#pickSeller();
      const inMs = this.#givers.whole(500, 60_000);
      this.#timeline.after(inMs, () => this.#act(caller, { kind: 'form', ...answers }));
    }
  }

  /** The card of a file's run: now and then somebody pauses or stops it, and most go on. */
  #seeRun(platform: string, card: Card): void {
    for (const { verb, id } of pressesOf(card)) {
      const isAgain = verb === 'bulk-again' && this.#habits.repeats !== undefined;
      const chance = isAgain ? 0.3 : (PRESSED_ON_RUNS[verb.replace(/^(bulk|sms)-/, '')] ?? 0);
      if (this.#dice.chance(chance)) this.#pressOnCard(platform, verb, id);
    }
  }

  #pressOnCard(platform: string, verb: string, id: string): void {
    const colleagues = this.staff.sellers.filter(({ caller }) => caller.platform === platform);
    const times = this.#dice.chance(this.#weather.doublePress) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      const { caller } =
        colleagues[this.#dice.whole(0, colleagues.length - 1)] ?? this.#pickSeller();
      const inMs = this.#dice.whole(1_000, this.#dice.pick([3_000, 120_000]));
      this.#timeline.after(inMs, () => this.#act(caller, { kind: 'press', verb, id }));
    }
  }

  /** An event reached an instance. */
  reached({ eventId, caller, what }: Happening): void {
    const level = levelIn(what);
    if (level !== undefined && caller.id === ADMINISTRATOR.id) {
      const { platform, channel } = caller.conversation;
      this.levelsSet.push({ atMs: this.#timeline.nowMs, eventId, platform, channel, level });
    }
    if (what.kind !== 'press') return;
    const { verb, id } = what;
    if (verb === 'give-role' && caller.id === ADMINISTRATOR.id)
      this.staff.hold(id, (given, requestId) => given.add(requestId));
    const seller = this.staff.find(caller);
    const maySell = seller?.given === undefined ? seller?.maySell === true : seller.given.size > 0;
    this.presses.push({ atMs: this.#timeline.nowMs, eventId, caller, verb, id, maySell });
  }

  #forge(): void {
    const forged = this.#forgers.forge();
    if (forged !== undefined) this.#act(forged.caller, { kind: 'press', ...forged.press });
  }

  /** Sees what is stored, as no one in a chat does. `failed`: it may be, unless another of its id is known to be. */
  seeStored({ put = [] }: Change, result: 'stored' | 'failed'): void {
    for (const { kind, record } of put) {
      const isNews = result === 'stored' || !this.#transactionIds.has(record.id);
      if (kind === 'draft' && record.kind === 'charge' && isNews)
        this.#transactionIds.set(record.id, record.paymentId);
      if (
        kind === 'sms' &&
        record.about !== undefined &&
        record.chunks.every(({ state }) => state === 'waiting')
      )
        this.texted.push(record);
    }
  }

  #order(seller: Seller, number: string, amountMinor: number, isRepeat: boolean): void {
    const typedAtMs = this.#timeline.nowMs;
    this.orders.push({ seller: seller.caller, number, amountMinor, typedAtMs, isRepeat });
    const words = `${number} ${(amountMinor / 100).toFixed(2)} GHS`;
    this.#act(seller.caller, { kind: 'command', name: 'charge', words });
  }

  #consider(caller: Caller, card: Card): void {
    const presses = pressesOf(card);
    const [first, second] = presses;
    if (first?.verb === 'give-role') this.staff.note(first.id, card);
    // What else can be set is no question.
    if (first === undefined || first.verb === 'notify' || isRun(card)) return;
    if (FILE_VERBS.has(first.verb)) this.fileQuestions.add(draftIn(first.id));
    const transactionId = this.#transactionIds.get(draftIn(first.id));
    if (factOf(card, 'Amount') !== undefined && !FILE_VERBS.has(first.verb))
      this.questions.push({
        atMs: this.#timeline.nowMs,
        card,
        transactionId,
        buttonId: first.id,
        channel: caller.conversation.channel,
        viewer: caller,
      });
    const dice = this.#dice;
    const mood = dice.between(0, 1);
    if (mood < 0.05) return;
    const button = mood < 0.12 && second !== undefined ? second : first;
    const lateMs = dice.chance(this.#weather.latePress) ? dice.whole(9, 13) * MINUTE_MS : 0;
    const inMs = dice.whole(800, 6_000) + lateMs;
    const { verb, id } = button;
    const press = (by: Caller, ms: number) =>
      this.#timeline.after(ms, () => this.#act(by, { kind: 'press', verb, id }));
    press(caller, inMs);
    if (dice.chance(this.#weather.doublePress))
      press(caller, inMs + dice.pick([0, 30, 300, 5_000, 90_000]));
    if (dice.chance(this.#weather.colleaguePresses)) press(this.#pickSeller().caller, inMs);
    if (verb === 'charge' && transactionId !== undefined && dice.chance(this.#weather.asksStatus))
      this.#askStatus(caller, transactionId, inMs);
  }

  /** Once, or again and again, as impatient people do. */
  #askStatus(caller: Caller, transactionId: string, afterMs: number): void {
    const times = this.#dice.pick([1, 1, 1, 60]);
    for (let time = 0; time < times; time++)
      this.#timeline.after(afterMs + this.#dice.whole(500, times === 1 ? 300_000 : 20_000), () =>
        this.#act(caller, { kind: 'command', name: 'status', words: transactionId }),
      );
  }

  #act(caller: Caller, what: Happening['what']): void {
    if (this.#events >= MOST_EVENTS) return;
    const happening = { eventId: `event-${++this.#events}`, caller, what };
    this.#trace.note(`${caller.id} ${happening.eventId} ${wordsOf(what)}`);
    this.#bring(happening);
    if (this.#dice.chance(this.#weather.redelivery))
      this.#timeline.after(this.#dice.pick([0, 20, 3_000, 70_000]), () => this.#bring(happening));
  }

  #pickSeller(): Seller {
    const { sellers } = this.staff;
    const seller = sellers[this.#dice.whole(0, sellers.length - 1)];
    if (seller === undefined) throw new Error('nobody sells');
    return seller;
  }
}
