import { describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import { markAsMoved } from '../../../src/core/store/moved-mark.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aPayment } from '../../support/a-payment.ts';
import type { DiskOperation } from '../../support/memory-disk.ts';
import { MemoryMachine } from '../../support/memory-machine.ts';

const TEN_MINUTES_MS = 600_000;

const setting = (id: string): Put => ({ kind: 'setting', record: { id, version: 1, value: id } });

const put = (store: Store, id: string): Promise<boolean> => store.commit({ put: [setting(id)] });

const changes = ({ kind }: DiskOperation): boolean =>
  ['mkdir', 'write', 'truncate', 'rename', 'link', 'rm', 'utimes'].includes(kind);

const refusalOf = async (starting: Promise<Store>): Promise<string> => {
  const refusal = await starting.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StartError);
  return (refusal as StartError).message;
};

/** With `a` and `b` stored, and a payment that is in the archive. */
const usedMachine = async (): Promise<MemoryMachine & { readonly archivedId: string }> => {
  const machine = new MemoryMachine();
  const store = await machine.start();
  const madeAtMs = machine.clock.now() - 10 * TEN_MINUTES_MS;
  const { due: _, ...payment } = aPayment({ id: newTransactionId(madeAtMs), state: 'failed' });
  const ended: Put = { kind: 'payment', record: { ...payment, settledAtMs: madeAtMs } };
  await store.commit({ put: [setting('a'), setting('b'), ended] });
  await store.close();
  machine.kill();
  return Object.assign(machine, { archivedId: payment.id });
};

const expectThere = async (store: Store, ids: readonly string[]): Promise<void> => {
  for (const id of ids) expect(await store.get('setting', id), id).toMatchObject({ id });
};

describe('a start on a disk that does not let it', () => {
  it.each([
    ['EACCES', /permission denied\. Make it readable and writable for the user Paythread runs as/],
    ['EROFS', /it is on a read-only disk\. Make it readable and writable/],
    ['ENOSPC', /the disk is full\. Make room there/],
    ['EIO', /the disk reports errors\. Replace the disk/],
    ['EMFILE', /this process may not open more files\. Raise its limit \(ulimit -n\)/],
  ] as const)('is refused on %s with what helps, and goes well afterwards', async (code, what) => {
    const machine = await usedMachine();
    machine.disk.fault = (one) =>
      changes(one) || (one.kind === 'open' && one.path.endsWith('.lock')) ? code : undefined;
    expect(await refusalOf(machine.start())).toMatch(what);
    machine.kill();
    const store = await machine.start();
    await expectThere(store, ['a', 'b']);
    await store.close();
  });
});

