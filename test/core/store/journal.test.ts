import { createHash } from 'node:crypto';
import { appendFile, copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  contentsOf,
  copyAsAfterCrash,
  filesNamed,
  linesOf,
  openStoreIn,
} from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const JANUARY = 'journal-2026-01.ndjson';
const DAY_MS = 86_400_000;

const setting = (id: string, value = id): Put => ({
  kind: 'setting',
  record: { id, version: 1, value },
});

const store = async (into: Store, ids: readonly string[]): Promise<void> => {
  for (const id of ids) expect(await into.commit({ put: [setting(id)] })).toBe(true);
};

/** A folder with a journal of one line for each id, and no snapshot, as after kill -9. */
const crashedWith = async (ids: readonly string[], clock = new ManualClock()): Promise<string> => {
  const dir = await tempFolder();
  await store(await openStoreIn(dir, { clock }), ids);
  const copy = await copyAsAfterCrash(dir);
  await rm(join(copy, 'snapshot.json'), { force: true });
  return copy;
};

/** Each crowd shares a flush; no snapshot, as after kill -9. */
const crowdedWith = async (...crowds: readonly (readonly string[])[]): Promise<string> => {
  const dir = await tempFolder();
  const open = await openStoreIn(dir);
  for (const ids of crowds) await Promise.all(ids.map((id) => open.commit({ put: [setting(id)] })));
  const copy = await copyAsAfterCrash(dir);
  await rm(join(copy, 'snapshot.json'), { force: true });
  return copy;
};

/** A line whose page never reached the disk. */
const wipeLine = async (dir: string, index: number): Promise<void> => {
  const lines = await linesOf(join(dir, JANUARY));
  const zeros = '\u0000'.repeat(lines[index]?.length ?? 0);
  await writeLines(join(dir, JANUARY), lines.with(index, zeros));
};

/** January, March and April 2026, two lines each. */
const threeMonths = async (): Promise<string> => {
  const clock = new ManualClock();
  const dir = await tempFolder();
  const open = await openStoreIn(dir, { clock });
  await store(open, ['a', 'b']);
  await clock.advance(60 * DAY_MS);
  await store(open, ['c', 'd']);
  await clock.advance(30 * DAY_MS);
  await store(open, ['e', 'f']);
  await open.close();
  return dir;
};

/** Opening must fail with this message, and change nothing. */
const expectRefusal = async (dir: string, message: RegExp): Promise<void> => {
  const before = await contentsOf(dir);
  const refusal = await openStoreIn(dir).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StartError);
  expect((refusal as StartError).message).toMatch(message);
  expect(await contentsOf(dir)).toEqual(before);
};

