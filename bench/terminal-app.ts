import { PassThrough } from 'node:stream';
import { startApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { systemClock } from '../src/core/runtime/clock.ts';
import { silentLog } from './silent-log.ts';

/** The whole program in this process, and a person at its terminal chat. `gateway`: instead of what the settings say. */
export const startTerminal = async (gateway: { readonly requestsPerSecond?: number } = {}) => {
  const config = loadConfig();
  const input = new PassThrough();
  const output = new PassThrough();
  let screen = '';
  let look = (): void => {};
  output.on('data', (data: Buffer) => {
    screen += data.toString();
    look();
  });
  const app = await startApp(
    { ...config, gateway: { ...config.gateway, ...gateway } },
    {
      clock: systemClock,
      log: silentLog,
      input,
      output,
      userName: 'ama',
      onFatal: (error) => {
        throw error;
      },
    },
  );

  /** Types a line and waits until the screen shows what it should. */
  const type = (line: string, until: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      screen = '';
      const patience = setTimeout(() => reject(new Error(`${line}: ${screen}`)), 60_000);
      look = () => {
        if (!until.test(screen)) return;
        clearTimeout(patience);
        resolve();
      };
      input.write(`${line}\n`);
    });
  return { app, type };
};
