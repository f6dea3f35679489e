import { backoffMs } from '../../core/runtime/backoff.ts';
import { type Clock, inTime } from '../../core/runtime/clock.ts';
import { StartError } from '../../core/runtime/errors.ts';
import type { Log } from '../../core/runtime/log.ts';
import { SocketModeReceiver } from './bolt.ts';
import { tokenRefusal, whyFailed } from './failure.ts';
import { sdkLog } from './sdk.ts';

/** How long a new connection may take to say hello. */
const HELLO_MS = 30_000;
/** How long a closing connection may take to say goodbye. */
const GOODBYE_MS = 2_000;
const CALL_MS = 10_000;
const SOCKET_BACKOFF = { firstMs: 500, longestMs: 30_000 };
/** After a connection that lasted this long the next one is opened without a pause. */
const GOOD_MS = 30_000;

/** Without a problem it is connected until `lost` resolves. */
type Attempt = { readonly lost: Promise<void>; readonly problem?: unknown };

/**
 * The Socket Mode connection, reconnected until it is stopped. The SDK's own reconnecting (`@slack/socket-mode`
 * 3.1) is off: it waits 5 s at every routine refresh, in which commands fail, and its own failure ends the process
 * with an unhandled rejection.
 */
export class SocketConnection {
  readonly receiver;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #connected = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: { appToken: string; apiUrl: string; clock: Clock; log: Log }) {
    this.#clock = options.clock;
    this.#log = options.log;
    const { signal } = this.#stopping;
    this.receiver = new SocketModeReceiver({
      appToken: options.appToken,
      autoReconnectEnabled: false,
      logger: sdkLog(options.log),
      // A listener that failed either acknowledged itself, or Slack shows the person an error.
      processEventErrorHandler: async () => false,
      installerOptions: {
        clientOptions: {
          slackApiUrl: options.apiUrl,
          retryConfig: { retries: 0 },
          rejectRateLimitedCalls: true,
          timeout: CALL_MS,
          fetch: (url, init) =>
            fetch(url, { ...init, signal: AbortSignal.any([signal, init?.signal ?? signal]) }),
        },
      },
    });
    guardFrames(this.receiver.client, options.log);
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Resolves after the first attempt, and goes on trying; rejects only for an app token that cannot work. */
  async start(): Promise<void> {
    const first = await this.#connect();
    const refusal = tokenRefusal(first.problem);
    if (refusal !== undefined)
      throw new StartError(
        `Slack does not accept SLACK_APP_TOKEN (${refusal}). Make an app-level token with the scope connections:write under Basic Information, App-Level Tokens.`,
      );
    this.#loop = this.#keepUp(first);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const { client } = this.receiver;
    await inTime(this.#clock, client.disconnect(), GOODBYE_MS);
    // The second call does not wait for the other side.
    if (this.#connected) await client.disconnect();
    await this.#loop;
  }

  /** One connection after the other; never rejects. */
  async #keepUp(first: Attempt): Promise<void> {
    const { signal } = this.#stopping;
    let { lost, problem } = first;
    let failures = 0;
    while (!signal.aborted) {
      const sinceMs = this.#clock.now();
      if (problem === undefined) await lost;
      else this.#log.warn({ failure: whyFailed(problem) }, 'no connection to Slack');
      this.#connected = false;
      failures = problem === undefined && this.#clock.now() - sinceMs >= GOOD_MS ? 0 : failures + 1;
      if (failures > 1 || problem !== undefined)
        await this.#clock.sleep(backoffMs(failures, SOCKET_BACKOFF), signal);
      if (signal.aborted) return;
      ({ lost, problem } = await this.#connect());
    }
    if (problem === undefined) await this.receiver.client.disconnect();
  }

  async #connect(): Promise<Attempt> {
    const { client } = this.receiver;
    // Before connecting, so that a loss right after it is not missed.
    client.removeAllListeners('disconnected');
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    client.once('disconnected', () => resolve());
    const patience = new AbortController();
    void this.#clock.sleep(HELLO_MS, patience.signal).then(() => {
      if (!patience.signal.aborted) void client.disconnect();
    });
    try {
      await client.start();
      this.#connected = true;
      this.#log.info('connected to Slack');
      return { lost };
    } catch (error) {
      // The SDK rejects with nothing when the socket closed before its hello.
      return { lost, problem: error ?? new Error('the connection was closed before it was ready') };
    } finally {
      patience.abort();
    }
  }
}

/**
 * The SDK (`@slack/socket-mode` 3.1) reads each frame in an async listener whose promise it drops, so one malformed
 * frame would end the process with an unhandled rejection. Here it is logged and skipped.
 */
const guardFrames = (client: SocketConnection['receiver']['client'], log: Log): void => {
  const readers = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (...frame: unknown[]) => {
    for (const read of readers)
      Promise.resolve(read(...frame)).catch((error: unknown) => {
        log.warn({ failure: whyFailed(error) }, 'an odd frame from Slack');
      });
  });
};
