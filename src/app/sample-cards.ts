import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Sample } from '../bots/platform.ts';
import { samplesOf } from '../bots/web/samples-of.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { createLog } from '../core/runtime/log.ts';
import { startApp } from './app.ts';
import { openPractice } from './practice.ts';

/** Samples of what people are shown, from a visit of the practice page that leaves nothing behind. */
export const sampleCards = async (config: Config, clock: Clock): Promise<readonly Sample[]> => {
  const visits = await mkdtemp(join(tmpdir(), 'paythread-samples-'));
  const surroundings = {
    clock,
    log: createLog({ level: 'silent', secrets: config.secrets }),
    input: new PassThrough(),
    output: new PassThrough(),
    userName: '',
    onFatal: () => {},
  };
  try {
    const practice = await openPractice(config, surroundings, { start: startApp, visits });
    try {
      return await samplesOf(practice, clock);
    } finally {
      await practice.stop();
    }
  } finally {
    await rm(visits, { recursive: true, force: true });
  }
};
