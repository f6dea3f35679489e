import { parentPort } from 'node:worker_threads';
import { carryOut, type Task } from './tasks.ts';

/** One thread of `npm run simulate`: carries out the tasks it is given, one after the other. */
parentPort?.on('message', (task: Task) => {
  // A mistake of the simulation itself ends the thread, and with it the run.
  void carryOut(task).then((report) => parentPort?.postMessage(report));
});
