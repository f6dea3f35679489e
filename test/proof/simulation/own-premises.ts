import type { Queue } from '../../../src/core/records/due.ts';
import type { AuditRow, Put } from '../../../src/core/records/records.ts';
import type { Clock } from '../../../src/core/runtime/clock.ts';
import { openEmbeddedStore } from '../../../src/core/store/embedded-store.ts';
import type { Processes } from '../../../src/core/store/process-mark.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { StoredFolder } from '../../../src/core/store/stored-folder.ts';
import { type DiskFault, type DiskOperation, MemoryDisk } from '../../support/memory-disk.ts';
import { silentLog } from '../../support/silent-log.ts';
import type { Dice } from '../storm/dice.ts';
import type { Instance } from './instance.ts';
import type { Premises, Stored } from './premises.ts';
import { reachedDisk } from './reached-disk.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

const DIR = '/data';
const QUEUES: readonly Queue[] = ['submit', 'check', 'notice', 'sms', 'tidy'];
/** What a disk that fails does not do. */
const MAY_FAIL: ReadonlySet<DiskOperation['kind']> = new Set([
  'write',
  'datasync',
  'sync',
  'rename',
]);

/** The embedded store, as it is, on a disk that forgets what was not flushed when the power is cut. */
export const ownPremises = (options: {
  timeline: Timeline;
  dice: Dice;
  weather: Weather;
}): Premises => {
  const { timeline, dice, weather } = options;
  let isHealed = false;
  let pid = 0;
  let disk = new MemoryDisk({ random: () => dice.between(0, 1), now: () => timeline.nowMs });
  let failed: MemoryDisk | undefined;
  let open: { instance: Instance; store: Store } | undefined;
  const living = new Set<number>();

  const fault = ({ kind }: DiskOperation): DiskFault | undefined => {
    if (isHealed || !MAY_FAIL.has(kind) || !dice.chance(weather.failingStore)) return undefined;
    failed = disk;
    return kind === 'write' ? dice.pick(['EIO', 'ENOSPC', 'short']) : 'EIO';
  };
  const tookMs = (kind: DiskOperation['kind']): number =>
    !isHealed && kind === 'datasync' && dice.chance(weather.slowStore) ? dice.whole(1, 2_000) : 0;

  const newProcess = (): Processes => {
    const own = ++pid;
    living.clear();
    living.add(own);
    return {
      host: () => 'here',
      own: async () => ({ pid: own, space: 'here' }),
      isRunning: async (mark) => living.has(mark.pid),
    };
  };

  return {
    open: async (instance, onFatal) => {
      disk.fault = fault;
      const store = await openEmbeddedStore({
        dir: DIR,
        clock: instance.idleClock,
        log: silentLog,
        onFatal,
        disk: reachedDisk(disk, { instance, timeline, tookMs }),
        processes: newProcess(),
      });
      open = { instance, store };
      return store;
    },
    close: async (instance) => {
      if (open?.instance !== instance) return;
      const { store } = open;
      open = undefined;
      await store.close();
    },
    died: () => {
      open = undefined;
      // kill -9 leaves what the system has not flushed yet; a power cut does not.
      disk = dice.chance(0.5) ? disk.crash() : disk.kill();
    },
    // A disk that failed nobody and a store that does not start: then something is lost for good.
    mayRefuse: () => failed === disk,
    heal: () => {
      isHealed = true;
    },
    nextDueMs: async (overdueMs) => {
      if (open === undefined) return Number.POSITIVE_INFINITY;
      const { store } = open;
      const times = await Promise.all(QUEUES.map((queue) => store.nextDueMs(queue)));
      const nextMs = Math.min(...times.map((ms) => ms ?? Number.POSITIVE_INFINITY));
      return nextMs <= timeline.nowMs ? overdueMs : nextMs;
    },
    stored: async () => readStored(disk.kill(), newProcess(), timeline),
  };
};

const readStored = async (
  disk: MemoryDisk,
  processes: Processes,
  timeline: Timeline,
): Promise<Stored> => {
  const clock: Clock = {
    now: () => timeline.nowMs,
    monotonic: () => timeline.nowMs,
    // A lock that cannot be read is watched for a while; nobody is left to touch it.
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  };
  // Without a line in a journal nothing was ever stored; whether that can be, the others' books tell.
  const journals = (await disk.readdir(DIR)).filter((name) => name.startsWith('journal'));
  const texts = await Promise.all(journals.map((name) => disk.readFile(`${DIR}/${name}`)));
  if (texts.every(({ length }) => length === 0)) return { records: [], audit: [] };
  const folder = await StoredFolder.open({ dir: DIR, disk, processes, clock, log: silentLog });
  const [records, audit]: [Put[], AuditRow[]] = [[], []];
  try {
    for await (const put of folder.records()) records.push(put);
    for await (const row of folder.audit()) audit.push(row);
  } finally {
    await folder.close();
  }
  return { records, audit };
};
