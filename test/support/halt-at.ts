import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { FAILPOINT_CHANNEL, type FailpointHit } from '../../src/core/runtime/failpoints.ts';

/**
 * Loaded before the program (`node --import`): at the moment HALT_AT, once, the process is stopped by
 * SIGSTOP until somebody continues it, and HALT_MS have then gone by on its clocks; or, with HALT_BLOCKS,
 * its event loop is blocked for HALT_MS of real time. With HALT_THEN, the name of another channel, it is
 * what is published there next that halts it.
 */
const haltMs = Number(process.env['HALT_MS'] ?? 0);
const { now: nowMs } = Date;
const monotonicMs = performance.now.bind(performance);

const halt = (): void => {
  if (process.env['HALT_BLOCKS'] !== undefined) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, haltMs);
    return;
  }
  // It stands still before the call returns.
  process.kill(process.pid, 'SIGSTOP');
  Date.now = () => nowMs() + haltMs;
  performance.now = () => monotonicMs() + haltMs;
};

const haltThen = process.env['HALT_THEN'];

const listener = (message: unknown): void => {
  if ((message as FailpointHit).name !== process.env['HALT_AT']) return;
  unsubscribe(FAILPOINT_CHANNEL, listener);
  if (haltThen === undefined) halt();
  else subscribe(haltThen, next);
};
const next = (): void => {
  unsubscribe(haltThen ?? '', next);
  halt();
};
subscribe(FAILPOINT_CHANNEL, listener);
