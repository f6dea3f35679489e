import { existsSync, readFileSync, statfsSync } from 'node:fs';

const IN_MEMORY = '/dev/shm';
/** Each file of tests has a database of its own, and some a whole server. */
const LEAST_FREE_BYTES = 4 * 2 ** 30;

/**
 * A folder in memory for the temporary folders of tests, where the system has one with room for them: hundreds of
 * databases are made and flushed, and nobody looks for them after a power cut. Undefined otherwise.
 */
export const memoryFolder = (): string | undefined => {
  if (!existsSync(IN_MEMORY) || !mayHoldLibraries()) return undefined;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < LEAST_FREE_BYTES ? undefined : IN_MEMORY;
};

/** Some tests build a library and load it. */
const mayHoldLibraries = (): boolean => {
  const mounted = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounted.find((line) => line.split(' ')[1] === IN_MEMORY)?.split(' ')[3];
  return options?.split(',').includes('noexec') === false;
};
