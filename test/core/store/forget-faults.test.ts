import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/core/store/disk.ts';
import { writeAside, writeFully } from '../../../src/core/store/durable-file.ts';
import { makeFolder, syncFolder } from '../../../src/core/store/durable-folder.ts';
import type { Retiring } from '../../../src/core/store/embedded-store.ts';
import { asIfInPlace } from '../../../src/core/store/files-anew.ts';
import { forgetInFolder } from '../../../src/core/store/forget-in-folder.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { verifyTrail } from '../../../src/core/store/verify-folder.ts';
import { DAY_MS } from '../../contracts/store/records.ts';
import { ama } from '../../support/a-payment.ts';
import { CustomerHistory, EFUA, KOFI, kofiIn } from '../../support/customer-history.ts';
import type { DiskFault } from '../../support/memory-disk.ts';
import { MemoryMachine } from '../../support/memory-machine.ts';
import { silentLog } from '../../support/silent-log.ts';

type Files = ReadonlyMap<string, Buffer>;

const filesOn = async (disk: Disk, dir: string): Promise<Files> => {
  const files = new Map<string, Buffer>();
  for (const name of await disk.readdir(dir)) files.set(name, await disk.readFile(join(dir, name)));
  return files;
};

type Shop = { readonly files: Files; readonly nowMs: number };

/** What a shop leaves behind on its disk. */
const aShopsFiles = async (
  since: (shop: Since) => Promise<void> = async () => {},
): Promise<Shop> => {
  const machine = new MemoryMachine();
  const store = await machine.start();
  const history = new CustomerHistory(store, machine.clock);
  const { kofis } = await history.lived();
  machine.clock.jump(2 * DAY_MS);
  await history.tidied();
  await since({ machine, store, history, kofis });
  await store.close();
  return { files: await filesOn(machine.disk, machine.dir), nowMs: machine.clock.now() };
};

type Since = {
  readonly machine: MemoryMachine;
  readonly store: Store & Retiring;
  readonly history: CustomerHistory;
  readonly kofis: readonly string[];
};

const shop = await aShopsFiles();

/** Old months were made anew once, and will be again: of one payment there was news. */
const shopWithSeams = await aShopsFiles(async ({ machine, store, history, kofis }) => {
  const [first = ''] = kofis;
  machine.clock.jump(60 * DAY_MS);
  await history.calledBack(first);
  await history.askedAgain(first);
  await store.retire({ beforeMs: machine.clock.now() - 30 * DAY_MS });
});

/** A machine that has these files, safe from a power cut. */
const machineWith = async (seed: number, { files, nowMs } = shop): Promise<MemoryMachine> => {
  const machine = new MemoryMachine(seed);
  machine.clock.jump(nowMs - machine.clock.now());
  const { disk, dir } = machine;
  await makeFolder(disk, dir);
  for (const [name, bytes] of files)
    await writeAside(disk, join(dir, name), (file) => writeFully(file, bytes, 0));
  await syncFolder(disk, dir);
  machine.kill();
  return machine;
};

const forget = (machine: MemoryMachine) =>
  forgetInFolder(
    {
      dir: machine.dir,
      disk: machine.disk,
      processes: machine.processes.start(),
      clock: machine.clock,
      log: silentLog,
    },
    { number: KOFI, who: ama, isSure: true },
  );

const sumsOf = async ({ disk, dir }: MemoryMachine) => {
  const { broken, places, stored } = await verifyTrail(await asIfInPlace({ disk, dir }));
  expect(places).toEqual([]);
  expect(broken).toBe(0);
  return stored;
};

const tracesOn = async ({ disk, dir }: MemoryMachine): Promise<string[]> =>
  [...(await filesOn(disk, dir))].flatMap(([name, bytes]) =>
    kofiIn(bytes.toString('latin1')).map((trace) => `${name}: ${trace}`),
  );

