import { provider } from '../../src/core/gateway/provider.ts';
import { Payments } from '../../src/core/payments/payments.ts';
import { StatusChecker } from '../../src/core/payments/status-checker.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { systemRandom } from '../../src/core/runtime/random.ts';
import { openPostgresStore } from '../../src/core/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import { Worker } from '../../src/core/work/worker.ts';
import { noOperators } from '../../test/support/no-operators.ts';
import { testSeal } from '../../test/support/test-seal.ts';
import { serveTasks } from '../serve-tasks.ts';
import { silentLog } from '../silent-log.ts';

/** Workers that do nothing but checks, over the real client. Counts what each payment was checked. */
const url = process.env['DATABASE_URL'];
const common = {
  clock: systemClock,
  log: silentLog,
  onFatal: (error: Error) => {
    throw error;
  },
};
const { store } =
  url === undefined
    ? await openSqliteStore({ ...common, dir: process.env['DATA_DIR'] ?? '' })
    : await openPostgresStore({ ...common, url });
const gateway = provider.createGateway(
  {
    baseUrl: process.env['PAYMENTS_BASE_URL'] ?? '',
    clientKey: 'client',
    secretKey: 'secret',
    serviceId: 7,
    nickname: 'Ama Ventures',
    timeoutMs: 30_000,
    requestsPerSecond: 100_000,
    sendCurrencyVal: 'never',
    numberFormat: 'national',
  },
  { clock: systemClock, log: silentLog },
);
const policy = { scheduleMs: [3_600_000], giveUpMs: 24 * 3_600_000 };
const payments = new Payments({
  seal: testSeal,
  store,
  clock: systemClock,
  policy,
  alerts: noOperators({ store, clock: systemClock }),
});
const checks = new StatusChecker({
  payments,
  store,
  gateway,
  clock: systemClock,
  log: silentLog,
  alerts: noOperators({ store, clock: systemClock }),
  random: systemRandom,
});
const checked = new Map<string, number>();

export type DrainTask = { readonly workers: number; readonly ms: number };
export type Drained = {
  readonly perSecond: number;
  readonly done: number;
  readonly twice: number;
  readonly payments: number;
};

const drain = async ({ workers: count, ms }: DrainTask): Promise<Drained> => {
  let done = 0;
  const workers = Array.from(
    { length: count },
    () =>
      new Worker({
        queue: 'check',
        store,
        clock: systemClock,
        log: silentLog,
        atOnce: 8,
        serve: async (work) => {
          if (work.kind !== 'payment') return;
          checked.set(work.record.id, (checked.get(work.record.id) ?? 0) + 1);
          await checks.serve(work.record);
          done++;
        },
      }),
  );
  const startedAtMs = performance.now();
  for (const worker of workers) worker.start();
  const isOver = async () =>
    performance.now() - startedAtMs > ms ||
    ((await store.nextDueMs('check')) ?? Infinity) > Date.now() + 110_000;
  while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, 20));
  const seconds = (performance.now() - startedAtMs) / 1000;
  const perSecond = done / seconds;
  await Promise.all(workers.map((worker) => worker.stop()));
  const twice = [...checked.values()].filter((times) => times > 1).length;
  return { perSecond, done, twice, payments: checked.size };
};

serveTasks(drain);
