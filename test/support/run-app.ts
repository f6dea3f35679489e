import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { startApp } from '../../src/app/app.ts';
import type { SandboxManners } from '../../src/app/open-payment-service.ts';
import type { App } from '../../src/app/started-app.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Clock } from '../../src/core/runtime/clock.ts';
import type { Log } from '../../src/core/runtime/log.ts';
import { eventually } from './eventually.ts';
import { FastClock } from './fast-clock.ts';
import { silentLog } from './silent-log.ts';
import { tempFolder } from './temp-folder.ts';
import { storeSettings } from './test-store.ts';

/** Paythread, whole, inside the test: everything real but the clock, which runs fast. */
export type RunningApp = {
  readonly app: App;
  readonly clock: Clock;
  readonly dir: string;
  /** Types a line into the terminal chat. */
  type(line: string): void;
  /** Everything the terminal chat has shown. */
  screen(): string;
  /** Waits until the terminal chat shows this. */
  shows(text: string | RegExp): Promise<void>;
  stop(): Promise<void>;
};

/** Starts it with these environment variables; it is stopped when the test has finished. `access` is the access file's text. */
export const runApp = async (
  env: Readonly<Record<string, string>> = {},
  options: {
    clock?: Clock;
    access?: string;
    dir?: string;
    log?: Log;
    sandbox?: SandboxManners;
    /** A person sits at a real terminal. */
    isTyped?: true;
  } = {},
): Promise<RunningApp> => {
  const clock = options.clock ?? new FastClock();
  const dir = options.dir ?? (await tempFolder());
  const accessFile = join(dir, 'access.yml');
  if (options.access !== undefined) await writeFile(accessFile, options.access);
  const input = Object.assign(new PassThrough(), { isTTY: options.isTyped });
  const output = new PassThrough();
  let screen = '';
  output.on('data', (data: Buffer) => {
    screen += data.toString();
  });
  const app = await startApp(
    readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(dir, 'data'),
      ACCESS_FILE: accessFile,
      ...(await storeSettings(dir)),
      ...env,
    }),
    {
      clock,
      ...(options.sandbox && { sandbox: options.sandbox }),
      log: options.log ?? silentLog,
      input,
      output,
      userName: 'ama',
      onFatal: (error) => {
        throw error;
      },
    },
  );
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    input.end();
    stopped ??= app.stop();
    return stopped;
  };
  onTestFinished(stop);
  return {
    app,
    clock,
    dir,
    type: (line) => void input.write(`${line}\n`),
    screen: () => screen,
    shows: (text) =>
      eventually(() => {
        const found = typeof text === 'string' ? screen.includes(text) : text.test(screen);
        if (!found) throw new Error(`the terminal does not show ${text}:\n${screen}`);
      }),
    stop,
  };
};