const writeLines = (path: string, lines: readonly string[]): Promise<void> =>
  writeFile(path, lines.map((line) => `${line}\n`).join(''));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('what the journal is', () => {
  it('has one line for each commit, with the change and its audit rows', async () => {
    const dir = await tempFolder();
    const open = await openStoreIn(dir);
    const put = [setting('a', 'x\n\u2028\u2029\u0085\u0000y'), setting('b')];
    const row = {
      atMs: 7,
      kind: 'setting',
      id: 'a',
      what: 'made',
      before: null,
      after: 'x',
    } as const;
    await open.commit({ put, audit: [row] });
    await open.commit({ remove: [{ kind: 'setting', id: 'b', version: 1 }] });
    const text = await readFile(join(dir, JANUARY), 'utf8');
    for (const end of ['\u0000', '\u0085', '\u2028', '\u2029']) expect(text).not.toContain(end);
    const [first, second] = (await linesOf(join(dir, JANUARY))).map((line) => JSON.parse(line));
    expect(first).toMatchObject({
      seq: 1,
      atMs: Date.UTC(2026, 0, 15, 9),
      change: { put, audit: [row] },
    });
    expect(second).toMatchObject({ seq: 2, change: { remove: [{ id: 'b' }] } });
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('chains the lines by their hashes, across months', async () => {
    const dir = await threeMonths();
    const names = await filesNamed(dir, 'journal-');
    expect(names).toEqual([JANUARY, 'journal-2026-03.ndjson', 'journal-2026-04.ndjson']);
    let prev = '0'.repeat(64);
    let seq = 0;
    for (const name of names)
      for (const line of await linesOf(join(dir, name))) {
        const entry = JSON.parse(line);
        expect(entry).toMatchObject({ prev, seq: ++seq });
        prev = sha256(line.slice(0, line.lastIndexOf(',"hash":"')));
        expect(entry.hash).toBe(prev);
      }
    expect(seq).toBe(6);
  });

  it('is for the owner alone, like every file of the store', { tags: ['T14'] }, async () => {
    const dir = join(await tempFolder(), 'made', 'by', 'us');
    const open = await openStoreIn(dir);
    await store(open, ['a']);
    expect(await filesNamed(dir)).toContain('paythread.lock');
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await modeOf(dir)).toBe(0o700);
    for (const name of await filesNamed(dir)) expect(await modeOf(join(dir, name))).toBe(0o600);
    await open.close();
    expect(await filesNamed(dir)).toEqual([JANUARY, 'snapshot.json']);
    for (const name of await filesNamed(dir)) expect(await modeOf(join(dir, name))).toBe(0o600);
  });

  it('stays in the newest month when the clock is set back', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    const open = await openStoreIn(dir, { clock });
    await store(open, ['a']);
    clock.jump(-60 * DAY_MS);
    await store(open, ['b']);
    await open.close();
    expect(await filesNamed(dir, 'journal-')).toEqual([JANUARY]);
    const again = await openStoreIn(dir, { clock });
    await store(again, ['c']);
    expect(await linesOf(join(dir, JANUARY))).toHaveLength(3);
  });

  it('puts commits made at once into the month of each', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    const open = await openStoreIn(dir, { clock });
    const before = open.commit({ put: [setting('a')] });
    clock.jump(30 * DAY_MS);
    const after = open.commit({ put: [setting('b')] });
    expect(await Promise.all([before, after])).toEqual([true, true]);
    expect(await linesOf(join(dir, JANUARY))).toHaveLength(1);
    expect(await linesOf(join(dir, 'journal-2026-02.ndjson'))).toHaveLength(1);
  });
});

describe('a last line that was cut short', () => {
  it('is cut off, wherever it was cut', async () => {
    const dir = await crashedWith(['a', 'b', 'c']);
    const path = join(dir, JANUARY);
    const whole = await readFile(path);
    const lastStart = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
    for (let length = lastStart; length < whole.length; length++) {
      await rm(join(dir, 'snapshot.json'), { force: true });
      await writeFile(path, whole.subarray(0, length));
      const { log, entries } = capturedLog();
      const open = await openStoreIn(dir, { log });
      expect(await open.get('setting', 'b')).toBeDefined();
      expect(await open.get('setting', 'c')).toBeUndefined();
      expect((await stat(path)).size).toBe(lastStart);
      expect(entries.filter(({ level }) => level === 'warn')).toHaveLength(
        length === lastStart ? 0 : 1,
      );
      await open.close();
    }
  });

  it('does not hinder the commits after it', async () => {
    const dir = await crashedWith(['a', 'b', 'c']);
    await truncate(join(dir, JANUARY), (await stat(join(dir, JANUARY))).size - 20);
    const open = await openStoreIn(dir);
    await store(open, ['c', 'd']);
    const copy = await copyAsAfterCrash(dir);
    const again = await openStoreIn(copy);
    for (const id of ['a', 'b', 'c', 'd']) expect(await again.get('setting', id)).toBeDefined();
  });

  it('is cut off when pages of it were never written and read as zeros', async () => {
    const zeros = Buffer.alloc(5000);
    const dir = await crashedWith(['a', 'b']);
    await appendFile(join(dir, JANUARY), Buffer.concat([zeros, Buffer.from('"}\n')]));
    const open = await openStoreIn(dir);
    expect(await open.get('setting', 'b')).toBeDefined();
    expect(await linesOf(join(dir, JANUARY))).toHaveLength(2);
  });

  it('is cut off with whole lines behind it that shared its flush, as the disk writes pages in any order', async () => {
    const dir = await crowdedWith(['a'], ['b', 'c', 'd', 'e']);
    await wipeLine(dir, 2);
    const open = await openStoreIn(dir);
    for (const id of ['a', 'b']) expect(await open.get('setting', id)).toBeDefined();
    for (const id of ['c', 'd', 'e']) expect(await open.get('setting', id)).toBeUndefined();
    await store(open, ['c']);
    expect(await linesOf(join(dir, JANUARY))).toHaveLength(3);
  });

  it('is refused when a line behind it was written after its flush: it had been acknowledged', async () => {
    const dir = await crowdedWith(['a'], ['b', 'c', 'd'], ['e', 'f']);
    await wipeLine(dir, 2);
    await expectRefusal(dir, /at line 3: it is cut short/);
  });

  it('is cut off when it is the first of a new month', async () => {
    const dir = await threeMonths();
    await rm(join(dir, 'snapshot.json'));
    const april = join(dir, 'journal-2026-04.ndjson');
    await truncate(april, 30);
    const open = await openStoreIn(dir);
    expect(await open.get('setting', 'd')).toBeDefined();
    expect(await open.get('setting', 'e')).toBeUndefined();
    await store(open, ['e']);
    await open.close();
    expect(await linesOf(april)).toHaveLength(1);
    expect(await (await openStoreIn(dir)).get('setting', 'e')).toBeDefined();
  });

  it('leaves a new month that is empty usable, even when nothing is committed before the next start', async () => {
    const dir = await threeMonths();
    await rm(join(dir, 'snapshot.json'));
    await truncate(join(dir, 'journal-2026-04.ndjson'), 0);
    for (let starts = 0; starts < 2; starts++) await (await openStoreIn(dir)).close();
    const clock = new ManualClock(Date.UTC(2026, 3, 20));
    const open = await openStoreIn(dir, { clock });
    await store(open, ['g']);
    await open.close();
    expect(await linesOf(join(dir, 'journal-2026-04.ndjson'))).toHaveLength(1);
    expect(await (await openStoreIn(dir, { clock })).get('setting', 'g')).toBeDefined();
  });

  it('is refused in a month that is not the newest', async () => {
    const dir = await threeMonths();
    await rm(join(dir, 'snapshot.json'));
    await truncate(join(dir, JANUARY), (await stat(join(dir, JANUARY))).size - 5);
    await expectRefusal(dir, /journal-2026-01\.ndjson cannot be trusted at line 2/);
  });
});

