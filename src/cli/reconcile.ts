import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPaymentService, type PaymentService } from '../app/open-payment-service.ts';
import { openStore } from '../app/open-store.ts';
import type { Config } from '../config/config.ts';
import { countOwed } from '../core/bulk/bulk-runs.ts';
import { UnmatchedCallbacks } from '../core/callbacks/unmatched-callbacks.ts';
import { ChargeFreeze } from '../core/guards/charge-freeze.ts';
import { Alerts } from '../core/notices/alerts.ts';
import { Payments } from '../core/payments/payments.ts';
import { StatusChecker } from '../core/payments/status-checker.ts';
import type { Payment } from '../core/records/payment.ts';
import { confirmationSeal } from '../core/records/seals.ts';
import { suspensionList } from '../core/records/stored-values.ts';
import { type ReconciliationOptions, runReconciliation } from '../core/recovery/reconciliation.ts';
import { type Clock, systemClock } from '../core/runtime/clock.ts';
import { StartError } from '../core/runtime/errors.ts';
import { createLog, type Log } from '../core/runtime/log.ts';
import { systemRandom } from '../core/runtime/random.ts';
import { mustHaveStore } from '../core/store/sqlite/read-beside.ts';
import type { Store } from '../core/store/store.ts';
import { isTransactionId, normaliseTransactionId } from '../core/values/transaction-id.ts';
import { reconcileReport } from './reconcile-report.ts';
import { exampleText, type Printed, type ShellCommand, wrongUsage } from './shell-command.ts';
import { stoppedText } from './shown-text.ts';

/** `paythread reconcile [id…]`: asks the payment service about all that a restore may have lost. */
export const reconcile: ShellCommand = (command, run) => {
  command
    .description(
      'Asks the payment service about every payment that going back to a backup may have lost. Charges work again once every question was answered; until then it exits with 1.',
    )
    .argument('[id...]', 'transaction ids to ask about as well, such as those in later cards')
    .option('--restored', 'the store was put back by other means than restore')
    .addHelpText('after', exampleText('reconcile', 'reconcile 1M7Y381Y37GXF6SS'))
    .action((ids: string[], options: { restored?: true }) =>
      run(({ config }) => reconcileStore(config(), ids, options)),
    );
};

const reconcileStore = async (
  config: Config,
  words: readonly string[],
  { restored }: { readonly restored?: true },
): Promise<Printed> => {
  const ids = words.map(transactionIdOf);
  const clock = systemClock;
  // Opening would make one.
  if (config.databaseUrl === undefined) mustHaveStore(config.dataDir);
  // What it prints is a report; what else there is to say goes where the terminal chat's log goes.
  const log = createLog({
    level: config.logLevel,
    secrets: config.secrets,
    destination: join(config.dataDir, 'paythread.log'),
  });
  const lost = Promise.withResolvers<never>();
  // Waited for below only while there is something to do.
  lost.promise.catch(() => {});
  const { store, cluster, isShared } = await openStore(config, {
    clock,
    log,
    onFatal: (cause) =>
      lost.reject(
        new StartError('The store could not be written. Make room, and run it again.', 1, {
          cause,
        }),
      ),
  });
  const books = await copyOfBooks(config);
  const shared = isShared ? { cluster } : {};
  const service = await openPaymentService(config, books.file, { clock, log, ...shared });
  try {
    const freeze = new ChargeFreeze(store);
    if (restored) await freezeByHand(freeze, store, clock);
    const asking = reconciliationOf(config, { ...service, store, freeze, log });
    const result = await Promise.race([runReconciliation(asking, ids), lost.promise]);
    const isDone =
      result.unanswered.length === 0 && result.lifted === (result.frozen !== undefined);
    const stopped = (await suspensionList.in(store)) ?? [];
    const report = reconcileReport(result, config.timeZone);
    const text = result.frozen === undefined ? report : `${report}\n\n${stoppedText(stopped)}`;
    return { text, exitCode: isDone ? 0 : 1 };
  } finally {
    await service.sandbox?.stop();
    await books.remove();
    await store.close();
  }
};

const reconciliationOf = (
  { operators, checks: policy }: Config,
  given: PaymentService & { store: Store; freeze: ChargeFreeze; log: Log },
): ReconciliationOptions => {
  const parts = { ...given, clock: systemClock, random: systemRandom };
  const alerts = new Alerts({ ...parts, operators });
  const seal = confirmationSeal(given.sealSecret);
  const owedOnceSettled = (payment: Payment, nowMs: number) =>
    countOwed(given.store, payment, nowMs);
  const payments = new Payments({ ...parts, policy, alerts, seal, owedOnceSettled });
  const checks = new StatusChecker({ ...parts, payments, alerts });
  const unmatched = new UnmatchedCallbacks(parts);
  return { ...parts, payments, checks, unmatched };
};

const transactionIdOf = (text: string): string => {
  const id = normaliseTransactionId(text);
  if (isTransactionId(id)) return id;
  throw wrongUsage(
    `"${text.slice(0, 40)}" is not a transaction id of Paythread. Example: npm run reconcile -- 1M7Y381Y37GXF6SS`,
  );
};

/** The age of the backup is not known, so it counts as old as the youngest payment in it. */
const freezeByHand = async (freeze: ChargeFreeze, store: Store, clock: Clock): Promise<void> => {
  const nowMs = clock.now();
  const { payments } = await store.listPayments({}, { limit: 1 });
  const backupAtMs = payments[0]?.confirmedAtMs ?? nowMs;
  await freeze.set({ sinceMs: Math.max(nowMs, backupAtMs), backupAtMs }, nowMs);
};

/** A copy of the sandbox's books for the sandbox of this process: a Paythread that runs writes to the original. */
const copyOfBooks = async ({
  dataDir,
}: Config): Promise<{ file: string; remove: () => Promise<void> }> => {
  const dir = await mkdtemp(join(tmpdir(), 'paythread-'));
  const file = join(dir, 'sandbox.json');
  await copyFile(join(dataDir, 'sandbox.json'), file).catch((error: NodeJS.ErrnoException) => {
    // Nothing was paid through the sandbox yet.
    if (error.code !== 'ENOENT') throw error;
  });
  return { file, remove: () => rm(dir, { recursive: true, force: true }) };
};
