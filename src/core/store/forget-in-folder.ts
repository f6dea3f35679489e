import { BelongingsOf, type Found } from '../privacy/customer-records.ts';
import { type Customer, type Erasure, erasureOf } from '../privacy/erasure.ts';
import { type ReasonToWait, reasonToWait } from '../privacy/erasure-blockers.ts';
import { type Forgetting, forgottenPayment, forgottenRow } from '../privacy/forgotten-records.ts';
import { PSEUDONYM_KEY_ID, type PseudonymKey, pseudonymKey } from '../privacy/pseudonym-key.ts';
import type { ForgetAnswer, ForgetRequest } from '../privacy/request.ts';
import type { Payment } from '../records/payment.ts';
import type { Change, Kind, Put, Records } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { StartError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { pseudonymOf } from '../values/pseudonym.ts';
import type { Disk } from './disk.ts';
import { asideName, putInPlace, withAside } from './files-anew.ts';
import { appendedAside, type JournalAnew, journalAnew } from './journal-anew.ts';
import { readJournal } from './journal-replay.ts';
import { mustNotBeMoved } from './moved-mark.ts';
import type { Processes } from './process-mark.ts';
import { SEAMS_ID, seamsPut } from './seams.ts';
import { snapshotAside } from './snapshot.ts';
import { StoredFolder } from './stored-folder.ts';
import { asStartError } from './unusable-folder.ts';
import { verifyTrail } from './verify-folder.ts';

type FolderOptions = {
  readonly dir: string;
  /** @default systemDisk */
  readonly disk?: Disk;
  /** @default systemProcesses */
  readonly processes?: Processes;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Takes a customer out of an embedded store that nobody runs. What will be is made beside what is, checked as
 * `npm run audit -- verify` checks it, and then takes its place in one step, so whatever stops it leaves nothing
 * half done.
 * @throws {StartError} when the store cannot be had, or its audit trail is not whole.
 */
export const forgetInFolder = async (
  options: FolderOptions,
  request: ForgetRequest,
): Promise<ForgetAnswer> => {
  const stored = await StoredFolder.open(options);
  try {
    const { folder } = stored.contents;
    await mustNotBeMoved(folder);
    await mustBeWhole(stored);
    return await forget(stored, request, options.clock.now());
  } catch (error) {
    throw asStartError(options.dir, error);
  } finally {
    await stored.close();
  }
};

const forget = async (
  stored: StoredFolder,
  { number, who, isSure, key: given }: ForgetRequest,
  nowMs: number,
): Promise<ForgetAnswer> => {
  const key = pseudonymKey(given, liveRecord(stored, 'setting', PSEUDONYM_KEY_ID));
  const customer = { number, pseudonym: pseudonymOf(number, key.key) };
  const belongings = await belongingsIn(stored, customer);
  const erasure = erasureOf(customer, belongings);
  const reasons = await reasonsIn(stored, erasure, nowMs);
  if (reasons.length > 0) return { kind: 'wait', reasons };
  const { found } = belongings;
  if (!(await isMentioned(stored, erasure))) return { kind: 'unknown' };
  if (!isSure) return { kind: 'found', found };
  const sealedAnew = await makeAnew(stored, {
    erasure,
    key,
    found,
    pseudonym: customer.pseudonym,
    forgetting: { atMs: nowMs, who },
  });
  return { kind: 'forgotten', found, pseudonym: customer.pseudonym, sealedAnew };
};

/** Out of the journal: what was removed since stands there still. */
const belongingsIn = async (stored: StoredFolder, customer: Customer): Promise<BelongingsOf> => {
  const belongings = new BelongingsOf(customer);
  for await (const piece of readJournal(stored.contents.folder))
    if (piece.kind === 'entry')
      for (const put of piece.entry.change.put ?? []) belongings.take(put);
  return belongings;
};

/** Whether there is anything to erase. What is stored came from the journal, and only that has the past. */
const isMentioned = async (stored: StoredFolder, erasure: Erasure): Promise<boolean> => {
  for await (const piece of readJournal(stored.contents.folder))
    if (piece.kind === 'entry' && erasure.change(piece.entry.change) !== piece.entry.change)
      return true;
  return false;
};

const reasonsIn = async (
  stored: StoredFolder,
  erasure: Erasure,
  nowMs: number,
): Promise<ReasonToWait[]> => {
  const reasons: ReasonToWait[] = [];
  for await (const put of stored.records()) {
    if (erasure.put(put) === put) continue;
    const reason = reasonToWait(put, nowMs);
    if (reason !== undefined) reasons.push(reason);
  }
  return reasons;
};

type Work = {
  readonly erasure: Erasure;
  readonly key: PseudonymKey;
  readonly found: Found;
  readonly pseudonym: string;
  readonly forgetting: Forgetting;
};

/** Returns how many months of the journal were sealed anew. */
const makeAnew = async (stored: StoredFolder, work: Work): Promise<number> => {
  const { folder } = stored.contents;
  const changes: Change[] = [];
  const archive = await archiveAnew(stored, work, changes);
  const records = recordsAnew(stored, work, changes);
  const journal = await journalAnew(folder, work.erasure.change);
  const last = lastChange(stored, work, journal);
  const position = await appendedAside(folder, journal, [...changes, last], work.forgetting.atMs);
  const snapshot = await snapshotAside(folder, {
    position,
    longestLeadMs: stored.contents.longestLeadMs,
    archive: archive.extents,
    records: withPut(records, last.put ?? []),
  });
  const months = new Set([...journal.remade.map(({ file }) => file), position.file]);
  const names = [...archive.files, snapshot, ...months];
  await mustBeWhole(stored, names);
  stored.mustBeHeld();
  await putInPlace(folder, names);
  return journal.remade.length;
};

/** A payment whose newest version is there gets a new one; of one that is live again the archive has an older version. */
const archiveAnew = (
  stored: StoredFolder,
  { erasure, forgetting }: Work,
  changes: Change[],
): ReturnType<StoredFolder['contents']['archive']['writtenAnew']> =>
  stored.contents.archive.writtenAnew(asideName, (payment) => {
    const put = erasure.put({ kind: 'payment', record: payment });
    const erased = put.kind === 'payment' ? put.record : payment;
    const isLive = liveRecord(stored, 'payment', payment.id) !== undefined;
    return erased === payment || isLive ? erased : newVersion(erased, forgetting, changes);
  });

const recordsAnew = (
  stored: StoredFolder,
  { erasure, forgetting }: Work,
  changes: Change[],
): Put[] =>
  [...stored.contents.live.all()].map((put) => {
    const erased = erasure.put(put);
    if (erased === put || erased.kind !== 'payment') return erased;
    return { kind: 'payment', record: newVersion(erased.record, forgetting, changes) };
  });

const newVersion = (erased: Payment, forgetting: Forgetting, changes: Change[]): Payment => {
  const { payment, row } = forgottenPayment(erased, forgetting);
  changes.push({ put: [{ kind: 'payment', record: payment }], audit: [row] });
  return payment;
};

/** Behind everything else in the journal: what was made anew, and what its months ended with before and after. */
const lastChange = (
  stored: StoredFolder,
  { key, found, pseudonym, forgetting }: Work,
  { remade, seams }: JournalAnew,
): Change => {
  const { payments, sms } = found;
  return {
    put: [
      ...seamsPut(seams, liveRecord(stored, 'setting', SEAMS_ID)),
      ...(key.put === undefined ? [] : [key.put]),
    ],
    audit: [forgottenRow(forgetting, { pseudonym, payments, sms, files: remade })],
  };
};

const withPut = (records: readonly Put[], puts: readonly Put[]): Put[] => {
  const isNew = ({ kind, record }: Put) =>
    puts.some((put) => put.kind === kind && put.record.id === record.id);
  return [...records.filter((put) => !isNew(put)), ...puts];
};

const liveRecord = <K extends Kind>(
  stored: StoredFolder,
  kind: K,
  id: string,
): Records[K] | undefined =>
  // A slot is found under the kind of its record, which the compiler cannot know.
  stored.contents.live.get(kind, id)?.put?.record as Records[K] | undefined;

/**
 * What is sealed anew is believed afterwards.
 * @param aside with these files in their place.
 */
const mustBeWhole = async (
  { contents: { folder } }: StoredFolder,
  aside: readonly string[] = [],
): Promise<void> => {
  const { broken, places } = await verifyTrail(withAside(folder, aside));
  if (broken === 0) return;
  const what = aside.length === 0 ? 'is not whole' : 'would not be whole without the customer';
  throw new StartError(
    `The audit trail in ${folder.dir} ${what}: ${places[0]}. Nothing was changed. "npm run audit -- verify" says more.`,
  );
};
