import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Report, Task } from './tasks.ts';

/** Carries out tasks on all cores; `heard` is told of each report as it comes, and whether more is wanted. */
export const inThreads = async (
  tasks: readonly Task[],
  heard: (report: Report) => boolean,
): Promise<void> => {
  const left = tasks.toReversed();
  const threads = Math.min(availableParallelism(), left.length);
  await Promise.all(Array.from({ length: threads }, () => oneThread(left, heard)));
};

const oneThread = (left: Task[], heard: (report: Report) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./task-thread.ts', import.meta.url));
    const next = (): void => {
      const task = left.pop();
      if (task !== undefined) thread.postMessage(task);
      else void thread.terminate().then(() => resolve());
    };
    thread.on('error', reject);
    thread.on('message', (report: Report) => {
      if (!heard(report)) left.length = 0;
      next();
    });
    next();
  });
