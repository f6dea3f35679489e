import { openEmbeddedStore, type Retiring } from '../../src/core/store/embedded-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { Dice } from '../proof/storm/dice.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryDisk } from './memory-disk.ts';
import { MemoryProcesses } from './memory-processes.ts';
import { silentLog } from './silent-log.ts';

/** One machine whose disk is in memory, and the stores that processes open there. */
export class MemoryMachine {
  readonly dir = '/srv/data';
  readonly clock = new ManualClock();
  readonly processes = new MemoryProcesses();
  /** What the processes said when they could not go on. */
  readonly fatal: Error[] = [];
  disk: MemoryDisk;

  constructor(seed = 1) {
    const dice = new Dice(seed);
    this.disk = new MemoryDisk({
      random: () => dice.between(0, 1),
      now: () => this.clock.now(),
    });
  }

  /** A new process that opens the store. */
  start(disk = this.disk): Promise<Store & Retiring> {
    return openEmbeddedStore({
      dir: this.dir,
      clock: this.clock,
      log: silentLog,
      disk,
      processes: this.processes.start(),
      onFatal: (error) => this.fatal.push(error),
    });
  }

  /** All processes die, and what they were told is forgotten. */
  kill(): void {
    this.disk = this.disk.kill();
    this.processes.kill();
    this.fatal.length = 0;
  }
}
