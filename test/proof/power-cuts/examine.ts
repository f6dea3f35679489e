import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Kind } from '../../../src/core/records/records.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import { readBook } from '../../../src/core/store/sqlite/backup-book.ts';
import { openSqliteStore } from '../../../src/core/store/sqlite/open-sqlite-store.ts';
import { verifyFolder } from '../../../src/core/store/sqlite/verify-folder.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { COUNTER, customerOf, paymentIdOf, type Story } from './story.ts';
import type { Told } from './told.ts';

/** What was found in a folder: the last commit that is there, and what is wrong. */
export type Finding = { readonly found: number; readonly problems: readonly string[] };

/**
 * Opens the store that an accident left in `root`, and compares it with what was told before: all that was
 * acknowledged is there, nothing is there by half, the chain holds, and the store goes on.
 */
export const examine = async (root: string, story: Story, told: Told): Promise<Finding> => {
  const problems = [...told.wrong.map((line) => `it said "${line}"`)];
  const dir = join(root, 'data');
  let found = 0;
  try {
    const { store } = await openSqliteStore({
      ...{ dir, clock: systemClock, log: silentLog },
      onFatal: ({ message, cause }) => problems.push(`fatal: ${message} ${cause}`),
    });
    try {
      found = (await store.get('setting', COUNTER))?.version ?? 0;
      problems.push(...(await wrongIn(store, story, told, found)));
      const goesOn = await store.commit(story.change(found + 1));
      if (!goesOn) problems.push('the next commit is refused as stale');
    } finally {
      await store.close();
    }
    problems.push(...(await wrongInTrail(dir, told)));
  } catch (error) {
    problems.push(`${error} ${(error as Error).cause ?? ''}`);
  }
  for (const [name, least] of told.backups)
    problems.push(...(await wrongInBackup(join(root, name), least)));
  return { found, problems };
};

const wrongIn = async (
  store: Store,
  story: Story,
  told: Told,
  found: number,
): Promise<string[]> => {
  const { acknowledged, asked } = told;
  if (found < acknowledged)
    return [`commit ${acknowledged} was acknowledged, and ${found} is the last`];
  if (found > asked) return [`commit ${found} is there, and ${asked} was the last one asked for`];
  const problems: string[] = [];
  const expected = story.after(found);
  const forgotten = new Set(
    [...told.forgotten.keys()].map((made) => `payment/${paymentIdOf(made)}`),
  );
  for (const key of story.keys(Math.max(found, asked))) {
    if (forgotten.has(key)) continue;
    const [kind, id = ''] = key.split('/');
    const record = await store.get(kind as Kind, id);
    if (!isDeepStrictEqual(record, expected.get(key)?.record))
      problems.push(`${key} is not as commit ${found} left it`);
  }
  const rows = await store.auditOf(COUNTER);
  const isWhole =
    rows.length === found && rows.every(({ what }, at) => what === `commit ${at + 1}`);
  if (!isWhole) problems.push(`${rows.length} audit rows count ${found} commits`);
  for (const [made, isAcknowledged] of told.forgotten)
    problems.push(...(await wrongInForgotten(store, story, { made, isAcknowledged, found })));
  return problems;
};

/** The customer of a payment is there or gone, in the record and in all its rows. */
const wrongInForgotten = async (
  store: Store,
  story: Story,
  { made, isAcknowledged, found }: { made: number; isAcknowledged: boolean; found: number },
): Promise<string[]> => {
  const id = paymentIdOf(made);
  const before = story.after(found).get(`payment/${id}`)?.record;
  const payment = await store.get('payment', id);
  const text = JSON.stringify([payment, await store.auditOf(id)]);
  const isForgotten = payment?.version === (before?.version ?? 0) + 1;
  if (isForgotten && !text.includes(customerOf(made))) return [];
  if (!isForgotten && !isAcknowledged && isDeepStrictEqual(payment, before)) return [];
  return [`payment ${id}: its customer was to be forgotten, and is so by half or not at all`];
};

const wrongInTrail = async (dir: string, told: Told): Promise<string[]> => {
  const [noted] = told.heads.slice(-1);
  const { places, hasNoted } = await verifyFolder(dir, noted);
  return [...places, ...(hasNoted === false ? ['the head that was noted is gone'] : [])];
};

const wrongInBackup = async (folder: string, least: number | undefined): Promise<string[]> => {
  if (least === undefined && !existsSync(folder)) return [];
  try {
    readBook(folder);
  } catch (error) {
    // One that is not finished is refused.
    return least === undefined && error instanceof StartError ? [] : [`${error}`];
  }
  const { places } = await verifyFolder(folder);
  const database = new DatabaseSync(join(folder, 'paythread.db'), { readOnly: true });
  const row = database.prepare("SELECT version FROM records WHERE id = 'counter'").get();
  database.close();
  const last = Number(row?.['version'] ?? 0);
  if (last < (least ?? 0)) return [`the backup ends with commit ${last} and not with ${least}`];
  return places.map((place) => `backup: ${place}`);
};
