import type { Config } from '../config/config.ts';
import { Listener } from '../core/http/listener.ts';
import { StartError } from '../core/runtime/errors.ts';

type Place = { readonly host: string; readonly port: number };

/**
 * Opens the listener for everything that comes in, and one of its own for `/metrics` where that is set. Resolves with
 * the first, which serves nothing yet, and its port.
 * @throws {StartError} when a port cannot be had.
 */
export const openListeners = async (
  { metrics, ...settings }: Config['listener'],
  options: Pick<
    ConstructorParameters<typeof Listener>[0],
    'health' | 'log' | 'onCallback' | 'clock'
  >,
  stops: AsyncDisposableStack,
): Promise<{ listener: Listener; port: number }> => {
  const { portChosen, publicUrl, proxies, callbackAllow } = settings;
  const pages = metrics === undefined ? {} : { pages: ['/healthz', '/readyz'] as const };
  const listener = new Listener({ ...options, ...pages, proxies, callbackAllow });
  stops.defer(() => listener.stop());
  if (metrics !== undefined) {
    const ofMetrics = new Listener({ ...options, pages: ['/metrics'] });
    stops.defer(() => ofMetrics.stop());
    await listenAt(ofMetrics, metrics, 'METRICS_HOST or METRICS_PORT');
    ofMetrics.open();
  }
  // The default port was not asked for and no one was told of it, so any other will do for trying things out.
  const mayMove = !portChosen && publicUrl === undefined;
  return { listener, port: await listenAt(listener, settings, 'HOST or PORT', mayMove) };
};

const listenAt = async (
  listener: Listener,
  { host, port }: Place,
  settings: string,
  mayMove = false,
): Promise<number> => {
  try {
    return await listener.listen(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && mayMove) return listener.listen(host, 0);
    throw new StartError(
      `Cannot listen on ${host}:${port} (${code ?? 'unknown reason'}). Is another program using it? Set ${settings} to something else.`,
      1,
      { cause: error },
    );
  }
};
