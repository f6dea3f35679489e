import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/runtime/clock.ts';
import { InFlight } from '../../core/runtime/in-flight.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Practice } from './practice.ts';

/** Each is a program of its own, of some ten megabytes. */
const MOST_VISITS = 4;
export const VISIT_MS = 30 * 60_000;
/** A page that is open asks several times a minute; one that is closed gives its place to the next. */
const IDLE_MS = 60_000;
const MINUTE_MS = 60_000;

export type Visit = {
  readonly id: string;
  readonly practice: Practice;
  readonly endsAtMs: number;
  seenAtMs: number;
};

export type VisitOptions = {
  readonly open: () => Promise<Practice>;
  readonly clock: Clock;
  readonly log: Log;
};

/** The visits of the practice page: few at a time, and each ends by itself. */
export class Visits {
  readonly #options: VisitOptions;
  readonly #visits = new Map<string, Visit>();
  readonly #stopping = new AbortController();
  readonly #ends = new InFlight();
  #opening = 0;

  constructor(options: VisitOptions) {
    this.#options = options;
  }

  /** Undefined: there are as many as may be, and each of them is in use. */
  async begin(): Promise<Visit | undefined> {
    if (this.#stopping.signal.aborted || !this.#hasRoom()) return undefined;
    const { open, clock } = this.#options;
    this.#opening += 1;
    try {
      const practice = await open();
      if (this.#stopping.signal.aborted) {
        await practice.stop();
        return undefined;
      }
      const seenAtMs = clock.now();
      const id = randomBytes(18).toString('base64url');
      const visit = { id, practice, seenAtMs, endsAtMs: seenAtMs + VISIT_MS };
      this.#visits.set(id, visit);
      void clock.sleep(VISIT_MS, this.#stopping.signal).then(() => this.end(id));
      return visit;
    } finally {
      this.#opening -= 1;
    }
  }

  /** Undefined: it is over, or there never was one. */
  find(id: string): Visit | undefined {
    const visit = this.#visits.get(id);
    if (visit !== undefined) visit.seenAtMs = this.#options.clock.now();
    return visit;
  }

  minutesLeft({ endsAtMs }: Visit): number {
    return Math.max(0, Math.ceil((endsAtMs - this.#options.clock.now()) / MINUTE_MS));
  }

  async end(id: string): Promise<void> {
    const visit = this.#visits.get(id);
    if (visit === undefined) return;
    this.#visits.delete(id);
    const ended = visit.practice
      .stop()
      .catch((error) => this.#options.log.error({ err: error }, 'a visit could not be ended'));
    await this.#ends.add(ended);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const id of this.#visits.keys()) void this.end(id);
    await this.#ends.ended();
  }

  /** Ends the visit that was idle longest where that makes room. */
  #hasRoom(): boolean {
    if (this.#visits.size + this.#opening < MOST_VISITS) return true;
    const nowMs = this.#options.clock.now();
    const idle = [...this.#visits.values()]
      .filter(({ seenAtMs }) => nowMs - seenAtMs > IDLE_MS)
      .sort((a, b) => a.seenAtMs - b.seenAtMs)[0];
    if (idle === undefined) return false;
    void this.end(idle.id);
    return true;
  }
}
