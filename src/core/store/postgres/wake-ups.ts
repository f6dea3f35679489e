import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Client } from 'pg';
import { type Due, QUEUES, type Queue } from '../../records/due.ts';
import { backoffMs } from '../../runtime/backoff.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { DueListeners } from '../due-listeners.ts';

const CHANNEL = 'paythread_due';
const RECONNECT = { firstMs: 250, longestMs: 5_000 };

type Parts = {
  readonly connect: () => Promise<Client>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Tells the other instances of new work, and hears from them, on a connection of its own. Only a wake-up:
 * one that is lost costs the time until a worker looks by itself. So it is sent after the commit and not
 * within, where it would make all commits of the server wait for each other.
 */
export class DueSignals {
  readonly #parts: Parts;
  readonly #listeners: DueListeners;
  /** An instance knows its own work before the database tells it. */
  readonly #instance = randomUUID();
  /** The earliest time in each queue that the others have not been told yet. */
  readonly #untold = new Map<Queue, number>();
  readonly #stop = new AbortController();
  #client: Client | undefined;
  #telling = false;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#listeners = new DueListeners(parts.log);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Resolves once it listens. */
  async start(): Promise<void> {
    const client = await this.#listen();
    this.#running = this.#keepListening(client);
  }

  tell(due: Due): void {
    const { queue, atMs } = due;
    this.#listeners.tell(due);
    this.#keepUntold(queue, atMs);
    void this.#tellOthers();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    void this.#client?.end();
    await this.#running;
  }

  async #listen(): Promise<Client> {
    const client = await this.#parts.connect();
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''));
    try {
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      void client.end();
      throw error;
    }
    this.#client = client;
    return client;
  }

  async #keepListening(first: Client): Promise<void> {
    for (let client: Client | undefined = first; client !== undefined; ) {
      await ended(client, this.#stop.signal);
      this.#client = undefined;
      void client.end();
      client = await this.#listenAgain();
    }
  }

  /** Undefined: it was stopped. */
  async #listenAgain(): Promise<Client | undefined> {
    for (let failures = 1; !this.#stop.signal.aborted; failures++) {
      await this.#parts.clock.sleep(backoffMs(failures, RECONNECT), this.#stop.signal);
      if (this.#stop.signal.aborted) break;
      try {
        const client = await this.#listen();
        if (this.#stop.signal.aborted) void client.end();
        this.#wakeAll();
        return client;
      } catch (error) {
        this.#parts.log.warn({ err: error, failures }, 'not listening for due work yet');
      }
    }
    return undefined;
  }

  /** Notifications were missed meanwhile. */
  #wakeAll(): void {
    this.#parts.log.info({}, 'listening for due work again');
    for (const queue of QUEUES) this.#listeners.tell({ queue, atMs: this.#parts.clock.now() });
    void this.#tellOthers();
  }

  #hear(payload: string): void {
    const [instance, name, atMs] = payload.split(' ');
    const queue = QUEUES.find((each) => each === name);
    if (instance === this.#instance || queue === undefined) return;
    this.#listeners.tell({ queue, atMs: Number(atMs) });
  }

  /** One message in flight; work that comes meanwhile is told together. */
  async #tellOthers(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    while (this.#client !== undefined && this.#untold.size > 0) await this.#tellNow(this.#client);
    this.#telling = false;
  }

  async #tellNow(client: Client): Promise<void> {
    const dues = [...this.#untold];
    this.#untold.clear();
    try {
      await client.query({
        text: `SELECT pg_notify('${CHANNEL}', payload) FROM unnest($1::text[]) AS payload`,
        values: [dues.map(([queue, atMs]) => `${this.#instance} ${queue} ${atMs}`)],
      });
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'the others could not be told of due work');
      for (const [queue, atMs] of dues) this.#keepUntold(queue, atMs);
      // On the next connection, then: this one hears nothing either.
      if (this.#client === client) this.#client = undefined;
      void client.end();
    }
  }

  #keepUntold(queue: Queue, atMs: number): void {
    this.#untold.set(queue, Math.min(atMs, this.#untold.get(queue) ?? atMs));
  }
}

const ended = async (client: Client, stop: AbortSignal): Promise<void> => {
  await once(client, 'end', { signal: stop }).catch(() => {
    // Stopped, or an error, which `end` follows: either way it listens no more.
  });
};
