import { PassThrough } from 'node:stream';
import { startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { silentLog } from '../silent-log.ts';

/** The whole program with the pace of service and chats taken off: what is left is what the machine can do. */
const noPace = { take: () => 0, spend: () => {}, block: () => {} };
const config = loadConfig();
const app = await startApp(
  { ...config, gateway: { ...config.gateway, requestsPerSecond: 100_000 } },
  {
    clock: systemClock,
    log: silentLog,
    input: new PassThrough(),
    output: new PassThrough().resume(),
    userName: 'ama',
    pace: noPace,
    onFatal: (error) => {
      throw error;
    },
  },
);
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.({ ready: true, port: app.port });
