import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, withStops } from '../bench.ts';
import { Child, START_OPTIONS } from '../child.ts';
import { type Figure, figureOf } from '../figure.ts';
import { HOSTILE_FILES } from '../hostile-files.ts';
import type { Round } from '../rounds.ts';
import { paythreadEnv, withFolder } from '../settings.ts';

const MOST_WAIT_MS = 100;
const MOST_MEMORY_MB = 300;
const EVERY_MS = 5;
const IDLE_MS = 3_000;

/** How long `/healthz` waits and how much memory is taken while a person sends the worst files of 5 MB. */
export const hostileFiles = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const templates = join(folder, 'templates.yml');
      await writeFile(templates, 'due: { text: "Dear {name}, please pay {amount}." }\n');
      const env = {
        ...(await paythreadEnv({ folder, servicesPort: services.port, chats: false })),
        ...{ TEMPLATES_FILE: templates, SMS_SENDER_ID: 'SHOP' },
      };
      const program = keep(await Child.fork('bench/programs/hostile-files.ts', env, START_OPTIONS));
      const beforeMb = program.peakMb;
      const paths: (readonly [name: string, path: string])[] = [];
      for (const [at, [name, file]] of Object.entries(HOSTILE_FILES).entries()) {
        const path = join(folder, `${at}.csv`);
        await writeFile(path, file());
        paths.push([name, path]);
      }
      const waits: Round<'ours' | 'idle'>[] = [];
      for (let round = 0; round < bench.rounds; round++) {
        const idle = await longestWaitMs(program.port, sleep(IDLE_MS));
        let ours = 0;
        for (const [name, path] of paths)
          for (const command of ['/bulk', '/sms @due']) {
            const read = program.ask({ command: `${command} ${path}` });
            const waitedMs = await longestWaitMs(program.port, read);
            bench.log(
              `${name}, ${command}: ${waitedMs.toFixed(0)} ms, ${program.peakMb.toFixed(0)} MB`,
            );
            ours = Math.max(ours, waitedMs);
          }
        waits.push({ ours, idle });
      }
      const names = { ours: 'ours', base: 'idle' } as const;
      return [
        figureOf(waits, names, {
          what: 'longest wait of /healthz while the worst files of 5 MB are read (baseline: idle)',
          unit: 'ms',
          goal: { valueAtMost: MOST_WAIT_MS },
        }),
        figureOf([{ ours: program.peakMb, idle: beforeMb }], names, {
          what: 'most resident memory after all of them (baseline: after the start)',
          unit: 'MB',
          goal: { valueAtMost: MOST_MEMORY_MB },
        }),
      ];
    }),
  );

/** Asks every few milliseconds until the work is over. */
const longestWaitMs = async (port: number, work: Promise<unknown>): Promise<number> => {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let longestMs = 0;
  while (!isOver) {
    const askedAtMs = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/healthz`)).arrayBuffer();
    longestMs = Math.max(longestMs, performance.now() - askedAtMs);
    await sleep(EVERY_MS);
  }
  await over;
  return longestMs;
};
