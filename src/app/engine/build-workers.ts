import type { Queue } from '../../core/records/due.ts';
import type { Put } from '../../core/records/records.ts';
import { PoisonGuard } from '../../core/recovery/poison-guard.ts';
import { systemRandom } from '../../core/runtime/random.ts';
import { Worker } from '../../core/work/worker.ts';
import type { MessageParts } from './build-messages.ts';
import type { PaymentParts } from './build-payments.ts';
import type { SenderParts } from './build-senders.ts';
import { type EngineOptions, NOBODY } from './engine-options.ts';

/** Work served side by side, by queue. */
const AT_ONCE: Record<Queue, number> = { submit: 8, check: 8, notice: 16, sms: 2, tidy: 4 };

/** One worker a queue. */
export const buildWorkers = (
  options: EngineOptions,
  { payments, drafts, alerts }: PaymentParts,
  { outbox }: MessageParts,
  { submitter, checks, smsSender }: SenderParts,
): Worker[] => {
  const { store, clock, log, random = systemRandom, onlooker = NOBODY } = options;
  const serve: Record<Queue, (work: Put) => Promise<void>> = {
    submit: async (work) => (work.kind === 'payment' ? submitter.serve(work.record) : undefined),
    check: async (work) => {
      if (work.kind === 'payment') await checks.serve(work.record);
      if (work.kind === 'watch') await checks.look(work.record);
    },
    notice: async (work) => (work.kind === 'notice' ? outbox.serve(work.record) : undefined),
    sms: async (work) => (work.kind === 'sms' ? smsSender.serve(work.record) : undefined),
    tidy: (work) => drafts.expire(work),
  };
  const poisonGuard = new PoisonGuard({ store, payments, alerts, clock, log });
  return (Object.keys(serve) as Queue[]).map(
    (queue) =>
      new Worker({
        queue,
        store,
        clock,
        log,
        atOnce: AT_ONCE[queue],
        random,
        serve: (work) =>
          poisonGuard.around(work, () => onlooker.aroundWork(work, () => serve[queue](work))),
      }),
  );
};
