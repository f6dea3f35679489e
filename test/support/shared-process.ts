import { afterAll, expect } from 'vitest';

/*
 * A process runs many test files (`isolate: false`): starting one and loading all modules again for each file took a
 * third of the CPU of `npm test`. Modules of `src` keep no state, but a change to the process itself would reach the
 * files that come after. A file that leaves one of these changed fails here.
 */
const stateOfProcess = () => ({
  workingDirectory: process.cwd(),
  umask: process.umask(),
  environment: { ...process.env },
  fetch: globalThis.fetch,
  rejectionListeners: process.listenerCount('unhandledRejection'),
  exceptionListeners: process.listenerCount('uncaughtException'),
});

const before = stateOfProcess();

afterAll(() => {
  expect(stateOfProcess(), 'what this file left changed in the process').toEqual(before);
});
