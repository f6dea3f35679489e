import type { Processes, ProcessMark } from '../../src/core/store/process-mark.ts';

/** The processes of one machine that is not there: started, ended and forgotten at a word. */
export class MemoryProcesses {
  readonly #running = new Set<number>();
  #started = 0;
  #boots = 1;

  /** A new process, as a store sees itself and others. */
  start(): Processes {
    const pid = ++this.#started;
    this.#running.add(pid);
    const mark: ProcessMark = { pid, startedAt: `${pid}`, space: `boot ${this.#boots}` };
    return {
      host: () => 'machine',
      own: async () => mark,
      isRunning: async (other) => this.#running.has(other.pid),
    };
  }

  /** All of them die. */
  kill(): void {
    this.#running.clear();
  }

  /** The machine starts anew, so what was known of its processes means nothing any more. */
  reboot(): void {
    this.kill();
    this.#boots++;
  }
}
