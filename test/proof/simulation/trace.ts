import { createHash } from 'node:crypto';
import type { Timeline } from './timeline.ts';

/** What happened outside of Paythread, in order. The same seed and the same sources make the same trace. */
export class Trace {
  readonly lines: string[] = [];
  readonly #timeline: Timeline;
  readonly #startMs: number;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
    this.#startMs = timeline.nowMs;
  }

  note(what: string): void {
    this.lines.push(`${this.#timeline.nowMs - this.#startMs} ${what}`);
  }

  hash(): string {
    return createHash('sha256').update(this.lines.join('\n')).digest('hex');
  }
}
