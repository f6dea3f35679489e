import type { Disk, DiskFile } from '../../../src/core/store/disk.ts';
import type { DiskOperation, MemoryDisk } from '../../support/memory-disk.ts';
import type { Instance } from './instance.ts';
import type { Timeline } from './timeline.ts';

type Way = {
  readonly instance: Instance;
  readonly timeline: Timeline;
  readonly tookMs: (kind: DiskOperation['kind']) => number;
};

/** A disk as one instance reaches it: it may die at each operation, and a slow one takes its time. */
export const reachedDisk = (disk: MemoryDisk, way: Way): Disk => {
  const { instance, timeline, tookMs } = way;
  const ask = <T>(kind: DiskOperation['kind'], work: () => Promise<T>): Promise<T> =>
    instance.call(`disk ${kind}`, (answer, fail) => {
      const begin = () => void work().then(answer, fail);
      const ms = tookMs(kind);
      if (ms === 0) begin();
      else timeline.after(ms, begin);
    });
  const reachedFile = (file: DiskFile): DiskFile => ({
    read: (...args) => ask('read', () => file.read(...args)),
    write: (...args) => ask('write', () => file.write(...args)),
    truncate: (...args) => ask('truncate', () => file.truncate(...args)),
    datasync: () => ask('datasync', () => file.datasync()),
    sync: () => ask('sync', () => file.sync()),
    stat: () => ask('stat', () => file.stat()),
    utimes: (...args) => ask('utimes', () => file.utimes(...args)),
    close: () => ask('close', () => file.close()),
  });
  return {
    open: async (...args) => reachedFile(await ask('open', () => disk.open(...args))),
    readFile: (...args) => ask('readFile', () => disk.readFile(...args)),
    stat: (...args) => ask('stat', () => disk.stat(...args)),
    statSync: (path) => (instance.isAlive ? disk.statSync(path) : undefined),
    readdir: (...args) => ask('readdir', () => disk.readdir(...args)),
    mkdir: (...args) => ask('mkdir', () => disk.mkdir(...args)),
    rmdir: (...args) => ask('rmdir', () => disk.rmdir(...args)),
    rename: (...args) => ask('rename', () => disk.rename(...args)),
    link: (...args) => ask('link', () => disk.link(...args)),
    rm: (...args) => ask('rm', () => disk.rm(...args)),
  };
};
