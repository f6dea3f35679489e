import { type Disk, systemDisk } from '../../src/core/store/disk.ts';

/** The real disk, but what a commit waits for is `flush` instead of fdatasync. */
export const diskWithFlush = (flush: () => Promise<void>): Disk => ({
  ...systemDisk,
  open: async (path, flags) => {
    const file = await systemDisk.open(path, flags);
    file.datasync = flush;
    return file;
  },
});
