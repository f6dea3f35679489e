import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aPayment } from '../../support/a-payment.ts';
import { MemoryMachine } from '../../support/memory-machine.ts';

const MINUTE_MS = 60_000;
const FILES = ['journal-2026-01.ndjson', 'snapshot.json', 'archive-2026-01.ndjson'] as const;

/** Payments that ended long ago; two stops, so that each file has an older form. */
const IDS = Array.from({ length: 9 }).map((_each, n) =>
  newTransactionId(Date.UTC(2026, 0, 10) + n * MINUTE_MS, {
    bytes: (count) => new Uint8Array(count),
  }),
);

const ended = (id: string): Put => {
  const { due: _, ...payment } = aPayment({ id, state: 'completed', settledAtMs: 1_000 });
  return { kind: 'payment', record: payment };
};

const setting: Put = { kind: 'setting', record: { id: 'kept', version: 1, value: 'x' } };

const stopped = async (): Promise<{
  machine: MemoryMachine;
  older: ReadonlyMap<string, Buffer>;
}> => {
  const machine = new MemoryMachine();
  const day = async (put: readonly Put[]): Promise<void> => {
    const store = await machine.start();
    expect(await store.commit({ put })).toBe(true);
    await store.close();
    machine.kill();
  };
  await day([setting, ...IDS.slice(0, 4).map(ended)]);
  const older = new Map<string, Buffer>();
  for (const name of FILES) older.set(name, await machine.disk.readFile(join(machine.dir, name)));
  await day(IDS.slice(4).map(ended));
  return { machine, older };
};

const overwrite = async (
  { disk, dir }: MemoryMachine,
  name: string,
  text: Buffer,
): Promise<void> => {
  await disk.rm(join(dir, name));
  const file = await disk.open(join(dir, name), 'wx+');
  await file.write(text, 0, text.length, 0);
  await file.close();
};

const isWhole = async (store: Store): Promise<boolean> => {
  const { payments } = await store.listPayments({}, { limit: 100 });
  const kept = await store.get('setting', 'kept');
  return payments.length === IDS.length && kept !== undefined;
};

/** Opens it: either a refusal that says what to do, or everything is there. */
const openedOrRefused = async (
  machine: MemoryMachine,
  what: string,
): Promise<'whole' | 'refused'> => {
  try {
    const store = await machine.start();
    expect(await isWhole(store), what).toBe(true);
    await store.close();
    return 'whole';
  } catch (error) {
    if (!(error instanceof StartError)) throw new Error(what, { cause: error });
    expect(error.message, what).toMatch(/Put the whole (data )?folder back from one backup/);
    return 'refused';
  } finally {
    machine.kill();
  }
};

describe.each(FILES)('a folder whose %s', (name) => {
  it('was cut short, at whatever length, is refused or whole, never silently less', async () => {
    const { machine } = await stopped();
    const whole = await machine.disk.readFile(join(machine.dir, name));
    for (let length = 0; length < whole.length - 1; length += length % 7 === 0 ? 1 : 5) {
      await overwrite(machine, name, whole.subarray(0, length));
      expect(await openedOrRefused(machine, `${length} bytes`)).toBe('refused');
    }
    await overwrite(machine, name, whole);
    expect(await openedOrRefused(machine, 'all of it')).toBe('whole');
  });

  it('is gone, empty, somebody else’s, full of zeros, or as it was at an earlier stop, likewise', async () => {
    const { machine, older } = await stopped();
    const whole = await machine.disk.readFile(join(machine.dir, name));
    await machine.disk.rm(join(machine.dir, name));
    // A snapshot can be made anew from the journal.
    expect(await openedOrRefused(machine, 'gone')).toBe(
      name === 'snapshot.json' ? 'whole' : 'refused',
    );
    const texts = ['', 'hello\n', '{}\n', '[]', 'null\n', '\u0000'.repeat(whole.length)];
    for (const text of texts) {
      await overwrite(machine, name, Buffer.from(text));
      expect(await openedOrRefused(machine, JSON.stringify(text.slice(0, 9)))).toBe('refused');
    }
    await overwrite(machine, name, older.get(name) ?? whole);
    // Behind an older snapshot the journal goes on.
    expect(await openedOrRefused(machine, 'older')).toBe(
      name === 'snapshot.json' ? 'whole' : 'refused',
    );
  });
});

describe('a lock that is a folder', () => {
  it('is a reason not to start', async () => {
    const { machine } = await stopped();
    await machine.disk.mkdir(join(machine.dir, 'paythread.lock'));
    await expect(machine.start()).rejects.toThrow(StartError);
  });
});
