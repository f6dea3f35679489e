import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  contentsOf,
  copyAsAfterCrash,
  filesNamed,
  openStoreIn,
} from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TEN_MINUTES_MS = 600_000;

const setting = (id: string, version = 1, value = id): Put => ({
  kind: 'setting',
  record: { id, version, value },
});

const closedWith = async (ids: readonly string[]): Promise<string> => {
  const dir = await tempFolder();
  const store = await openStoreIn(dir);
  for (const id of ids) await store.commit({ put: [setting(id)] });
  await store.close();
  return dir;
};

const snapshotOf = async (dir: string): Promise<{ position: { seq: number }; records: Put[] }> =>
  JSON.parse(await readFile(join(dir, 'snapshot.json'), 'utf8'));

const seqOf = async (dir: string): Promise<number> => (await snapshotOf(dir)).position.seq;

const expectAll = async (store: Store, ids: readonly string[]): Promise<void> => {
  for (const id of ids) expect(await store.get('setting', id)).toMatchObject({ id });
};

describe('the snapshot', () => {
  it('stands for everything after a clean stop, one record a line', async () => {
    const dir = await closedWith(['a', 'b', 'c']);
    const { records, position } = await snapshotOf(dir);
    expect(records).toEqual([setting('a'), setting('b'), setting('c')]);
    expect(position.seq).toBe(3);
    const text = await readFile(join(dir, 'snapshot.json'), 'utf8');
    expect(text.split('\n').slice(1, -2)).toHaveLength(3);
  });

  it('leaves what was removed behind', async () => {
    const dir = await closedWith(['a', 'b']);
    const store = await openStoreIn(dir);
    await store.commit({ remove: [{ kind: 'setting', id: 'a', version: 1 }] });
    await store.close();
    expect((await snapshotOf(dir)).records).toEqual([setting('b')]);
  });

  it('may be older than the journal: the rest is read from there', async () => {
    const dir = await closedWith(['a', 'b']);
    const old = await readFile(join(dir, 'snapshot.json'));
    const store = await openStoreIn(dir);
    await store.commit({ put: [setting('c'), setting('a', 2, 'new')] });
    await store.commit({ remove: [{ kind: 'setting', id: 'b', version: 1 }] });
    await store.close();
    await writeFile(join(dir, 'snapshot.json'), old);
    const again = await openStoreIn(dir);
    expect(await again.get('setting', 'a')).toMatchObject({ version: 2, value: 'new' });
    expect(await again.get('setting', 'b')).toBeUndefined();
    expect(await again.get('setting', 'c')).toBeDefined();
  });

  it('may be missing: everything is read from the journal', async () => {
    const dir = await closedWith(['a', 'b', 'c']);
    await rm(join(dir, 'snapshot.json'));
    await expectAll(await openStoreIn(dir), ['a', 'b', 'c']);
  });

  it('is written after some minutes in which something was committed', async () => {
    const clock = new ManualClock();
    const dir = await closedWith(['a']);
    const store = await openStoreIn(dir, { clock });
    await clock.advance(TEN_MINUTES_MS);
    const before = (await stat(join(dir, 'snapshot.json'))).mtimeMs;
    await store.commit({ put: [setting('b')] });
    expect(await seqOf(dir)).toBe(1);
    await clock.advance(TEN_MINUTES_MS);
    await eventually(async () => expect(await seqOf(dir)).toBe(2));
    expect((await stat(join(dir, 'snapshot.json'))).mtimeMs).toBeGreaterThan(before);
  });

  it('is written once the journal has grown by some megabytes', async () => {
    const dir = await tempFolder();
    const store = await openStoreIn(dir);
    await store.commit({ put: [setting('a')] });
    await eventually(async () => expect(await seqOf(dir)).toBe(1));
    const value = 'x'.repeat(100_000);
    for (let version = 1; version <= 90; version++)
      await store.commit({ put: [setting('big', version, value)] });
    await eventually(async () => expect(await seqOf(dir)).toBeGreaterThan(80));
    await expectAll(await openStoreIn(await copyAsAfterCrash(dir)), ['a', 'big']);
  });

  it('is written when a new month begins, so that the loss of its journal is noticed', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    const store = await openStoreIn(dir, { clock });
    await store.commit({ put: [setting('a')] });
    await eventually(async () => expect(await seqOf(dir)).toBe(1));
    clock.jump(30 * 86_400_000);
    await store.commit({ put: [setting('b')] });
    await eventually(async () => expect(await seqOf(dir)).toBe(2));
    const copy = await copyAsAfterCrash(dir);
    await rm(join(copy, 'journal-2026-02.ndjson'));
    await expect(openStoreIn(copy)).rejects.toThrow(/journal-2026-02\.ndjson is missing/);
  });

  it('is as of one moment while commits go on', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    const store = await openStoreIn(dir, { clock });
    const pair = (version: number) => [setting('left', version), setting('right', version)];
    for (let version = 1; version <= 200; version++) {
      await store.commit({ put: pair(version) });
      if (version % 20 !== 0) continue;
      const advancing = clock.advance(TEN_MINUTES_MS);
      const { records } = await snapshotOf(await copyAsAfterCrash(dir));
      const [left, right] = records;
      expect(left?.record.version).toBe(right?.record.version);
      await advancing;
    }
  });

  it('that was not finished does not count', async () => {
    const dir = await closedWith(['a', 'b']);
    await writeFile(join(dir, 'snapshot.json.tmp'), '{"format":1,"pos');
    const store = await openStoreIn(dir);
    await expectAll(store, ['a', 'b']);
    await store.commit({ put: [setting('c')] });
    await store.close();
    expect(await filesNamed(dir, 'snapshot')).toEqual(['snapshot.json']);
  });
});

