import { once } from 'node:events';
import type { Client } from 'pg';
import { leaderLoop, type RoleWork, runRoleWork } from '../../cluster/cluster.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';

/** Separates these locks from others in the same database. */
const LOCK_CLASS = 720_241_122;
/** More often than an instance that lost a role comes back for it: another instance may have the better connection. */
const TRY_EVERY_MS = 500;
/** Sooner than the server lets go of a role whose holder has gone silent (SESSION_START asks TCP for about 6 s). */
const HEARTBEAT_MS = 1_500;
const HEARTBEAT_WITHIN_MS = 2_000;

type Parts = {
  readonly connect: (changes: { query_timeout: number }) => Promise<Client>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Roles that one instance has at a time. A role is a lock that lives and dies with a connection of its
 * own: an instance that loses the connection has lost the role, and the server gives it to the next.
 */
export class Roles {
  readonly #parts: Parts;
  readonly #closing = new AbortController();
  readonly #held = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async lead(role: string, work: RoleWork, stop: AbortSignal): Promise<void> {
    const stopped = AbortSignal.any([stop, this.#closing.signal]);
    const leading = leaderLoop(this.#parts.clock, stopped, () => this.#turn(role, work, stopped));
    this.#held.add(leading);
    try {
      await leading;
    } finally {
      this.#held.delete(leading);
    }
  }

  /** Ends every role and waits for its work to end. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#held);
  }

  async #turn(role: string, work: RoleWork, stop: AbortSignal): Promise<void> {
    const client = await this.#connection(role);
    if (client === undefined) return;
    try {
      if (await this.#waitForRole(client, role, stop)) await this.#lead(client, role, work, stop);
    } finally {
      void client.end();
    }
  }

  async #connection(role: string): Promise<Client | undefined> {
    try {
      return await this.#parts.connect({ query_timeout: HEARTBEAT_WITHIN_MS });
    } catch (error) {
      this.#parts.log.warn({ err: error, role }, 'a role cannot be sought: the database is away');
      return undefined;
    }
  }

  /** False: stopped, or the connection is gone. */
  async #waitForRole(client: Client, role: string, stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      try {
        if (await hasTaken(client, role)) return true;
      } catch (error) {
        this.#parts.log.warn(
          { err: error, role },
          'a role cannot be sought: the connection is gone',
        );
        return false;
      }
      await this.#parts.clock.sleep(TRY_EVERY_MS, stop);
    }
    return false;
  }

  async #lead(client: Client, role: string, work: RoleWork, stop: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const over = new AbortController();
    void this.#watch(client, over.signal).then((error) => {
      if (over.signal.aborted) return;
      this.#parts.log.warn({ err: error, role }, 'a role is lost');
      lost.abort();
    });
    this.#parts.log.info({ role }, 'has a role now');
    try {
      await runRoleWork(work, AbortSignal.any([stop, lost.signal]));
    } finally {
      over.abort();
    }
  }

  /** Resolves when the connection is of no use any more, or `over` aborts. */
  async #watch(client: Client, over: AbortSignal): Promise<unknown> {
    const gone = once(client, 'end', { signal: over }).then(
      () => new Error('The connection has ended.'),
      (error: unknown) => error,
    );
    return Promise.race([gone, this.#beat(client, over)]);
  }

  /** A network that swallows everything breaks no connection by itself. */
  async #beat(client: Client, over: AbortSignal): Promise<unknown> {
    while (!over.aborted) {
      await this.#parts.clock.sleep(HEARTBEAT_MS, over);
      try {
        if (!over.aborted) await client.query('SELECT 1');
      } catch (error) {
        return error;
      }
    }
    return undefined;
  }
}

const hasTaken = async (client: Client, role: string): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
    [LOCK_CLASS, role],
  );
  return rows[0]?.taken === true;
};
