import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/** What tells one process from another that has, or had, the same id. */
export type ProcessMark = {
  readonly pid: number;
  /** When it started, as the kernel counts; absent where there is no /proc. */
  readonly startedAt?: string;
  /** Within which process ids mean the same: one boot and one container; absent where there is no /proc. */
  readonly space?: string;
};

/** The processes that may want the same folder: which of them this one is, and which are still there. */
export interface Processes {
  host(): string;
  own(): Promise<ProcessMark>;
  isRunning(mark: ProcessMark): Promise<boolean>;
}

export const ownMark = async (): Promise<ProcessMark> => {
  const state = await stateOf(process.pid);
  const boot = await orUndefined(readFile('/proc/sys/kernel/random/boot_id', 'utf8'));
  const container = await orUndefined(readlink('/proc/self/ns/pid'));
  return {
    pid: process.pid,
    ...(state === undefined ? {} : { startedAt: state.startedAt }),
    ...(boot === undefined ? {} : { space: `${boot.trim()} ${container ?? ''}` }),
  };
};

/** Whether that very process still runs; only meaningful within its own space. */
export const isRunning = async ({ pid, startedAt }: ProcessMark): Promise<boolean> => {
  const state = await stateOf(pid);
  if (state === undefined) return answersSignals(pid);
  return !state.ended && (startedAt === undefined || startedAt === state.startedAt);
};

export const systemProcesses: Processes = {
  host: hostname,
  own: ownMark,
  isRunning,
};

/** Fields of /proc/<pid>/stat behind the name, which is in brackets and may contain anything. */
const STATE_FIELD = 0;
const START_TIME_FIELD = 19;

const stateOf = async (pid: number): Promise<{ startedAt: string; ended: boolean } | undefined> => {
  const text = await orUndefined(readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields?.[STATE_FIELD], fields?.[START_TIME_FIELD]];
  if (state === undefined || startedAt === undefined) return undefined;
  // A zombie ended and only waits for its parent to notice.
  return { startedAt, ended: state === 'Z' || state === 'X' };
};

const answersSignals = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, but somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** For files that some systems do not have. */
const orUndefined = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch(() => undefined);