describe.each<DiskFault>(['crash', 'kill', 'EIO'])(
  'forgetting a customer, when %s comes with the n-th thing asked of the disk',
  (fault) => {
    it('leaves a whole store, and the next time it is done, for every n', async () => {
      const wanted = await sumsOf(await machineWith(1));
      const ends = { done: 0, cut: 0, before: 0, after: 0 };
      let n = 0;
      for (let asked = 0; asked >= n; ) {
        n++;
        const machine = await machineWith(n);
        machine.disk.fault = (one) => (one.n === n ? fault : undefined);
        const end = await forget(machine).then(
          () => 'done' as const,
          () => 'cut' as const,
        );
        ends[end]++;
        asked = machine.disk.operations;
        if (fault === 'crash' || n % 2 === 0) machine.disk = machine.disk.crash();
        else machine.disk = machine.disk.kill();
        machine.processes.kill();
        machine.clock.jump(60_000);
        expect((await sumsOf(machine)).isSameAs(wanted), `n = ${n}`).toBe(true);
        await (await machine.start()).close();
        const left = await tracesOn(machine);
        ends[left.length === 0 ? 'after' : 'before']++;
        // All or nothing.
        if (left.length > 0) expect(left.length).toBeGreaterThan(50);
        expect(await forget(machine)).toMatchObject({
          kind: left.length === 0 ? 'unknown' : 'forgotten',
        });
        expect(await tracesOn(machine)).toEqual([]);
        machine.disk = machine.disk.crash();
        machine.processes.kill();
        expect(await tracesOn(machine), `n = ${n}`).toEqual([]);
        expect((await sumsOf(machine)).isSameAs(wanted)).toBe(true);
      }
      expect(ends.before).toBeGreaterThan(20);
      expect(ends.after).toBeGreaterThan(5);
    });
  },
);

describe.each<[DiskFault, string, Shop]>([
  ['crash', 'for the first time', shop],
  ['kill', 'for the second time', shopWithSeams],
])(
  'old payments that lose their customers in a store that is in use, when %s comes with the n-th thing asked of the disk, %s',
  (fault, _time, there) => {
    it('leave a whole store, and the next time it is done, for every n', async () => {
      const wanted = await sumsOf(await machineWith(1, there));
      const ends = { done: 0, cut: 0 };
      let n = 0;
      for (let asked = 0; asked >= n; ) {
        n++;
        const machine = await machineWith(n, there);
        machine.clock.jump(90 * DAY_MS);
        const beforeMs = machine.clock.now() - 30 * DAY_MS;
        const store = await machine.start();
        // A first commit in the month that is written now.
        await new CustomerHistory(store, machine.clock).cancelled({ customerNumber: EFUA });
        const before = machine.disk.operations;
        machine.disk.fault = (one) => (one.n === before + n ? fault : undefined);
        const end = await store.retire({ beforeMs }).then(
          () => 'done' as const,
          () => 'cut' as const,
        );
        ends[end]++;
        asked = machine.disk.operations - before;
        await store.close().catch(() => {});
        machine.disk =
          fault === 'crash' || n % 2 === 0 ? machine.disk.crash() : machine.disk.kill();
        machine.processes.kill();
        machine.clock.jump(60_000);
        expect((await sumsOf(machine)).isSameAs(wanted), `n = ${n}`).toBe(true);
        const again = await machine.start();
        await again.retire({ beforeMs });
        const { payments } = await again.listPayments({ customerNumber: KOFI }, { limit: 9 });
        expect(payments, `n = ${n}`).toEqual([]);
        await again.close();
        expect((await sumsOf(machine)).isSameAs(wanted), `n = ${n}`).toBe(true);
        const old = (await filesOn(machine.disk, machine.dir)).get('journal-2026-01.ndjson');
        expect(old?.includes(`"customerNumber":"${KOFI}"`), `n = ${n}`).toBe(false);
      }
      expect(ends.cut).toBeGreaterThan(50);
    });
  },
);
