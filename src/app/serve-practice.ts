import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PracticePage } from '../bots/web/practice-page.ts';
import type { Config } from '../config/config.ts';
import { answer, NOT_FOUND } from '../core/http/answer.ts';
import type { Listener } from '../core/http/listener.ts';
import { isSameSecret } from '../core/runtime/same-secret.ts';
import type { Surroundings } from './open-parts.ts';
import type { StartApp } from './started-app.ts';

const PATH = '/try';
/** Listeners that take connections from this machine itself. */
const OPEN_TO_LOOPBACK = /^(?:0\.0\.0\.0|::|::1|localhost|127\.[\d.]+)$/i;

/** Whether the practice page is served: with the simulated payment service, and without a chat platform. */
export const isPracticeServed = ({ payments, chats, listener }: Config): boolean =>
  payments.kind === 'sandbox' &&
  chats.every(({ platform }) => platform.isLocal) &&
  OPEN_TO_LOOPBACK.test(listener.host);

/** Where the page of this start is. A proxy that says nothing of itself cannot be told from this machine, so no stranger knows it. */
export const practicePath = (): string => `${PATH}/${randomBytes(16).toString('base64url')}`;

/** In the data folder, which is one process's own: what is there when it starts was left by one that was killed. */
const visitsFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'practice');

/** Removes what visits of an earlier process have left. */
export const removeVisits = (config: Config): Promise<void> =>
  rm(visitsFolder(config), { recursive: true, force: true, maxRetries: 5 });

/**
 * Serves the practice page at `path`, whose code is loaded at the first request for it.
 * @returns what ends all visits.
 */
export const servePractice = (
  listener: Listener,
  path: string,
  config: Config,
  { surroundings, start }: { surroundings: Surroundings; start: StartApp },
): (() => Promise<void>) => {
  const { clock, log } = surroundings;
  let loaded: Promise<PracticePage> | undefined;
  const load = async (): Promise<PracticePage> => {
    const { PracticePage } = await import('../bots/web/practice-page.ts');
    const { openPractice } = await import('./practice.ts');
    const open = () => openPractice(config, surroundings, { start, visits: visitsFolder(config) });
    return new PracticePage({ path, open, clock, log });
  };
  listener.mountPages(PATH, (request, response) => {
    const asked = (request.url ?? '').slice(0, path.length);
    if (!isSameSecret(path, asked)) return answer(response, NOT_FOUND);
    loaded ??= load();
    void loaded.then((page) => page.handle(request, response));
  });
  return async () => (await loaded)?.stop();
};