describe('a snapshot that is not whole', () => {
  const expectRefusal = async (dir: string, message: RegExp): Promise<void> => {
    const before = await contentsOf(dir);
    const refusal = await openStoreIn(dir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect((refusal as StartError).message).toMatch(message);
    expect((refusal as StartError).message).toContain(join(dir, 'snapshot.json'));
    expect(await contentsOf(dir)).toEqual(before);
  };

  it('is refused when it is empty or cut short, at whatever length', async () => {
    const dir = await closedWith(['a', 'b']);
    const path = join(dir, 'snapshot.json');
    const whole = await readFile(path);
    // Its last byte is a newline, which says nothing.
    for (let length = 0; length < whole.length - 1; length += 7) {
      await writeFile(path, whole.subarray(0, length));
      await expectRefusal(dir, /is empty or cut short/);
    }
    await writeFile(path, Buffer.alloc(whole.length));
    await expectRefusal(dir, /is empty or cut short/);
  });

  it('is refused when it was changed', async () => {
    const dir = await closedWith(['a', 'b']);
    const path = join(dir, 'snapshot.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"value":"a"', '"value":"b"'));
    await expectRefusal(dir, /was changed after it was written/);
  });

  it.each(['{}', '[]', '{"hello":"world"}', 'null', 'hello'])(
    'is refused when it is somebody else’s: %s',
    async (text) => {
      const dir = await closedWith(['a']);
      await writeFile(join(dir, 'snapshot.json'), text);
      await expectRefusal(dir, /is not a snapshot of Paythread|is empty or cut short/);
    },
  );

  it('is refused when another version wrote it', async () => {
    const dir = await closedWith(['a']);
    const path = join(dir, 'snapshot.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"format":1', '"format":9'));
    await expectRefusal(dir, /has format 9, and this Paythread knows 1/);
  });

  it('says what helps, and it does', async () => {
    const dir = await closedWith(['a', 'b']);
    await writeFile(join(dir, 'snapshot.json'), '');
    await expectRefusal(dir, /move the snapshot away and start again/);
    await copyFile(join(dir, 'snapshot.json'), join(dir, 'moved-away'));
    await rm(join(dir, 'snapshot.json'));
    await expectAll(await openStoreIn(dir), ['a', 'b']);
  });
});
