import { join } from 'node:path';
import { type Erasure, erasureOf } from '../privacy/erasure.ts';
import { type Forgetting, forgottenPayment, forgottenRow } from '../privacy/forgotten-records.ts';
import { PSEUDONYM_KEY_ID, type PseudonymKey, pseudonymKey } from '../privacy/pseudonym-key.ts';
import { isRetired, type Retired, type RetireRequest } from '../privacy/retention.ts';
import { retiredChange } from '../privacy/retired-lines.ts';
import type { Payment } from '../records/payment.ts';
import type { AuditRow, Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { isPseudonym, pseudonymOf } from '../values/pseudonym.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Folder } from './disk.ts';
import { readFully, withFile } from './durable-file.ts';
import { finishPlacing, putInPlace } from './files-anew.ts';
import { monthOf } from './journal.ts';
import { entriesIn, type JournalAnew, journalAnew } from './journal-anew.ts';
import { journalFiles } from './journal-replay.ts';
import type { LiveRecords } from './live-records.ts';
import { SEAMS_ID, seamsPut } from './seams.ts';
import type { Store } from './store.ts';

type Parts = {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly folder: Folder;
  readonly live: LiveRecords;
  readonly checkpoint: Checkpoint;
  readonly clock: Clock;
  /** Throws when this process may not write any more. */
  readonly mayWrite: () => void;
};

/** A payment as old months have it: its newest version there, and whose it is, unless that is forgotten there. */
type Mention = { readonly version: number; readonly number?: string; readonly name?: string };

/**
 * Takes the customers of old payments out of a store that is in use. Their records change as any record does; then
 * the old months of the journal, to which nobody appends any more, are made anew. Whatever stops it is made good the
 * next time: what the months have is what is looked for.
 */
export const retireInFolder = async (
  parts: Parts,
  { beforeMs, key: given, stop }: RetireRequest,
): Promise<Retired> => {
  const { folder, store, checkpoint } = parts;
  await finishPlacing(folder);
  // From here on a start reads nothing of the months before this one but their ends.
  await checkpoint.run();
  const files = await oldMonths(folder, beforeMs, checkpoint.file);
  if (files.length === 0) return { payments: 0 };
  const key = pseudonymKey(given, await store.get('setting', PSEUDONYM_KEY_ID));
  if (key.put !== undefined && !(await store.commit({ put: [key.put] }))) return { payments: 0 };
  const goOn = () => stop?.throwIfAborted();
  const mentions = await mentionsIn(folder, files, goOn);
  const { mayGo, ended } = await chosen(parts, mentions, beforeMs, goOn);
  const forgetting = { atMs: parts.clock.now() };
  const erasureOfPayment = (id: string): Erasure | undefined => {
    const mention = mayGo.has(id) ? mentions.get(id) : undefined;
    return mention && erasureFor(id, mention, key);
  };
  const payments = await retirePayments(parts, ended, erasureOfPayment, forgetting);
  for (const id of ended) if (!payments.has(id)) mayGo.delete(id);
  const journal = await journalAnew(
    folder,
    retiredChange({
      erasureOfPayment,
      isPayment: (id) => mentions.has(id),
      isLive: (kind, id) => parts.live.get(kind, id) !== undefined,
      pseudonymOf: (number) => pseudonymOf(number, key.key),
      beforeMs,
    }),
    (file) => {
      goOn();
      return files.includes(file);
    },
  );
  const told = { payments: payments.size, beforeMs };
  if (journal.remade.length > 0) await putMonths(parts, journal, forgetting, told);
  return { payments: payments.size };
};

/** Those in which somebody's number stands still. */
const oldMonths = async (folder: Folder, beforeMs: number, current: string): Promise<string[]> => {
  const last = `journal-${monthOf(beforeMs)}.ndjson`;
  const old: string[] = [];
  for (const file of await journalFiles(folder))
    if (file <= last && file < current && (await hasNumbers(folder, file))) old.push(file);
  return old;
};

/** As numbers stand in payments, questions and SMS. Looking for bytes costs next to nothing, reading lines does. */
const NUMBERS = ['"customerNumber":"+', '"recipients":["+'].map((text) => Buffer.from(text));
const PIECE_BYTES = 1024 * 1024;

const hasNumbers = ({ disk, dir }: Folder, name: string): Promise<boolean> =>
  withFile(disk, join(dir, name), 'r', async (file) => {
    const { size } = await file.stat();
    const overlap = Math.max(...NUMBERS.map(({ length }) => length));
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const piece = await readFully(file, at, Math.min(PIECE_BYTES + overlap, size - at));
      if (NUMBERS.some((number) => piece.includes(number))) return true;
    }
    return false;
  });

