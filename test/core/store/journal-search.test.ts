import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk } from '../../../src/core/store/disk.ts';
import { auditRowsIn } from '../../../src/core/store/journal-search.ts';
import { seal } from '../../../src/core/store/sealed-json.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ID = newTransactionId(Date.UTC(2026, 0, 15));
const PIECE_BYTES = 1024 * 1024;
const JANUARY = 'journal-2026-01.ndjson';

const lineOf = (what: string, id = ID): string => {
  const audit = [{ atMs: 1, kind: 'payment', id, what, before: null, after: null }];
  const entry = { format: 1, seq: 1, atMs: 1, prev: '', change: { put: [], remove: [], audit } };
  return `${seal(JSON.stringify(entry).slice(0, -1)).text}\n`;
};

const whatOf = async (dir: string, upTo?: { file: string; offset: number }) => {
  const end = upTo && { ...upTo, seq: 1, hash: '' };
  return (await auditRowsIn({ disk: systemDisk, dir }, ID, end)).map(({ what }) => what);
};

describe('the search in the journal', () => {
  it('finds a row wherever the pieces begin and end in which the file is read', async () => {
    const dir = await tempFolder();
    const line = lineOf('found');
    const at = line.indexOf(`"id":"${ID}`);
    for (let cut = -1; cut <= 24; cut++) {
      const filler = `${'x'.repeat(PIECE_BYTES - at - cut - 1)}\n`;
      await writeFile(join(dir, JANUARY), filler + line);
      expect(await whatOf(dir), `${cut} bytes before the end`).toEqual(['found']);
    }
  });

  it('looks no further than it is told, and at no older month', async () => {
    const dir = await tempFolder();
    const [one, two] = [lineOf('one'), lineOf('two')];
    await writeFile(join(dir, 'journal-2025-12.ndjson'), lineOf('older'));
    await writeFile(join(dir, JANUARY), one + two);
    await writeFile(join(dir, 'journal-2026-02.ndjson'), lineOf('three'));
    expect(await whatOf(dir)).toEqual(['one', 'two', 'three']);
    expect(await whatOf(dir, { file: JANUARY, offset: one.length })).toEqual(['one']);
    expect(await whatOf(dir, { file: JANUARY, offset: 0 })).toEqual([]);
  });

  it('passes over a last line that is being written, and refuses one that was changed', async () => {
    const dir = await tempFolder();
    await writeFile(join(dir, JANUARY), lineOf('one') + lineOf('half').slice(0, -5));
    expect(await whatOf(dir)).toEqual(['one']);
    await appendFile(join(dir, JANUARY), 'xxxxx\n');
    await expect(whatOf(dir)).rejects.toThrow(/journal-2026-01\.ndjson was changed or damaged at/);
  });
});
