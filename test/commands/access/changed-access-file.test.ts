import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Access } from '../../../src/commands/access/access.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { AccessFileInUse, caller, ONE_ROLE, terminal } from './access-file-in-use.ts';

let file: AccessFileInUse;
let access: Access;
beforeEach(async () => {
  file = await AccessFileInUse.create();
});

describe('a change of the file', () => {
  const grantTo = (id: string) => `${ONE_ROLE}members: {sales: [slack:${id}]}\n`;
  const may = async (command: string, who: Caller) => (await access.grantsOf(who)).may(command);
  const mayCharge = (id: string) => may('charge', caller('slack', id));

  const logged = async () => file.log.entries.some((entry) => entry.level === 'error');

  /** Reading the file takes real time, and none of this file.clock. */
  const looked = () =>
    vi.waitUntil(() => file.clock.sleeping > 0, { interval: 1, timeout: PATIENCE_MS });

  const within = async (limitMs: number, holds: () => Promise<boolean>): Promise<boolean> => {
    for (let passedMs = 0; passedMs < limitMs; passedMs += 500) {
      await looked();
      await file.clock.advance(500);
      await looked();
      if (await holds()) return true;
    }
    return false;
  };

  it.each<[string, (text: string) => void]>([
    ['written in place', (text) => file.write(text)],
    [
      'renamed into place, as editors do',
      (text) => {
        writeFileSync(`${file.path}.new`, text);
        renameSync(`${file.path}.new`, file.path);
      },
    ],
    [
      'written with its old time and size',
      (text) => {
        file.write(text);
        utimesSync(file.path, 1, 1);
      },
    ],
    [
      'reached by a link that is turned, as Kubernetes does',
      (text) => {
        writeFileSync(join(file.folder, 'second.yml'), text);
        symlinkSync('second.yml', `${file.path}.link`);
        renameSync(`${file.path}.link`, file.path);
      },
    ],
  ])('is in force within 5 s when %s', { tags: ['I17'] }, async (_how, change) => {
    access = await file.open(grantTo('U1'));
    utimesSync(file.path, 1, 1);
    expect(await mayCharge('U2')).toBe(false);
    change(grantTo('U2'));
    expect(await within(5_000, () => mayCharge('U2'))).toBe(true);
    expect(await mayCharge('U1')).toBe(false);
  });

  it('that breaks it leaves the old rules in force, and is logged once', async () => {
    access = await file.open(grantTo('U1'));
    file.write('roles: {sales: {commands: [chrage]}}');
    expect(await within(5_000, logged)).toBe(true);
    expect(await within(10_000, async () => file.log.entries.length > 1)).toBe(false);
    expect(file.log.entries[0]).toMatchObject({
      fields: { problems: [expect.stringContaining('chrage')] },
    });
    expect(file.troubles).toEqual([[expect.stringMatching(/^line 1, .*chrage/)]]);
    expect(await mayCharge('U1')).toBe(true);
    file.write(grantTo('U2'));
    expect(await within(5_000, () => mayCharge('U2'))).toBe(true);
    expect(file.troubles.slice(1)).toEqual([[]]);
    file.write(grantTo('U3'));
    expect(await within(5_000, () => mayCharge('U3'))).toBe(true);
    expect(file.troubles).toHaveLength(2);
  });

  it('that is only half written when looked at is not taken', async () => {
    access = await file.open(grantTo('U1'));
    const half = 'roles: {sales: {commands: [charge]}}\nmembers: {sales: [slack:U2]}\n';
    file.write(half);
    await looked();
    await file.clock.advance(1_000);
    await looked();
    file.write(half.replace('charge', 'lookup'));
    expect(await within(5_000, () => may('lookup', caller('slack', 'U2')))).toBe(true);
    expect(file.log.entries).toMatchObject([{ level: 'info' }]);
  });

  it('that deletes it takes every grant away', async () => {
    access = await file.open(grantTo('U1'));
    rmSync(file.path);
    expect(await within(5_000, async () => !(await mayCharge('U1')))).toBe(true);
    expect(await may('charge', terminal)).toBe(true);
  });

  it('that brings the first one is noticed', async () => {
    access = await file.open();
    file.write(grantTo('U1'));
    expect(await within(5_000, () => mayCharge('U1'))).toBe(true);
    expect(await may('charge', terminal)).toBe(false);
  });

  it('that puts a folder there leaves the old rules in force', async () => {
    access = await file.open(grantTo('U1'));
    rmSync(file.path);
    symlinkSync(file.folder, file.path);
    expect(await within(5_000, logged)).toBe(true);
    expect(await mayCharge('U1')).toBe(true);
    expect(file.troubles).toEqual([['it cannot be read (EISDIR)']]);
  });
});
