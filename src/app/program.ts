import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../config/config.ts';
import { openFolderWarning } from '../config/file-rights.ts';
import { OPEN_STATES } from '../core/records/payment.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { createLog, type Log } from '../core/runtime/log.ts';
import { programVersion } from '../core/runtime/version.ts';
import { mustBeAccepted } from '../core/store/sqlite/locked-folder.ts';
import type { Store } from '../core/store/store.ts';
import { startApp } from './app.ts';
import type { App } from './started-app.ts';

/** Work in flight may take this long to finish after a signal. */
const STOP_WITHIN_MS = 20_000;
/** A piped session waits this long for payments under way. */
const QUIET_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

/**
 * Runs Paythread in this process until it is told to stop, and ends the process then. Resolves when it works, or when
 * a local chat was told to stop.
 * @throws {StartError} when it cannot start; everything that was started is stopped again.
 */
export const runProgram = async (
  config: Config,
  { userName }: { readonly userName: string },
): Promise<void> => {
  const isLocal = config.chats.every(({ platform }) => platform.isLocal);
  if (isLocal && config.databaseUrl === undefined) mustBeAccepted(config.dataDir);
  const log = createLog({
    level: config.logLevel,
    secrets: config.secrets,
    // In a local chat the screen belongs to the conversation.
    ...(isLocal ? { destination: join(config.dataDir, 'paythread.log') } : {}),
  });
  const folderWarning = openFolderWarning(config.dataDir) ?? [];
  for (const warning of [...config.warnings, folderWarning].flat()) log.warn(warning);
  const leaveAtOnce = (error: unknown, what: string): never => {
    log.fatal({ err: error }, what);
    process.stderr.write(`Paythread stops: ${what}. The log says more.\n`);
    process.exit(1);
  };
  process.on('uncaughtException', (error) => leaveAtOnce(error, 'an error that was not handled'));
  process.on('unhandledRejection', (error) => leaveAtOnce(error, 'an error that was not handled'));

  const startedAtMs = systemClock.now();
  const app = await startApp(config, {
    clock: systemClock,
    log,
    input: process.stdin,
    output: process.stdout,
    userName,
    onFatal: leaveAtOnce,
  });
  const leave = leaver(app, log);
  process.once('SIGTERM', leave.begin);
  process.once('SIGINT', leave.begin);
  // From here on the heap at most doubles before garbage is collected; the engine would let it grow fourfold,
  // and keep that. The start itself is faster without.
  setFlagsFromString('--heap-growing-percent=100');
  log.info({ ...startLine(config, app), startMs: systemClock.now() - startedAtMs }, 'started');
  if (app.inputEnded === undefined) return;
  await app.inputEnded;
  const settled = await isIdleInTime(app.store, startedAtMs).catch((error: unknown) => {
    // A signal came first, and the store is closed already.
    if (leave.hasBegun) return true;
    throw error;
  });
  if (!settled)
    process.stdout.write(
      'Some payments have no outcome yet. They are checked again when Paythread runs again.\n',
    );
  leave.begin();
};

/** What a started program says of itself in one line of the log: what operators ask first, and no secret. */
export const startLine = (
  { chats, payments, listener, merchants, accessFile, dataDir, databaseUrl }: Config,
  { port, roles }: Pick<App, 'port' | 'roles'>,
) => ({
  version: programVersion(),
  chats: chats.map(({ platform, settings }) => platform.describe(settings)),
  payments: payments.kind === 'sandbox' ? 'sandbox' : new URL(payments.baseUrl).host,
  publicUrl: listener.publicUrl ?? `http://localhost:${port}`,
  store: databaseUrl === undefined ? dataDir : `the database at ${URL.parse(databaseUrl)?.host}`,
  merchants: merchants.map(({ name }) => name),
  roles: roles ?? `none: there is no ${accessFile}`,
  port,
});

const leaver = (app: App, log: Log) => {
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    log.info({}, 'stopping');
    // A second signal ends the process at once, SIGTERM as Node does; what was promised is on disk anyway.
    process.off('SIGTERM', begin).off('SIGINT', begin);
    process.once('SIGINT', () => process.exit(130));
    void systemClock.sleep(STOP_WITHIN_MS).then(() => process.exit(0));
    void app.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  return {
    begin,
    get hasBegun() {
      return hasBegun;
    },
  };
};

/** False: something asked for since `sinceMs` is still under way after `QUIET_WITHIN_MS`. */
const isIdleInTime = async (store: Store, sinceMs: number): Promise<boolean> => {
  const deadlineMs = systemClock.now() + QUIET_WITHIN_MS;
  while (await isBusy(store, sinceMs)) {
    if (systemClock.now() >= deadlineMs) return false;
    await systemClock.sleep(LOOK_EVERY_MS);
  }
  return true;
};

/** Whether a payment has no outcome, an SMS is unsent or a notice is owed. */
const isBusy = async (store: Store, sinceMs: number): Promise<boolean> => {
  const open = await store.listPayments({ sinceMs, states: OPEN_STATES }, { limit: 1 });
  if (open.payments.length > 0) return true;
  const due = await Promise.all([store.nextDueMs('notice'), store.nextDueMs('sms')]);
  return due.some((atMs) => atMs !== undefined);
};
