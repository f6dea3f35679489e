import { subscribe } from 'node:diagnostics_channel';
import { FAILPOINT_CHANNEL, type FailpointHit } from '../../../src/core/runtime/failpoints.ts';
import { borrowedMoments, type Point, type PointName, readPoint } from './points.ts';

/**
 * Loaded before the program (`node --import`), and only by the crash test: kills its process at a chosen
 * moment, in the middle of whatever it does. The moment is in CRASH_AT from the start on, or comes as a
 * message later.
 */
let armed: Point | undefined;
let seen = 0;

const arm = (point: string): void => {
  armed = point === '' ? undefined : readPoint(point);
  seen = 0;
};

const pass = (name: PointName, subject?: string): void => {
  if (armed === undefined || armed.name !== name) return;
  if (armed.subject !== undefined && armed.subject !== subject) return;
  seen += 1;
  // The signal is there before the call returns, so nothing happens after this.
  if (seen === armed.nth) process.kill(process.pid, 'SIGKILL');
};

arm(process.env['CRASH_AT'] ?? '');
process.on('message', (point) => arm(String(point)));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Being told something later is no reason for the process to go on.
process.channel?.unref();

subscribe(FAILPOINT_CHANNEL, (message) => {
  const { name, subject } = message as FailpointHit;
  pass(name, subject);
});
for (const { name, channel, path } of borrowedMoments)
  subscribe(channel, (message) => {
    const { request } = message as { request: { path: string } };
    if (path.test(request.path)) pass(name);
  });
