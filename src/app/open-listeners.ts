import type { Config } from '../config/config.ts';
import { Listener } from '../core/http/listener.ts';
import { StartError } from '../core/runtime/errors.ts';

type Place = { readonly host: string; readonly port: number };

/** The listener for everything that comes in, and one of its own for `/metrics` where that is set. */
export type Listeners = {
  readonly listener: Listener;
  /**
   * Resolves with the port of the first.
   * @throws {StartError} when a port cannot be had.
   */
  listen(): Promise<number>;
  stop(): Promise<void>;
};

export const openListeners = (
  { host, port, portChosen, publicUrl, proxies, callbackAllow, metrics }: Config['listener'],
  options: Pick<
    ConstructorParameters<typeof Listener>[0],
    'health' | 'log' | 'onCallback' | 'clock'
  >,
): Listeners => {
  const listener = new Listener({
    ...options,
    ...(metrics === undefined ? {} : { pages: ['/healthz', '/readyz'] }),
    proxies,
    callbackAllow,
  });
  const ofMetrics = new Listener({ ...options, pages: ['/metrics'] });
  return {
    listener,
    listen: async () => {
      if (metrics !== undefined) {
        await listenAt(ofMetrics, metrics, 'METRICS_HOST or METRICS_PORT');
        ofMetrics.open();
      }
      // Nobody asked for the default port and nobody was told of it, so any other will do for trying things out.
      const mayMove = !portChosen && publicUrl === undefined;
      return listenAt(listener, { host, port }, 'HOST or PORT', mayMove);
    },
    stop: async () => {
      await Promise.all([listener.stop(), ofMetrics.stop()]);
    },
  };
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