describe('a journal that is not whole', () => {
  it('is refused at the line that was changed, wherever that is', { tags: ['T16'] }, async () => {
    const dir = await crashedWith(['a', 'b', 'c', 'd']);
    const path = join(dir, JANUARY);
    const lines = await linesOf(path);
    for (const [index, line] of lines.entries()) {
      const changed = line.replace('"version":1', '"version":2');
      expect(changed).not.toBe(line);
      await writeLines(path, lines.with(index, changed));
      await expectRefusal(dir, new RegExp(`at line ${index + 1}: it was changed`));
    }
  });

  it('is refused at a line that is garbled, the last one too', async () => {
    const dir = await crashedWith(['a', 'b', 'c']);
    const path = join(dir, JANUARY);
    const lines = await linesOf(path);
    for (const [index, line] of lines.entries()) {
      await writeLines(path, lines.with(index, line.replace('"change"', '"change')));
      await expectRefusal(dir, new RegExp(`at line ${index + 1}: it is garbled`));
    }
  });

  it('is refused when zeros are in it before its last line', async () => {
    const dir = await crashedWith(['a', 'b', 'c']);
    const path = join(dir, JANUARY);
    const lines = await linesOf(path);
    await writeLines(path, lines.with(1, '\u0000'.repeat(100)));
    await expectRefusal(dir, /at line 2: it is cut short/);
  });

  it('is refused when any one bit of it is flipped', async () => {
    const dir = await crashedWith(['a', 'b']);
    const path = join(dir, JANUARY);
    const whole = await readFile(path);
    // Without the last newline the last line counts as cut short.
    for (let at = 0; at < whole.length - 1; at += 3) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await writeFile(path, flipped);
      const refusal = await openStoreIn(dir).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StartError);
    }
  });

  it('is refused when a line is missing, moved or doubled', async () => {
    const dir = await crashedWith(['a', 'b', 'c', 'd']);
    const path = join(dir, JANUARY);
    const [a = '', b = '', c = '', d = ''] = await linesOf(path);
    await writeLines(path, [b, c, d]);
    await expectRefusal(dir, /at line 1: it does not follow commit 0/);
    await writeLines(path, [a, c, d]);
    await expectRefusal(dir, /at line 2: it does not follow commit 1/);
    await writeLines(path, [a, c, b, d]);
    await expectRefusal(dir, /at line 2: /);
    await writeLines(path, [a, b, b, c, d]);
    await expectRefusal(dir, /at line 3: it does not follow commit 2/);
  });

  it('is refused after a line that was changed and sealed anew', async () => {
    const dir = await crashedWith(['a', 'b', 'c']);
    const path = join(dir, JANUARY);
    const lines = await linesOf(path);
    const open = (lines[1] ?? '').replace('"value":"b"', '"value":"B"');
    const body = open.slice(0, open.lastIndexOf(',"hash":"'));
    await writeLines(path, lines.with(1, `${body},"hash":"${sha256(body)}"}`));
    await expectRefusal(dir, /at line 3: it does not follow commit 2/);
  });

  it.each([JANUARY, 'journal-2026-03.ndjson'])(
    'is refused when %s is missing, with a snapshot or without',
    async (name) => {
      const dir = await threeMonths();
      await rm(join(dir, name));
      await expectRefusal(dir, /at line 1: it does not follow commit \d, so something before it/);
      await rm(join(dir, 'snapshot.json'));
      await expectRefusal(dir, /at line 1: it does not follow commit \d, so something before it/);
    },
  );

  it('is refused when the newest month is missing, which the snapshot names', async () => {
    const dir = await threeMonths();
    await rm(join(dir, 'journal-2026-04.ndjson'));
    await expectRefusal(dir, /journal-2026-04\.ndjson is missing/);
  });

  it('is refused when all of it is missing', async () => {
    const dir = await threeMonths();
    for (const name of await filesNamed(dir, 'journal-')) await rm(join(dir, name));
    await expectRefusal(dir, /journal-2026-04\.ndjson is missing/);
  });

  it('is refused when it is shorter than the snapshot says', async () => {
    const dir = await threeMonths();
    const april = join(dir, 'journal-2026-04.ndjson');
    const lines = await linesOf(april);
    await writeLines(april, lines.slice(0, 1));
    await expectRefusal(
      dir,
      /journal-2026-04\.ndjson cannot be trusted at line 2: the rest is missing/,
    );
  });

  it('is refused when it is not the one that the snapshot belongs to', async () => {
    const [mine, other] = [await tempFolder(), await tempFolder()];
    for (const [dir, id] of [
      [mine, 'a'],
      [other, 'b'],
    ] as const) {
      const open = await openStoreIn(dir);
      await store(open, [id]);
      await open.close();
    }
    await copyFile(join(other, 'snapshot.json'), join(mine, 'snapshot.json'));
    await expectRefusal(mine, /snapshot in .* does not belong to journal-2026-01\.ndjson/);
  });

  it('is refused when it was written by another version', async () => {
    const dir = await crashedWith(['a', 'b']);
    const path = join(dir, JANUARY);
    const lines = await linesOf(path);
    const body = (lines[1] ?? '')
      .replace('{"format":1', '{"format":2')
      .replace(/,"hash":"\w+"}$/, '');
    await writeLines(path, lines.with(1, `${body},"hash":"${sha256(body)}"}`));
    await expectRefusal(dir, /at line 2: it has format 2, and this Paythread knows 1/);
  });

  it.each(['hello', 'hello\n', '{"level":30}\n', '[]\n', 'null\n', '{"form'.repeat(9)])(
    'is refused and left alone when it is somebody else’s file: %j',
    async (text) => {
      const dir = await tempFolder();
      await writeFile(join(dir, JANUARY), text);
      await expectRefusal(
        dir,
        /journal-2026-01\.ndjson cannot be trusted at line 1: it is not a line of a/,
      );
    },
  );

  it('does not mind files it does not know', async () => {
    const dir = await crashedWith(['a']);
    for (const name of ['notes.txt', 'journal-old.ndjson', 'journal-2026-01.ndjson.bak'])
      await writeFile(join(dir, name), 'mine');
    expect(await (await openStoreIn(dir)).get('setting', 'a')).toBeDefined();
    expect(await readFile(join(dir, 'notes.txt'), 'utf8')).toBe('mine');
  });
});
