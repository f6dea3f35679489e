import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Desk } from '../test/proof/crash/desk.ts';
import { type Sale, SalesBook } from '../test/proof/crash/sales.ts';
import { Dice } from '../test/proof/storm/dice.ts';
import { withStops } from './bench.ts';
import { Child } from './child.ts';
import { freePort, withFolder } from './settings.ts';
import { type Paid, SlowCustomers } from './stub/slow-customers.ts';

/**
 * `node bench/paid-to-told.ts --charges 200 --schedule 10s,20s,30s`: how long after a customer has paid the
 * outcome stands in the chat, when nothing goes wrong. Half of the payments are called back; all are paid
 * within five minutes after the prompt, at any moment of them alike. In real time, so it takes eleven minutes.
 */
const { values } = parseArgs({
  options: {
    charges: { type: 'string', default: '200' },
    schedule: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const MINUTE_MS = 60_000;
const SOLD_WITHIN_MS = 5 * MINUTE_MS;
/** Those who pay at the very end of the prompt's life would be found by a check that comes after it. */
const PAID_WITHIN_MS = 295_000;
const LOOK_EVERY_MS = 100;

const charges = Number(values.charges);
const dice = new Dice(Number(values.seed));

/** One sale after the other, each of another seller, until the question is pressed. */
const sell = async (desk: Desk, sale: Sale): Promise<void> => {
  desk.type(sale);
  while (!desk.press(sale)) await sleep(LOOK_EVERY_MS);
};

const toldAtMs = (desk: Desk, sale: Sale): number | undefined =>
  desk.told(sale).find(({ kind, word }) => kind === 'outcome' && word === 'completed')?.said.atMs;

const untilTold = async (desk: Desk, sale: Sale): Promise<number> => {
  for (;;) {
    const atMs = toldAtMs(desk, sale);
    if (atMs !== undefined) return atMs;
    await sleep(LOOK_EVERY_MS);
  }
};

const show = (what: string, waitsMs: readonly number[]): void => {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const at = (share: number) =>
    ((sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN) / 1_000).toFixed(2);
  process.stdout.write(
    `${what}: ${sorted.length} payments, p50 ${at(0.5)} s, p99 ${at(0.99)} s, max ${at(1)} s\n`,
  );
};

await withFolder((folder) =>
  withStops(async (keep) => {
    const customers = keep(
      await SlowCustomers.start((count) => ({
        isCalledBack: count % 2 === 0,
        afterMs: dice.between(0, PAID_WITHIN_MS),
      })),
    );
    const desk = keep(await Desk.open());
    const accessFile = join(folder, 'access.yml');
    await writeFile(accessFile, desk.accessFile);
    const port = await freePort();
    keep(
      await Child.startPaythread({
        ...customers.settings,
        ...desk.settings,
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        DATA_DIR: join(folder, 'data'),
        ACCESS_FILE: accessFile,
        ...(values.schedule === undefined ? {} : { STATUS_CHECK_SCHEDULE: values.schedule }),
      }),
    );
    const book = new SalesBook(dice.fork());
    const ends: Promise<readonly [sale: Sale, toldAtMs: number]>[] = [];
    for (let round = 0; round < charges; round++) {
      const sale = book.open({ round });
      await sell(desk, sale);
      ends.push(untilTold(desk, sale).then((atMs) => [sale, atMs]));
      await sleep(SOLD_WITHIN_MS / charges);
    }
    const told = new Map((await Promise.all(ends)).map(([sale, ms]) => [sale.amountMinor, ms]));
    const waits = (which: (paid: Paid) => boolean): number[] =>
      [...customers.paid.values()]
        .filter(which)
        .map(({ amountMinor, paidAtMs }) => (told.get(amountMinor) ?? Number.NaN) - paidAtMs);
    const isEarly = ({ paidAtMs, takenAtMs }: Paid) => paidAtMs - takenAtMs <= 2 * MINUTE_MS;
    show(
      'called back',
      waits(({ isCalledBack }) => isCalledBack),
    );
    show(
      'not called back, paid within 5 minutes',
      waits(({ isCalledBack }) => !isCalledBack),
    );
    show(
      'of those, paid within 2 minutes',
      waits((paid) => !paid.isCalledBack && isEarly(paid)),
    );
    const messages = book.sales.map(
      (sale) => desk.told(sale).filter(({ kind }) => kind === 'outcome').length,
    );
    process.stdout.write(
      `told twice: ${messages.filter((count) => count > 1).length} of ${book.sales.length}; requests for money: ${customers.paid.size}\n`,
    );
  }),
);
