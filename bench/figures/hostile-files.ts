import { mkdtemp, writeFile } from 'node:fs/promises';
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
const IDLE_MS = 1_000;

/** Each file has a program of its own, so that one cannot pay for another. */
const MOST_ROUNDS = 3;

/** How long `/healthz` waits and how much memory is taken while a person sends the worst files of 5 MB. */
export const hostileFiles = (bench: Bench): Promise<Figure[]> =>
  withFolder((folder) =>
    withStops(async (keep) => {
      const services = keep(await Child.fork('bench/stub/services.ts'));
      const path = join(folder, 'hostile.csv');
      const waits: Round<Side>[] = [];
      const peaks: Round<Side>[] = [];
      for (let round = 0; round < Math.min(bench.rounds, MOST_ROUNDS); round++) {
        const worst = { waitedMs: 0, peakMb: 0, idleMs: 0, idleMb: 0 };
        for (const [name, file] of Object.entries(HOSTILE_FILES)) {
          await writeFile(path, file());
          for (const command of ['/bulk', '/sms @due']) {
            const seen = await seenWhile(`${command} ${path}`, folder, services.port);
            const { waitedMs, peakMb } = seen;
            bench.log(`${name}, ${command}: ${waitedMs.toFixed(0)} ms, ${peakMb.toFixed(0)} MB`);
            for (const each of Object.keys(worst) as (keyof typeof worst)[])
              worst[each] = Math.max(worst[each], seen[each]);
          }
        }
        waits.push({ ours: worst.waitedMs, idle: worst.idleMs });
        peaks.push({ ours: worst.peakMb, idle: worst.idleMb });
      }
      const names = { ours: 'ours', base: 'idle' } as const;
      return [
        figureOf(waits, names, {
          what: 'longest wait of /healthz while the worst files of 5 MB are read (baseline: idle)',
          unit: 'ms',
          goal: { valueAtMost: MOST_WAIT_MS },
        }),
        figureOf(peaks, names, {
          what: 'most resident memory by the worst file of 5 MB (baseline: after the start)',
          unit: 'MB',
          goal: { valueAtMost: MOST_MEMORY_MB },
        }),
      ];
    }),
  );

type Side = 'ours' | 'idle';

/** A program of its own that is idle, then reads a file. */
const seenWhile = async (command: string, folder: string, servicesPort: number) => {
  const own = await mkdtemp(join(folder, 'own-'));
  const templates = join(own, 'templates.yml');
  await writeFile(templates, 'due: { text: "Dear {name}, please pay {amount}." }\n');
  const env = {
    ...(await paythreadEnv({ folder: own, servicesPort, chats: false })),
    ...{ TEMPLATES_FILE: templates, SMS_SENDER_ID: 'SHOP' },
  };
  const program = await Child.fork('bench/programs/hostile-files.ts', env, START_OPTIONS);
  try {
    const idleMs = await longestWaitMs(program.port, sleep(IDLE_MS));
    const idleMb = program.peakMb;
    const waitedMs = await longestWaitMs(program.port, program.ask({ command }));
    return { idleMs, idleMb, waitedMs, peakMb: program.peakMb };
  } finally {
    await program.stop();
  }
};

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