describe('a disk that gives out while the store is open', () => {
  it.each(['EROFS', 'EIO', 'ENOSPC'] as const)(
    'with %s ends it with one sentence; the next start has all that was acknowledged',
    async (code) => {
      const machine = await usedMachine();
      const store = await machine.start();
      await put(store, 'c');
      machine.disk.fault = (one) => (changes(one) ? code : undefined);
      const lost = await Promise.allSettled([put(store, 'd'), put(store, 'e')]);
      expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      await expect(put(store, 'f')).rejects.toThrow(/so Paythread has to stop/);
      expect(machine.fatal.map(({ message }) => message)).toEqual([
        'The journal could not be written, so Paythread has to stop.',
      ]);
      expect(machine.fatal[0]?.cause).toMatchObject({ code });
      await store.close().catch(() => {});
      machine.kill();
      const again = await machine.start();
      await expectThere(again, ['a', 'b', 'c']);
      await put(again, 'g');
      await again.close();
    },
  );

  it('takes a part of a line when it is nearly full; that part is cut off once there is room', async () => {
    const machine = await usedMachine();
    for (let freeBytes = 1; freeBytes < 300; freeBytes += 13) {
      const store = await machine.start();
      machine.disk.freeBytes = freeBytes;
      await expect(put(store, 'c')).rejects.toThrow(/so Paythread has to stop/);
      await store.close().catch(() => {});
      machine.kill();
      machine.disk.freeBytes = Number.POSITIVE_INFINITY;
    }
    const store = await machine.start();
    await expectThere(store, ['a', 'b']);
    expect(await store.get('setting', 'c')).toBeUndefined();
    expect(await put(store, 'c')).toBe(true);
    await store.close();
  });

  it('that cannot rename ends it, and the journal has everything', async () => {
    const machine = await usedMachine();
    const store = await machine.start();
    await put(store, 'c');
    machine.disk.fault = ({ kind }) => (kind === 'rename' ? 'EACCES' : undefined);
    await machine.clock.advance(TEN_MINUTES_MS);
    expect(machine.fatal.map(({ message }) => message)).toEqual([
      'The snapshot could not be written, so Paythread has to stop.',
    ]);
    await store.close().catch(() => {});
    machine.kill();
    const again = await machine.start();
    await expectThere(again, ['a', 'b', 'c']);
    await again.close();
  });

  it('that opens no more files for a while fails who looks into the archive, and nobody else', {
    tags: ['F50'],
  }, async () => {
    const machine = await usedMachine();
    const store = await machine.start();
    machine.disk.fault = ({ kind }) => (kind === 'open' ? 'EMFILE' : undefined);
    await expect(store.get('payment', machine.archivedId)).rejects.toThrow(/EMFILE/);
    expect(await put(store, 'c')).toBe(true);
    await expectThere(store, ['a', 'b', 'c']);
    machine.disk.fault = () => undefined;
    expect(await store.get('payment', machine.archivedId)).toMatchObject({ state: 'failed' });
    expect(machine.fatal).toEqual([]);
    await store.close();
  });
});

describe('two processes on one folder', () => {
  it('are one too many, until the first is dead; then the second goes on at once', async () => {
    const machine = await usedMachine();
    const first = await machine.start();
    await put(first, 'c');
    const beside = machine.disk.beside();
    expect(await refusalOf(machine.start(beside))).toMatch(/in use by process \d+ on machine/);
    expect(await put(first, 'd')).toBe(true);
    const died = machine.disk;
    machine.kill();
    const second = await machine.start(beside);
    await expectThere(second, ['a', 'b', 'c', 'd']);
    await expect(put(first, 'e')).rejects.toThrow();
    expect(died.isDead).toBe(true);
    await second.close();
    await first.close().catch(() => {});
  });

  it('that were both taken for dead write nothing into each other: the first notices before it writes', async () => {
    const machine = await usedMachine();
    const first = await machine.start();
    // It only stood still, and somebody took it for dead.
    machine.processes.kill();
    const second = await machine.start(machine.disk.beside());
    expect(await put(second, 'c')).toBe(true);
    await expect(put(first, 'd')).rejects.toThrow(/so Paythread has to stop/);
    expect(machine.fatal).toHaveLength(1);
    expect(await put(second, 'e')).toBe(true);
    await first.close().catch(() => {});
    await second.close();
    machine.kill();
    const third = await machine.start();
    await expectThere(third, ['a', 'b', 'c', 'e']);
    expect(await third.get('setting', 'd')).toBeUndefined();
    await third.close();
  });
});

describe('a folder whose store was moved', () => {
  it.each(['EIO', 'EMFILE', 'EACCES'] as const)(
    'is not started from when its mark cannot be looked at: %s',
    async (code) => {
      const machine = await usedMachine();
      await markAsMoved({ disk: machine.disk, dir: machine.dir });
      machine.disk.fault = ({ path }) =>
        path.endsWith('moved-to-postgresql.txt') ? code : undefined;
      expect(await refusalOf(machine.start())).toMatch(/cannot be used/);
      machine.disk.fault = () => undefined;
      expect(await refusalOf(machine.start())).toMatch(/were moved to PostgreSQL/);
    },
  );
});
