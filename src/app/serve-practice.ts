import type { PracticePage } from '../bots/web/practice-page.ts';
import type { Config } from '../config/config.ts';
import type { Listener } from '../core/http/listener.ts';
import type { startApp } from './app.ts';
import type { Surroundings } from './open-parts.ts';

const PATH = '/try';
/** Listeners that take connections from this machine itself. */
const OPEN_TO_LOOPBACK = /^(?:0\.0\.0\.0|::|::1|localhost|127\.[\d.]+)$/i;

/** Whether the practice page is served: with the simulated payment service, and without a chat platform. */
export const isPracticeServed = ({ payments, chats, listener }: Config): boolean =>
  payments.kind === 'sandbox' &&
  chats.every(({ platform }) => platform.isLocal) &&
  OPEN_TO_LOOPBACK.test(listener.host);

/** Where a person finds the page. */
export const practiceAddress = (port: number): string => `http://localhost:${port}${PATH}`;

/** Serves the practice page, whose code is loaded at the first request for it. Returns what ends all visits. */
export const servePractice = (
  listener: Listener,
  config: Config,
  surroundings: Surroundings,
  start: typeof startApp,
): (() => Promise<void>) => {
  const { clock, log } = surroundings;
  let loaded: Promise<PracticePage> | undefined;
  const load = async (): Promise<PracticePage> => {
    const { PracticePage } = await import('../bots/web/practice-page.ts');
    const { openPractice } = await import('./practice.ts');
    const open = () => openPractice(config, surroundings, start);
    return new PracticePage({ path: PATH, open, clock, log });
  };
  listener.mountPages(PATH, (request, response) => {
    loaded ??= load();
    void loaded.then((page) => page.handle(request, response));
  });
  return async () => (await loaded)?.stop();
};
