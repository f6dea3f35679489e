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
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { chargeLabel } from './charge-label.ts';
import { eventually } from './eventually.ts';
import { FastClock } from './fast-clock.ts';
import { type IdsByName, withIds } from './ids-by-name.ts';
import { silentLog } from './silent-log.ts';
import { tempFolder } from './temp-folder.ts';
import { storeSettings } from './test-store.ts';

/** Environment variables by name. */
export type Env = Readonly<Record<string, string>>;

export type RunOptions = {
  readonly clock?: Clock;
  /** The access file's text. */
  readonly access?: string;
  /** What names in `access` and in settings stand for. */
  readonly ids?: IdsByName;
  readonly dir?: string;
  readonly log?: Log;
  readonly sandbox?: SandboxManners;
  /** A person sits at a real terminal. */
  readonly isTyped?: true;
};

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
  /** Types a line and waits until the terminal chat shows the answer. */
  ask(line: string, answer: string | RegExp): Promise<void>;
  /** Types the number of the newest button with this label into the terminal chat. */
  press(label: string): Promise<void>;
  /** Charges in the terminal chat: `0244123456 50` is typed behind `/charge` and confirmed. */
  charge(words: string): Promise<void>;
  /** What the built-in sandbox was asked to charge. Throws where there is none. */
  payments(): ReturnType<Sandbox['payments']>;
  /** Replaces the access file's text. */
  writeAccess(text: string): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and starts it again on the same folder, with these settings over the earlier ones. */
  restart(changed?: Env): Promise<RunningApp>;
};

/** Starts it with these environment variables; it is stopped when the test has finished. */
export const runApp = async (env: Env = {}, options: RunOptions = {}): Promise<RunningApp> => {
  const { clock = new FastClock(), dir = await tempFolder(), ids = new Map() } = options;
  const accessFile = join(dir, 'access.yml');
  const writeAccess = (text: string) => writeFile(accessFile, withIds(text, ids));
  if (options.access !== undefined) await writeAccess(options.access);
  const named = Object.entries(env).map(([name, value]) => [name, withIds(value, ids)]);
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
      ...Object.fromEntries(named),
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
  const type = (line: string) => void input.write(`${line}\n`);
  const shows = (text: string | RegExp) =>
    eventually(() => {
      const found = typeof text === 'string' ? screen.includes(text) : text.test(screen);
      if (!found) throw new Error(`the terminal does not show ${text}:\n${screen}`);
    });
  return {
    app,
    clock,
    dir,
    type,
    screen: () => screen,
    shows,
    ask: (line, answer) => {
      type(line);
      return shows(answer);
    },
    press: async (label) => {
      await shows(`] ${label}`);
      type(
        screen
          .slice(0, screen.lastIndexOf(`] ${label}`))
          .split('[')
          .at(-1) ?? '',
      );
    },
    charge: async (words) => {
      type(`/charge ${words}`);
      await shows(`${chargeLabel(words)}?`);
      type('yes');
    },
    payments: () => {
      if (app.sandbox === undefined) throw new Error('no sandbox runs in this test');
      return app.sandbox.payments();
    },
    writeAccess,
    stop,
    restart: async (changed = {}) => {
      await stop();
      const { access: _written, ...others } = options;
      return runApp({ ...env, ...changed }, { ...others, clock, dir });
    },
  };
};
