import { allCommands } from '../commands/all-commands.ts';
import type { Command, Services } from '../commands/command.ts';
import { isUsable } from '../commands/command-rights.ts';
import { type Home, type IsIn, makeHome } from '../commands/home.ts';
import type { Caller } from '../commands/inbound.ts';
import { Router } from '../commands/router.ts';
import { sendOwedReceipt } from '../commands/sms/automatic-receipts.ts';
import { tidyRows } from '../core/bulk/bulk-pages.ts';
import { questionBudget } from '../core/guards/question-budget.ts';
import { digestWatch } from '../core/records/digest.ts';
import type { Queue } from '../core/records/due.ts';
import { isKeptDay } from '../core/records/kept-day.ts';
import type { Put } from '../core/records/records.ts';
import { distrustRestored } from '../core/recovery/reconciliation.ts';
import { failpoint } from '../core/runtime/failpoints.ts';
import { removeRecord } from '../core/work/remove-record.ts';
import { watchWorkers } from '../core/work/watchdog.ts';
import { Worker } from '../core/work/worker.ts';
import { type EngineOptions, type EngineSettings, withDefaults } from './engine-options.ts';
import { buildParts, type EngineParts } from './engine-parts.ts';

const buildCommands = (options: EngineSettings, parts: EngineParts) => {
  const { grants: access, chats, linkToPayment } = parts;
  const services: Services = {
    ...options,
    ...parts,
    access,
    isGuest: async (caller) => (await options.access.isGuest?.(caller)) ?? false,
    placesOf: (platform) => options.access.named?.(platform, ['place']) ?? [],
    questionBudget: questionBudget(options.clock),
    linkTo: async ({ card }) => card && chats.linkTo(card),
  };
  const commands = allCommands(services);
  const homeOf = makeHome(services);
  return {
    commands,
    usableBy: async (caller: Caller): Promise<readonly Command[]> => {
      const grants = await access.grantsOf(caller);
      return commands.filter((command) => isUsable(command, grants));
    },
    namedOn: (platform: string) => options.access.named?.(platform, ['person', 'place']) ?? [],
    linkToPayment,
    router: new Router({ ...services, commands, around: options.observer.aroundCommand }),
    home: async (caller: Caller, isIn: IsIn): Promise<Home> => {
      const { cards, approves } = await homeOf(caller, isIn);
      const { mark } = options;
      return { approves, cards: cards.map((card, at) => (at === 0 ? mark.card(card) : card)) };
    },
  };
};

/** Work served side by side, by queue; as much as `atMost` while the payment service and the chats answer fast. */
const WIDTHS: Record<Queue, { readonly atOnce: number; readonly atMost?: number }> = {
  submit: { atOnce: 8 },
  check: { atOnce: 8, atMost: 32 },
  notice: { atOnce: 16, atMost: 64 },
  sms: { atOnce: 2 },
  bulk: { atOnce: 2 },
  tidy: { atOnce: 4 },
};

/** Who has work with a stored value that is due. */
const servedBy = (id: string, { digests, balances, keptDays }: EngineParts) => {
  if (isKeptDay(id)) return keptDays;
  return id === digestWatch.id ? digests : balances;
};

const buildWorkers = (options: EngineSettings, parts: EngineParts): Worker[] => {
  const { submitter, checks, smsSender, bulkRunner, drafts, outbox, poisonGuard } = parts;
  const serve: Record<Queue, (work: Put) => Promise<void>> = {
    submit: async (work) => (work.kind === 'payment' ? submitter.serve(work.record) : undefined),
    check: async (work) => {
      if (work.kind === 'payment') await checks.serve(work.record);
      if (work.kind === 'watch') await checks.look(work.record);
      if (work.kind === 'setting') await servedBy(work.record.id, parts).serve(work.record);
    },
    notice: async (work) => {
      if (work.kind === 'notice') await outbox.serve(work.record);
      if (work.kind === 'draft') await drafts.expire(work.record);
    },
    sms: async (work) => {
      if (work.kind === 'sms') await smsSender.serve(work.record);
      if (work.kind === 'setting') await sendOwedReceipt({ ...options, ...parts }, work.record);
    },
    bulk: async (work) => (work.kind === 'bulk' ? bulkRunner.serve(work.record) : undefined),
    tidy: async (work) => {
      const { store, clock, retainMs } = options;
      if (work.kind === 'rows' || work.kind === 'sms')
        await tidyRows(store, work, { nowMs: clock.now(), retainMs });
      else if (work.kind === 'draft') await drafts.expire(work.record);
      else await removeRecord(store, work);
    },
  };
  return (Object.keys(serve) as Queue[]).map(
    (queue) =>
      new Worker({
        ...options,
        queue,
        ...WIDTHS[queue],
        serve: (work) =>
          poisonGuard.around(work, () =>
            options.observer.aroundWork(work, () => serve[queue](work)),
          ),
      }),
  );
};

/**
 * Builds everything between the chats, the payment service and the store: commands and callbacks go in, and the
 * workers serve what is due. It knows no port, no file and no process.
 */
export const buildEngine = (given: EngineOptions) => {
  const options = withDefaults(given);
  const { store, log, isShared } = options;
  const parts = buildParts(options);
  const workers = buildWorkers(options, parts);
  const stopWatching = new AbortController();
  let watching = Promise.resolve();
  const { payments, freeze, alerts, callbacks, outbox } = parts;
  return {
    ...buildCommands(options, parts),
    alerts,
    callbacks,
    outbox,
    /** A group has a new id; what is owed to the old one is delivered there. */
    rememberMove: (platform: string, from: string, to: string): Promise<void> =>
      parts.chats.rememberMove(platform, from, to),
    start: async (): Promise<void> => {
      const frozen = await freeze.standing();
      if (frozen !== undefined) {
        log.error(
          { backup: new Date(frozen.backupAtMs), since: new Date(frozen.sinceMs) },
          'restored from a backup: nothing is charged until "npm run reconcile" has asked the payment service about everything',
        );
        await distrustRestored(payments, store);
        await alerts.raise('restored', { kind: 'restored' });
      }
      failpoint('recovery-begun');
      // In a shared store another instance may be sending them right now.
      if (!isShared) await parts.submitter.recover();
      await parts.chatGrants.renewSeals();
      await parts.balances.begin();
      await parts.digests.begin();
      for (const worker of workers) worker.start();
      watching = watchWorkers({ ...options, workers }, stopWatching.signal);
    },
    /** To be called first when the process is told to stop, because it may be cut off before `stop`. */
    beginStop: (): Promise<void> => parts.poisonGuard.stop(),
    /** Claims no more work and waits for the work in flight. */
    stop: async (): Promise<void> => {
      stopWatching.abort();
      await watching;
      await Promise.all(workers.map((worker) => worker.stop()));
      await callbacks.stop();
      failpoint('workers-stopped');
    },
  };
};

export type Engine = ReturnType<typeof buildEngine>;