const mentionsIn = async (
  { disk, dir }: Folder,
  files: readonly string[],
  goOn: () => void,
): Promise<Map<string, Mention>> => {
  const mentions = new Map<string, Mention>();
  for (const file of files)
    await withFile(disk, join(dir, file), 'r', async (source) => {
      for await (const { change } of entriesIn(source, (await source.stat()).size)) {
        goOn();
        for (const put of change.put ?? []) if (put.kind === 'payment') take(mentions, put.record);
      }
    });
  return mentions;
};

/** A few words of each: there may be very many. */
const take = (mentions: Map<string, Mention>, { id, version, terms }: Payment): void => {
  const { customerNumber: number, customerName: name } = terms;
  const whose = isPseudonym(number) ? {} : { number, ...(name === undefined ? {} : { name }) };
  mentions.set(id, { ...mentions.get(id), ...whose, version });
};

/** Those whose whole past is in old months, and that ended long ago or lost their number before. */
const chosen = async (
  { store }: Parts,
  mentions: ReadonlyMap<string, Mention>,
  beforeMs: number,
  goOn: () => void,
): Promise<{ mayGo: Set<string>; ended: string[] }> => {
  const mayGo = new Set<string>();
  const ended: string[] = [];
  for (const [id, { number, version }] of mentions) {
    goOn();
    if (number === undefined) continue;
    const payment = await store.get('payment', id);
    if (payment === undefined) continue;
    const isForgotten = isPseudonym(payment.terms.customerNumber);
    const isOver = payment.version === version && isRetired(payment, beforeMs);
    if (!isForgotten && (!isOver || (await store.get('watch', id)) !== undefined)) continue;
    mayGo.add(id);
    if (!isForgotten) ended.push(id);
  }
  return { mayGo, ended };
};

const erasureFor = (id: string, { number = '', name }: Mention, { key }: PseudonymKey): Erasure =>
  erasureOf(
    { number, pseudonym: pseudonymOf(number, key) },
    { ids: new Set([id]), names: new Set(name === undefined ? [] : [name]) },
  );

/** Those that were changed; with whom somebody else changed meanwhile are looked at again the next time. */
const retirePayments = async (
  { store }: Parts,
  ended: readonly string[],
  erasureOfPayment: (id: string) => Erasure | undefined,
  forgetting: Forgetting,
): Promise<Set<string>> => {
  const changed = new Set<string>();
  for (let at = 0; at < ended.length; at += TOGETHER) {
    const put: Put[] = [];
    const audit: AuditRow[] = [];
    const ids = ended.slice(at, at + TOGETHER);
    for (const id of ids) {
      const record = await store.get('payment', id);
      const erased = record && erasureOfPayment(id)?.put({ kind: 'payment', record });
      if (erased?.kind !== 'payment') continue;
      const { payment, row } = forgottenPayment(erased.record, forgetting);
      put.push({ kind: 'payment', record: payment });
      audit.push(row);
    }
    if (await store.commit({ put, audit })) for (const id of ids) changed.add(id);
  }
  return changed;
};

/** Payments in one commit: each waits for a flush. */
const TOGETHER = 50;

/** Told by the trail before it is done, so that a check believes the months before and after. */
const putMonths = async (
  { store, folder, checkpoint, mayWrite }: Parts,
  { remade, seams, seamsNow }: JournalAnew,
  forgetting: Forgetting,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const earlier = await store.get('setting', SEAMS_ID);
  // Until the new months are in their place a start meets those they stand for.
  const put = seamsPut([...seams, ...seamsNow], earlier);
  const told = await store.commit({
    put,
    audit: [forgottenRow(forgetting, { ...detail, files: remade })],
  });
  if (!told) throw new Error('somebody else writes what the journal consists of');
  // What left memory takes the number out of the archive as well.
  await checkpoint.run();
  mayWrite();
  await putInPlace(
    folder,
    remade.map(({ file }) => file),
  );
};
