import type { Dice } from '../storm/dice.ts';
import type { Charge } from './charges.ts';
import type { Timeline } from './timeline.ts';
import type { Trace } from './trace.ts';
import { calmWeather, type Weather } from './weather.ts';

/** Brings a callback to an instance; `heard` with the answer, or never. */
export type SendCallback = (
  callback: { readonly url: string; readonly body: string },
  heard: (status: number) => void,
) => void;

const MINUTE_MS = 60_000;
const MOST_TRIES = 4;

/** The service's callbacks, and those of others who know the address. */
export class CallbackSender {
  /** Those that were answered with 200, and when. */
  readonly heard: { readonly id: string; readonly atMs: number }[] = [];
  readonly #timeline: Timeline;
  readonly #trace: Trace;
  readonly #send: SendCallback;
  readonly #dice: Dice;
  #weather: Weather;

  constructor(options: {
    timeline: Timeline;
    trace: Trace;
    weather: Weather;
    dice: Dice;
    send: SendCallback;
  }) {
    this.#timeline = options.timeline;
    this.#trace = options.trace;
    this.#send = options.send;
    this.#dice = options.dice;
    this.#weather = options.weather;
  }

  heal(): void {
    this.#weather = calmWeather(this.#weather);
  }

  /** Plans what will be called back about a charge. */
  owe(charge: Charge, dice: Dice): void {
    const weather = this.#weather;
    if (dice.chance(weather.callbackForged)) this.#forge(charge, dice);
    for (const truth of charge.truths) {
      if (dice.chance(weather.callbackLost)) continue;
      const word = dice.chance(weather.callbackFalse) ? opposite(truth.word) : truth.word;
      const lateMs = dice.chance(weather.callbackLate) ? dice.whole(0, 60 * MINUTE_MS) : 0;
      const inMs = truth.atMs - this.#timeline.nowMs + dice.whole(10, 1_500) + lateMs;
      this.#timeline.after(inMs, () => this.send(charge, word));
      const copies = dice.chance(weather.callbackTwice) ? dice.whole(1, 20) : 0;
      for (let copy = 0; copy < copies; copy++)
        this.#timeline.after(inMs + dice.whole(0, 5_000), () => this.send(charge, word));
    }
  }

  send(charge: Charge, word: string, tries = 1): void {
    this.#trace.note(`callback ${charge.id} ${word}`);
    const { id, amountMinor, callbackUrl: url } = charge;
    const body = JSON.stringify({
      response_code: '000',
      response_message: 'Transaction processed',
      transaction_id: id,
      status: word,
      amount: amountMinor / 100,
    });
    let answered = false;
    this.#send({ url, body }, (status) => {
      answered = true;
      this.#trace.note(`callback answered ${status}`);
      if (status === 200) this.heard.push({ id, atMs: this.#timeline.nowMs });
      else this.#again(charge, word, tries);
    });
    // Not every service asks again; this one does for a while.
    this.#timeline.after(10_000, () => {
      if (!answered) this.#again(charge, word, tries);
    });
  }

  #again(charge: Charge, word: string, tries: number): void {
    if (tries < MOST_TRIES)
      this.#timeline.after(this.#dice.whole(5_000, 60_000), () =>
        this.send(charge, word, tries + 1),
      );
  }

  /** Somebody who knows the address, and says what suits him. */
  #forge(charge: Charge, dice: Dice): void {
    const body = dice.pick([
      JSON.stringify({ status: 'completed', transaction_id: charge.id, amount: 1 }),
      JSON.stringify({ response_data: { status: 'failed', transaction_id: charge.id } }),
      'status=completed',
      '{"status":"completed","status":"failed"}',
      '',
    ]);
    const url = dice.chance(0.3) ? `${charge.callbackUrl.slice(0, -2)}00` : charge.callbackUrl;
    this.#timeline.after(dice.whole(0, 20 * MINUTE_MS), () => {
      this.#trace.note(`forged callback ${charge.id}`);
      this.#send({ url, body }, () => {});
    });
  }
}

const opposite = (word: 'completed' | 'failed') => (word === 'completed' ? 'failed' : 'completed');
